/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.master;

import io.hbaseindex.common.metrics.IndexRegistry;
import java.util.List;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.Gauge;
import org.apache.hadoop.hbase.metrics.Histogram;
import org.apache.hadoop.hbase.metrics.Metric;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.metrics.Timer;

/**
 * What the registries behind JMX show of the index, for the master and all region servers of this
 * process. Holders have one of their own, with the names of the master's.
 */
final class IndexMetricsView {
  private IndexMetricsView() {}

  /** The metric of that name, which must exist. */
  static Metric metric(String name) {
    for (MetricRegistry registry :
        List.of(IndexRegistry.ofMaster(), IndexRegistry.ofRegionServer())) {
      Metric metric = registry.getMetrics().get(name);
      if (metric != null) {
        return metric;
      }
    }
    throw new AssertionError("there is no metric " + name);
  }

  static long count(String name) {
    return ((Counter) metric(name)).getCount();
  }

  static long gauge(String name) {
    return ((Number) ((Gauge<?>) metric(name)).getValue()).longValue();
  }

  static Histogram histogram(String name) {
    Metric metric = metric(name);
    return metric instanceof Timer timer ? timer.getHistogram() : (Histogram) metric;
  }
}
