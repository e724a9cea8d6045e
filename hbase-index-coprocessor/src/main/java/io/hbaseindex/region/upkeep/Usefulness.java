/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.upkeep;

import java.time.Duration;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * How many scans a second the filter of a region keeps away from it, or would if it had one.
 *
 * <p>That shows while the region is open: every scan of its table comes then, and those that find
 * nothing are the ones that a filter would have kept away. What was seen is forgotten slowly while
 * the region has a filter, since nobody sees then what does not come. Used by one thread at a time.
 */
@InterfaceAudience.Private
public final class Usefulness {
  /** Over about so long the rate of an open region is taken. */
  private static final double WINDOW_NANOS = Duration.ofMinutes(10).toNanos();

  /** In so long half of what was seen is forgotten. */
  static final double HALF_LIFE_NANOS = Duration.ofHours(6).toNanos();

  private static final double SECOND_NANOS = Duration.ofSeconds(1).toNanos();

  private double rate;
  private double seenNanos;
  private long lookedAt;
  private long empty;

  /**
   * @param empty scans that have found nothing so far
   */
  public Usefulness(long now, long empty) {
    this.lookedAt = now;
    this.empty = empty;
  }

  /**
   * Takes note of what has come since the last look.
   *
   * @param open whether the region has been open all the while
   * @param emptyNow scans that have found nothing so far
   */
  public void look(long now, boolean open, long emptyNow) {
    double nanos = now - lookedAt;
    if (nanos <= 0) {
      return;
    }
    if (open) {
      seenNanos = Math.min(seenNanos + nanos, WINDOW_NANOS);
      double latest = (emptyNow - empty) / nanos * SECOND_NANOS;
      rate += (latest - rate) * Math.min(1, nanos / seenNanos);
    } else {
      rate *= Math.pow(0.5, nanos / HALF_LIFE_NANOS);
    }
    lookedAt = now;
    empty = emptyNow;
  }

  /** Scans per second that a filter keeps away. */
  public double rate() {
    return rate;
  }
}
