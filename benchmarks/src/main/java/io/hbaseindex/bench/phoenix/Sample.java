/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.phoenix;

import org.HdrHistogram.Histogram;

/**
 * One thing done by one contender, for a while.
 *
 * @param count how often it was done
 * @param seconds how long that took
 * @param cpuSeconds processor time of the process, which is cluster and clients
 * @param calls calls of region servers' scan method
 * @param rows rows that were found
 * @param latency of each, in nanoseconds
 */
record Sample(
    long count, double seconds, double cpuSeconds, long calls, long rows, Histogram latency) {

  double perSecond() {
    return count / seconds;
  }

  double cpuMillis() {
    return 1e3 * cpuSeconds / count;
  }

  double callsEach() {
    return (double) calls / count;
  }

  double rowsEach() {
    return (double) rows / count;
  }

  double millis(double percentile) {
    return latency.getValueAtPercentile(percentile) / 1e6;
  }
}
