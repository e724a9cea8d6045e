package io.hbaseindex.core.publish;

/** What both clocks of a machine showed at one moment. */
record Moment(long nanos, long wallMillis) {
  private static final long NANOS_PER_MILLI = 1_000_000;

  static Moment of(PublishClock clock) {
    return new Moment(clock.monotonicNanos(), clock.wallMillis());
  }

  /**
   * Whether by neither clock more than the given time has passed since a token was issued. The
   * monotonic clock may have stood still while the machine was suspended; the wall clock may have
   * been set back. Not both.
   */
  boolean isWithin(long duration, LeaseToken token) {
    return nanos - token.issuedNanos() < duration
        && wallMillis - token.issuedWallMillis() < duration / NANOS_PER_MILLI;
  }
}
