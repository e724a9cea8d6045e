/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.publish;

import io.hbaseindex.core.push.LeaseTerms;

/**
 * An account of how long writes of a region that is precise have waited, and of how long they may.
 *
 * <p>They wait for a page that is not confirmed; for a generation that has taken over here, and of
 * which the master has yet to say so; or, in a region that is <em>outrun</em>, for what is staged
 * to take the place of what is trusted.
 *
 * <p>Trust is not renewed while a write has waited for longer than the patience, so that the wait
 * ends with the trust at the latest. A master that answers nobody meanwhile is away, and the region
 * gives up; one that answers others is given as much time again.
 */
final class WritePatience {
  private final LeaseTerms terms;
  private ServerPublisher.Pulse pulse;
  private boolean takingOver;
  private long takingOverSince;
  private boolean outrun;
  private long outrunSince;

  WritePatience(LeaseTerms terms, long now) {
    this.terms = terms;
    this.pulse = new ServerPublisher.Pulse(now, now);
  }

  /** Takes note of whether the master answers. */
  void feel(ServerPublisher.Pulse latest) {
    pulse = latest;
  }

  ServerPublisher.Pulse pulse() {
    return pulse;
  }

  /** Whether the master has answered every push since some moment, and has just done so. */
  boolean wasAnswered(long since, long now) {
    return pulse.lastLossNanos() - since <= 0 && now - pulse.heardNanos() < terms.patienceNanos();
  }

  // ---- what is waited for ----

  /** Whether what is trusted stays as it is until what is staged takes its place. */
  boolean isOutrun() {
    return outrun;
  }

  /** Changes come faster than pages carry them; whoever waits goes on to wait. */
  void outrun(ChangeLog log, long now) {
    outrunSince = now - longestWait(log, now);
    outrun = true;
  }

  /** Whether the master has yet to confirm that it answers by the present generation. */
  boolean isTakingOver() {
    return takingOver;
  }

  /**
   * A generation has taken over here.
   *
   * @param since when a write began to wait that waits for this now
   */
  void takeOver(long since) {
    takingOver = true;
    takingOverSince = since;
    outrun = false;
  }

  /** The master answers by the present generation. */
  void tookOver() {
    takingOver = false;
  }

  /** The region has given up: writes wait for nothing but the end of its trust. */
  void giveUp() {
    takingOver = false;
    outrun = false;
  }

  // ---- for how long ----

  /**
   * How long the write has waited that has waited longest.
   *
   * @param log that of the generation that writes wait for
   */
  long longestWait(ChangeLog log, long now) {
    if (outrun) {
      return now - outrunSince;
    }
    long since = log.earliestAwait(now);
    return now - (takingOver ? Horizon.earlier(takingOverSince, since) : since);
  }

  /** When the region gives up, if nothing is confirmed until then. */
  long giveUpAt(ChangeLog log, long now) {
    long since = now - longestWait(log, now);
    if (outrun) {
      return since + terms.patienceNanos(); // nothing can take over any more
    }
    long away = Horizon.later(since, pulse.heardNanos()) + terms.patienceNanos();
    return Horizon.earlier(away, since + terms.longestPatienceNanos());
  }

  /** Whether trust may be renewed without making a write wait for longer than a lease. */
  boolean mayRenew(ChangeLog log, long now) {
    return longestWait(log, now) < terms.patienceNanos();
  }
}
