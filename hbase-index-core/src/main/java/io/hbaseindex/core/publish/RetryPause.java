/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.publish;

import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.core.time.Jitter;

/**
 * The pause between giving up and publishing again. There is none for reasons that are over. For
 * reasons that would most likely repeat, each pause is twice as long as the one before, up to a
 * bound, and a little longer by chance, so that those who gave up together do not come back
 * together. A region that has then been precise for a multiple of its last pause starts again with
 * the shortest one, so that unrelated troubles do not add up.
 *
 * <p>A pause for want of answers is over as soon as the master has answered every push for a while:
 * long ones are for a master that is sick, not for one that was busy. The while is the shortest
 * pause at first. It doubles, too, each time that publishing is given up although no push was lost
 * since the time before: then it is not the master's answers that are wanting, and whole filters
 * sent once a second would only add to what is too much already.
 */
final class RetryPause {
  /** How many times its last pause a region has to be precise before all is forgiven. */
  private static final int PROBATION = 4;

  private final long shortest;
  private final long longest;
  private final Jitter jitter;
  private boolean forWantOfAnswers;
  private long began;
  private long leastNanos;
  private long until;
  private long next;
  private long nextLeast;
  private long probation;

  RetryPause(long shortest, long longest, Jitter jitter, long now) {
    this.shortest = shortest;
    this.longest = longest;
    this.jitter = jitter;
    this.until = now;
    this.began = now;
    this.next = shortest;
    this.nextLeast = shortest;
  }

  /** Publishing was given up, for a reason that answers have no part in. */
  void begin(OpenReason why, long now) {
    begin(why, now, false);
  }

  /**
   * Publishing was given up.
   *
   * @param patience what knows whether the master has answered all the while
   */
  void begin(OpenReason why, long now, WritePatience patience) {
    boolean forWant = why == OpenReason.SLOW_MASTER || why == OpenReason.TOO_MANY_CHANGES;
    if (forWant) {
      leastNanos = jitter.lengthen(nextLeast);
      if (patience.wasAnswered(began, now)) {
        nextLeast = Math.min(2 * nextLeast, longest);
      }
    }
    begin(why, now, forWant);
  }

  private void begin(OpenReason why, long now, boolean forWant) {
    forWantOfAnswers = forWant;
    began = now;
    if (why.callsForPause()) {
      until = now + jitter.lengthen(next);
      probation = PROBATION * next;
      next = Math.min(2 * next, longest);
    } else {
      until = now;
    }
  }

  /** The region has been precise since the given moment; after a while all is forgiven. */
  void preciseSince(long since, long now) {
    if (now - since >= probation) {
      next = shortest;
      nextLeast = shortest;
    }
  }

  boolean isOver(long now) {
    return now - until >= 0;
  }

  boolean isOver(long now, ServerPublisher.Pulse pulse) {
    return now - until(pulse) >= 0;
  }

  long until() {
    return until;
  }

  /** When it is over, if the master goes on as it does. */
  long until(ServerPublisher.Pulse pulse) {
    if (!forWantOfAnswers || !pulse.isAnswering()) {
      return until;
    }
    long trouble = pulse.lastLossNanos() - began > 0 ? pulse.lastLossNanos() : began;
    long well = trouble + leastNanos;
    return well - until < 0 ? well : until;
  }
}
