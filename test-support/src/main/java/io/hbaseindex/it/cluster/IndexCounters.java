/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.cluster;

import io.hbaseindex.common.metrics.MetricName;
import io.hbaseindex.common.query.PlainScanReason;
import io.hbaseindex.region.metrics.IndexCounter;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.Metric;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistry;

/**
 * What the servers of this JVM have counted for one table, at one moment. It reads the registries
 * that JMX shows, so what a test sees is what an operator sees.
 */
public final class IndexCounters {
  private final Map<String, Long> values;

  private IndexCounters(Map<String, Long> values) {
    this.values = values;
  }

  /** The counters as of now. */
  public static IndexCounters of(TableName table) {
    String prefix =
        "Namespace_%s_table_%s_metric_"
            .formatted(table.getNamespaceAsString(), table.getQualifierAsString());
    Map<String, Long> values = new TreeMap<>();
    for (MetricRegistry registry : MetricRegistries.global().getMetricRegistries()) {
      for (Map.Entry<String, Metric> metric : registry.getMetrics().entrySet()) {
        if (metric.getKey().startsWith(prefix) && metric.getValue() instanceof Counter counter) {
          values.merge(metric.getKey().substring(prefix.length()), counter.getCount(), Long::sum);
        }
      }
    }
    return new IndexCounters(values);
  }

  /** What has been counted since {@code earlier}. */
  public IndexCounters since(IndexCounters earlier) {
    Map<String, Long> difference = new TreeMap<>(values);
    earlier.values.forEach((name, value) -> difference.merge(name, -value, Long::sum));
    difference.values().removeIf(value -> value == 0);
    return new IndexCounters(difference);
  }

  public long get(IndexCounter counter) {
    return values.getOrDefault(counter.metricName(), 0L);
  }

  /** Scans that ran plainly for this reason. */
  public long plain(PlainScanReason reason) {
    return values.getOrDefault(
        MetricName.of(IndexCounter.SCANS_PLAIN.metricName(), reason.metricName()), 0L);
  }

  /** All reasons for which scans ran plainly, with their number. */
  public Map<PlainScanReason, Long> plain() {
    Map<PlainScanReason, Long> reasons = new EnumMap<>(PlainScanReason.class);
    for (PlainScanReason reason : PlainScanReason.values()) {
      if (plain(reason) != 0) {
        reasons.put(reason, plain(reason));
      }
    }
    return reasons;
  }

  @Override
  public String toString() {
    return values.toString();
  }
}
