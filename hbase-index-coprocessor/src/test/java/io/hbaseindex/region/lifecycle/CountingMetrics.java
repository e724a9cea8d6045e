/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.lifecycle;

import io.hbaseindex.common.query.PlainScanReason;
import io.hbaseindex.region.metrics.IndexCounter;
import io.hbaseindex.region.metrics.IndexMetrics;
import io.hbaseindex.region.metrics.WriteRefusal;
import java.util.EnumMap;
import java.util.Map;

/** Keeps counts for a test to look at. */
public final class CountingMetrics implements IndexMetrics {

  private final Map<IndexCounter, Long> counts = new EnumMap<>(IndexCounter.class);

  @Override
  public void add(IndexCounter counter, long amount) {
    counts.merge(counter, amount, Long::sum);
  }

  @Override
  public void plainScan(PlainScanReason reason) {
    increment(IndexCounter.SCANS_PLAIN);
  }

  @Override
  public void refusedWrite(WriteRefusal reason) {
    increment(IndexCounter.WRITES_REFUSED);
  }

  public long of(IndexCounter counter) {
    return counts.getOrDefault(counter, 0L);
  }
}
