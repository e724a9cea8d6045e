/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.context;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Gives the postings of one region their timestamps: strictly increasing, near wall time, and never
 * at or below a timestamp that a posting of this region already has.
 *
 * <p>The posting that was written last must win, whatever the clocks of the servers say that hosted
 * the region. So each tick is at least one above the tick before, and on opening the clock starts
 * above the highest timestamp in the region's hidden family (rule P1). A region that takes more
 * than a thousand batches a second runs ahead of wall time for a while, which harms nobody: the
 * timestamps are compared with each other only.
 */
@InterfaceAudience.Private
public final class PostingClock {
  private final LongSupplier wallClockMillis;
  private final AtomicLong last;

  /**
   * @param wallClockMillis the server's clock
   * @param highestUsed the highest timestamp among the region's postings, or a negative number
   */
  public PostingClock(LongSupplier wallClockMillis, long highestUsed) {
    this.wallClockMillis = wallClockMillis;
    this.last = new AtomicLong(highestUsed);
  }

  /** The timestamp for the postings of one batch, taken while the batch holds its row locks. */
  public long tick() {
    long now = wallClockMillis.getAsLong();
    return last.updateAndGet(previous -> Math.max(previous + 1, now));
  }

  /** The highest timestamp given so far, or found when the region opened. */
  public long latest() {
    return last.get();
  }
}
