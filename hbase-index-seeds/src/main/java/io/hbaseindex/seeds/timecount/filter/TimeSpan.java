/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.timecount.filter;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * The times from {@code first} to {@code last}, both included. The unit is the caller's.
 *
 * @param first earliest time
 * @param last latest time, not before {@code first}
 */
@InterfaceAudience.Private
public record TimeSpan(long first, long last) {
  /** Every time there is. */
  public static final TimeSpan ALWAYS = new TimeSpan(Long.MIN_VALUE, Long.MAX_VALUE);

  public TimeSpan {
    if (first > last) {
      throw new IllegalArgumentException(
          "Cannot make a time span: its first time "
              + first
              + " was after its last "
              + last
              + "; swap them");
    }
  }

  /** The span of a single moment. */
  public static TimeSpan at(long time) {
    return new TimeSpan(time, time);
  }

  /** Whether the two spans share a moment. */
  public boolean overlaps(TimeSpan other) {
    return first <= other.last && other.first <= last;
  }

  /** The smallest span that holds both. */
  public TimeSpan enclosing(TimeSpan other) {
    return new TimeSpan(Math.min(first, other.first), Math.max(last, other.last));
  }

  /** Whether all of this span lies before {@code time}. */
  public boolean endsBefore(long time) {
    return last < time;
  }
}
