/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.cluster;

import java.util.Map;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.Metric;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.metrics.Timer;

/**
 * What all servers of this JVM have counted of publishing and routing, as JMX shows it. Counts only
 * ever rise; tests compare two moments.
 */
public final class PublishCounters {
  private PublishCounters() {}

  /** A counter, or how often a timer has run; zero if there is none of that name. */
  public static long of(String name) {
    long sum = 0;
    for (MetricRegistry registry : MetricRegistries.global().getMetricRegistries()) {
      for (Map.Entry<String, Metric> metric : registry.getMetrics().entrySet()) {
        if (metric.getKey().equals(name)) {
          sum += count(metric.getValue());
        }
      }
    }
    return sum;
  }

  /** The longest time, in µs, that a timer has seen since it was last asked for it. */
  public static long longestMicros(String name) {
    long longest = 0;
    for (MetricRegistry registry : MetricRegistries.global().getMetricRegistries()) {
      if (registry.getMetrics().get(name) instanceof Timer timer) {
        longest = Math.max(longest, timer.getHistogram().snapshot().getMax());
      }
    }
    return longest;
  }

  private static long count(Metric metric) {
    if (metric instanceof Counter counter) {
      return counter.getCount();
    }
    return metric instanceof Timer timer ? timer.getHistogram().getCount() : 0;
  }
}
