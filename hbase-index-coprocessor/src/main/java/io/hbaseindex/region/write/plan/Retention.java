/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.write.plan;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * How long and in how many versions a column keeps its puts.
 *
 * @param maxVersions versions the family keeps
 * @param timeToLiveMillis {@code Long.MAX_VALUE} for ever
 */
@InterfaceAudience.Private
public record Retention(int maxVersions, long timeToLiveMillis) {
  /**
   * How long before its end a value is no longer said to show for certain. Another server may have
   * taken it for expired already, and written what has come after it: clocks of servers may differ.
   * HBase keeps a server out whose clock is off by more than half of this.
   */
  static final long CLOCK_DIFFERENCE_MILLIS = 60_000;

  /** Up to which time a value of this timestamp shows for certain if no other hides it. */
  long certainUntil(long timestamp) {
    if (!expires()) {
      return Long.MAX_VALUE;
    }
    long end = timestamp + timeToLiveMillis;
    // A sum that overflows lies beyond all time.
    return end < timestamp ? Long.MAX_VALUE : end - CLOCK_DIFFERENCE_MILLIS;
  }

  /** Whether values outlive their time at all. */
  boolean expires() {
    return timeToLiveMillis != Long.MAX_VALUE;
  }

  /** The lowest timestamp that has not expired. */
  long oldestUnexpired(long now) {
    return expires() ? now - timeToLiveMillis : Long.MIN_VALUE;
  }
}
