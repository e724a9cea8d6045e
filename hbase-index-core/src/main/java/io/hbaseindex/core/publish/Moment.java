package io.hbaseindex.core.publish;

/**
 * What both clocks of a machine showed at one moment. Time is taken by the clock that says more has
 * passed: the monotonic clock may have stood still while the machine was suspended; the wall clock
 * may have been set back. Not both.
 */
public record Moment(long nanos, long wallMillis) {
  private static final long NANOS_PER_MILLI = 1_000_000;

  public static Moment of(PublishClock clock) {
    return new Moment(clock.monotonicNanos(), clock.wallMillis());
  }

  /** Whether by both clocks less than the given time has passed since a token was issued. */
  boolean isWithin(long duration, LeaseToken token) {
    return isWithin(duration, token.issuedNanos(), token.issuedWallMillis());
  }

  /** Whether by both clocks less than the given time has passed since an earlier moment. */
  public boolean isWithin(long duration, Moment earlier) {
    return isWithin(duration, earlier.nanos, earlier.wallMillis);
  }

  private boolean isWithin(long duration, long sinceNanos, long sinceWallMillis) {
    return nanos - sinceNanos < duration
        && wallMillis - sinceWallMillis < duration / NANOS_PER_MILLI;
  }

  /** How much time has passed since an earlier moment. */
  public long millisSince(Moment earlier) {
    return Math.max((nanos - earlier.nanos) / NANOS_PER_MILLI, wallMillis - earlier.wallMillis);
  }
}
