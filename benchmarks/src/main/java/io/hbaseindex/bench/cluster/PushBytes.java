/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.cluster;

import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistry;

/** The bytes that all region servers of this process have pushed to the master. */
final class PushBytes {
  private PushBytes() {}

  static long sum() {
    long sum = 0;
    for (MetricRegistry registry : MetricRegistries.global().getMetricRegistries()) {
      if (registry.getMetrics().get("hbaseindex.publish.sent-bytes") instanceof Counter counter) {
        sum += counter.getCount();
      }
    }
    return sum;
  }
}
