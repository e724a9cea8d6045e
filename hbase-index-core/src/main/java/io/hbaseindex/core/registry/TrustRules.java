/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.registry;

import io.hbaseindex.core.push.LeaseTerms;
import io.hbaseindex.core.push.LeaseToken;
import io.hbaseindex.core.push.Push;
import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.core.time.MachineClock;
import io.hbaseindex.core.time.Moment;
import java.util.function.Predicate;

/**
 * Whom a master may trust at all, whatever the region: nobody while it is young, nobody while it is
 * not certain to be the active one, and nobody while its clock may be wrong.
 *
 * <p>A machine whose clocks have stood still cannot notice it by itself: the time for which it
 * trusts would begin again. Region servers tell it. A push says how long its server has held the
 * token it echoes; a server receives a token after it was issued and echoes it before that arrives,
 * so by clocks that are right no more time can have passed at the server than at the master. If it
 * has, no token issued so far is worth anything any more, nor is what the master was told before
 * about being the active one: it trusts nobody until that would have run out.
 *
 * <p>Safe for use by many threads; routes never wait.
 */
class TrustRules {
  private final long master;
  private final MachineClock clock;
  private final LeaseTerms terms;
  private final Predicate<Moment> active;
  private final long quietNanos;
  private final Moment activeSince;

  /** Up to this moment, by this master's clocks, a server has confirmed them. */
  private volatile Moment confirmed;

  /** When the clocks were last found to be wrong; at first, when they were first looked at. */
  private volatile long tokensCountSince;

  private volatile boolean foundWrong;

  /**
   * The rules of a master that has just become active.
   *
   * @param active whether the master is certain at a moment that it is the active one
   */
  TrustRules(long master, MachineClock clock, LeaseTerms terms, Predicate<Moment> active) {
    this(master, clock, terms, active, terms.quietNanos());
  }

  /**
   * As above, for a holder of its own rule.
   *
   * @param quietNanos how long it trusts nobody at first
   */
  TrustRules(
      long master,
      MachineClock clock,
      LeaseTerms terms,
      Predicate<Moment> active,
      long quietNanos) {
    this.master = master;
    this.clock = clock;
    this.terms = terms;
    this.active = active;
    this.quietNanos = quietNanos;
    this.activeSince = Moment.of(clock);
    this.confirmed = activeSince;
    this.tokensCountSince = activeSince.nanos();
  }

  /** Trust is counted by both clocks, so that a suspended machine does not trust for too long. */
  Moment now() {
    return Moment.of(clock);
  }

  Moment activeSince() {
    return activeSince;
  }

  LeaseToken issueToken(Moment now) {
    return new LeaseToken(master, now.nanos(), now.wallMillis());
  }

  long master() {
    return master;
  }

  /**
   * Compares the clocks of this master with that of the server that a push comes from.
   *
   * @return false if more time has passed there than here; nobody is trusted by earlier tokens then
   */
  synchronized boolean isInStep(Push push, Moment now) {
    LeaseToken token = push.token();
    if (!isOurs(token, now)) {
      return true;
    }
    long held = push.heldNanos();
    if (held - now.nanosSince(token.issued()) > terms.driftNanos(held)) {
      tokensCountSince = now.nanos();
      foundWrong = true;
      return false;
    }
    Moment sent = token.issued().plus(held);
    if (held <= terms.trustNanos() && sent.nanos() - confirmed.nanos() > 0) {
      confirmed = sent;
    }
    return true;
  }

  /** The token that trust is counted from, or null if the one echoed gives none. */
  LeaseToken basisOfTrust(LeaseToken echoed, Moment now) {
    return isOurs(echoed, now) && !isYoung(now) ? echoed : null;
  }

  private boolean isOurs(LeaseToken token, Moment now) {
    return token != null && token.master() == master && now.nanos() - token.issuedNanos() >= 0;
  }

  /**
   * Whether the master has been the active one for so long that no other one can still be trusted.
   * One that may have been deposed cannot say so: its successor may trust filters it knows nothing
   * of.
   */
  boolean isSenior(Moment now) {
    return isActive(now) && now.nanos() - activeSince.nanos() >= terms.seniorityNanos();
  }

  private boolean isYoung(Moment now) {
    return now.nanos() - activeSince.nanos() < quietNanos;
  }

  /** Whether the master is certain that it is the active one, by clocks that were right. */
  boolean isActive(Moment now) {
    return active.test(now) && !isCertaintyInDoubt(now);
  }

  /** Whether the master may have been told that it is the active one by clocks that were wrong. */
  boolean isCertaintyInDoubt(Moment now) {
    return foundWrong && now.nanos() - tokensCountSince < terms.deposedNanos();
  }

  /** Whether a server's clock has confirmed this master's of late. */
  boolean isClockConfirmed(Moment now) {
    return now.isWithin(terms.confirmationNanos(), confirmed);
  }

  /** What may be trusted at a moment. */
  Trust at(Moment now) {
    OpenReason nobody = isYoung(now) ? OpenReason.YOUNG_MASTER : null;
    if (nobody == null && isCertaintyInDoubt(now)) {
      nobody = OpenReason.UNCONFIRMED_CLOCK;
    }
    if (nobody == null && !isActive(now)) {
      nobody = OpenReason.UNCERTAIN_MASTER;
    }
    return new Trust(now, terms.trustNanos(), tokensCountSince, isClockConfirmed(now), nobody);
  }
}
