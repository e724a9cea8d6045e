/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.metrics;

import io.hbaseindex.common.query.PlainScanReason;
import org.apache.yetus.audience.InterfaceAudience;

/** Takes note of what the index does; cheap enough for every row and never throws. */
@InterfaceAudience.Private
public interface IndexMetrics {

  /** Adds {@code amount} to {@code counter}. */
  void add(IndexCounter counter, long amount);

  /** Counts a scan that could not use an index, and why. */
  void plainScan(PlainScanReason reason);

  /** Counts a refused mutation, and why. */
  void refusedWrite(WriteRefusal reason);

  /** Adds one to {@code counter}. */
  default void increment(IndexCounter counter) {
    add(counter, 1);
  }
}
