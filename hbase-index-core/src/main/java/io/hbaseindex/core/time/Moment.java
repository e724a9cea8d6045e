/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.time;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * What both clocks of a machine showed at one moment. Time is taken by the clock that says more has
 * passed: the monotonic clock may have stood still while the machine was suspended; the wall clock
 * may have been set back. A machine that finds both wrong has to be told by others.
 */
@InterfaceAudience.Private
public record Moment(long nanos, long wallMillis) {
  private static final long NANOS_PER_MILLI = 1_000_000;

  public static Moment of(MachineClock clock) {
    return new Moment(clock.monotonicNanos(), clock.wallMillis());
  }

  /** Whether by both clocks less than the given time has passed since an earlier moment. */
  public boolean isWithin(long duration, Moment earlier) {
    return nanos - earlier.nanos < duration
        && wallMillis - earlier.wallMillis < duration / NANOS_PER_MILLI;
  }

  /** How much time has passed since an earlier moment. */
  public long nanosSince(Moment earlier) {
    return Math.max(nanos - earlier.nanos, (wallMillis - earlier.wallMillis) * NANOS_PER_MILLI);
  }

  /** How much time has passed since an earlier moment. */
  public long millisSince(Moment earlier) {
    return nanosSince(earlier) / NANOS_PER_MILLI;
  }

  /** The moment that is so much later by both clocks. */
  public Moment plus(long duration) {
    return new Moment(nanos + duration, wallMillis + duration / NANOS_PER_MILLI);
  }
}
