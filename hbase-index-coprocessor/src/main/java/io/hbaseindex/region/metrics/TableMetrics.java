/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.metrics;

import io.hbaseindex.common.metrics.MetricName;
import io.hbaseindex.common.query.PlainScanReason;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Function;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Counts for one table and for the whole server in a metric registry of HBase, where JMX and the
 * metric sinks of Hadoop find them.
 *
 * <p>Counters of a table stay in the registry when its last region leaves the server, so that a
 * graph does not start anew with every move. Their number is bounded by the indexed tables a server
 * has seen times the counters there are.
 */
@InterfaceAudience.Private
public final class TableMetrics implements IndexMetrics {

  private final Map<IndexCounter, Both> counters = new EnumMap<>(IndexCounter.class);
  private final Map<PlainScanReason, Both> plainScans = new EnumMap<>(PlainScanReason.class);
  private final Map<WriteRefusal, Both> refusals = new EnumMap<>(WriteRefusal.class);

  /**
   * @param registry the registry of this server
   * @param table the table that is counted for
   */
  public TableMetrics(MetricRegistry registry, TableName table) {
    Function<String, Both> both =
        name ->
            new Both(
                registry.counter(name),
                registry.counter(
                    MetricName.ofTable(
                        table.getNamespaceAsString(), table.getQualifierAsString(), name)));
    for (IndexCounter counter : IndexCounter.values()) {
      counters.put(counter, both.apply(counter.metricName()));
    }
    for (PlainScanReason reason : PlainScanReason.values()) {
      plainScans.put(
          reason,
          both.apply(MetricName.of(IndexCounter.SCANS_PLAIN.metricName(), reason.metricName())));
    }
    for (WriteRefusal reason : WriteRefusal.values()) {
      refusals.put(
          reason,
          both.apply(MetricName.of(IndexCounter.WRITES_REFUSED.metricName(), reason.metricName())));
    }
  }

  @Override
  public void add(IndexCounter counter, long amount) {
    counters.get(counter).add(amount);
  }

  @Override
  public void plainScan(PlainScanReason reason) {
    counters.get(IndexCounter.SCANS_PLAIN).add(1);
    plainScans.get(reason).add(1);
  }

  @Override
  public void refusedWrite(WriteRefusal reason) {
    counters.get(IndexCounter.WRITES_REFUSED).add(1);
    refusals.get(reason).add(1);
  }

  private record Both(Counter server, Counter table) {
    void add(long amount) {
      server.increment(amount);
      table.increment(amount);
    }
  }
}
