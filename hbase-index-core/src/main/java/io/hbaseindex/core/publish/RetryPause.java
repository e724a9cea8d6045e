package io.hbaseindex.core.publish;

/**
 * How long a region that gave up stays open before it publishes its filter again: not at all for
 * reasons that are over, twice as long as the time before for those that would most likely repeat.
 */
final class RetryPause {
  private final PublishLimits limits;
  private long until;
  private long next;

  RetryPause(PublishLimits limits, long now) {
    this.limits = limits;
    this.until = now;
    this.next = limits.retryNanos();
  }

  /** Publishing was given up. */
  void begin(OpenReason why, long now) {
    if (why.callsForPause()) {
      until = now + next;
      next = Math.min(2 * next, limits.maxRetryNanos());
    } else {
      until = now;
    }
  }

  /** The region has been precise since the given moment; after a long time all is forgiven. */
  void preciseSince(long since, long now) {
    if (now - since >= limits.maxRetryNanos()) {
      next = limits.retryNanos();
    }
  }

  boolean isOver(long now) {
    return now - until >= 0;
  }

  long until() {
    return until;
  }
}
