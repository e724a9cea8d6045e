/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.push;

import java.time.Duration;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The times that publishers and masters have to agree on. All servers of a cluster must use the
 * same ones.
 *
 * <pre>
 *   master      issues token ─────────────── trust ───────────────┤ trust ends
 *                       ╲
 *   publisher            receives it ────── trust + margin ───────────┤ horizon
 * </pre>
 *
 * <p>A token is received after it was issued, so a publisher's horizon always lies behind the end
 * of the trust, whatever the network did, as long as the two clocks drift apart by less than the
 * margin within that time.
 *
 * <p>A write that is not confirmed within {@link #patienceNanos} makes its region give up; from
 * then on no token is echoed for it. The trust of a token is therefore a lease <em>less the
 * patience</em>, so that a write waits for at most one lease plus the margin altogether.
 *
 * @param leaseNanos the longest a write may have to wait, margin aside
 * @param patienceNanos how long a write waits for a confirmation before its region gives up
 * @param marginNanos how far two clocks may drift apart within a lease
 * @param deposedNanos how long a master may go on trusting after another one became active: that
 *     long it takes itself for the active one after it was last told so
 */
@InterfaceAudience.Private
public record LeaseTerms(long leaseNanos, long patienceNanos, long marginNanos, long deposedNanos) {
  private static final int RESTS_PER_LEASE = 2;

  public LeaseTerms {
    if (patienceNanos <= 0 || leaseNanos < 4 * patienceNanos) {
      throw new IllegalArgumentException(
          "Cannot lease trust: patience was "
              + Duration.ofNanos(patienceNanos)
              + "; it must be positive and at most a quarter of the lease, "
              + Duration.ofNanos(leaseNanos));
    }
    if (marginNanos < leaseNanos / 100) {
      throw new IllegalArgumentException(
          "Cannot lease trust: the margin was "
              + Duration.ofNanos(marginNanos)
              + "; clocks need at least a hundredth of the lease, "
              + Duration.ofNanos(leaseNanos));
    }
    if (deposedNanos < 0 || deposedNanos > leaseNanos) {
      throw new IllegalArgumentException(
          "Cannot lease trust: a deposed master was allowed to trust for "
              + Duration.ofNanos(deposedNanos)
              + "; it must be at most the lease, "
              + Duration.ofNanos(leaseNanos));
    }
  }

  /** The product's default: a lease of 2 s. */
  public static LeaseTerms standard() {
    return ofLease(Duration.ofSeconds(2));
  }

  /** Terms in the default proportions: patience an eighth, margin a twentieth of the lease. */
  public static LeaseTerms ofLease(Duration lease) {
    long nanos = lease.toNanos();
    return new LeaseTerms(nanos, nanos / 8, nanos / 20, nanos);
  }

  /** How long after its issue a token is worth trust. */
  public long trustNanos() {
    return leaseNanos - patienceNanos;
  }

  /** How long after its receipt a token that was echoed may still be worth trust somewhere. */
  public long horizonNanos() {
    return trustNanos() + marginNanos;
  }

  /** How long after a region opened its earlier incarnations may still be trusted somewhere. */
  public long openingNanos() {
    return Math.max(trustNanos(), deposedNanos) + marginNanos;
  }

  /** The longest a write ever waits. */
  public long longestWaitNanos() {
    return leaseNanos + marginNanos;
  }

  /**
   * How long a write waits for a confirmation by a master that answers others meanwhile. No token
   * is echoed once a write has waited for its patience, so that this does not make it wait longer
   * than {@link #longestWaitNanos}.
   */
  public long longestPatienceNanos() {
    return 2 * patienceNanos;
  }

  /**
   * How long a publisher waits for the answer to a push: half its patience, so that it can retry.
   */
  public long pushTimeoutNanos() {
    return patienceNanos / 2;
  }

  /**
   * How long a publisher leaves a master alone after so many pushes in a row were lost: not at all
   * after the first, which leaves a write room for its second try, then ever longer, up to half a
   * lease.
   */
  public long restAfterLossNanos(int lostInARow) {
    if (lostInARow < 2) {
      return 0;
    }
    int doublings = Math.min(lostInARow - 2, 20);
    return Math.min(pushTimeoutNanos() << doublings, leaseNanos / RESTS_PER_LEASE);
  }

  /** How far the clocks of two servers may drift apart within some time. */
  public long driftNanos(long nanos) {
    return (long) (nanos * ((double) marginNanos / leaseNanos));
  }

  /** For how long a master goes on trusting while no server's clock confirms its own. */
  public long confirmationNanos() {
    return 2 * heartbeatNanos();
  }

  /** How often a region that has nothing to say renews its trust. */
  public long heartbeatNanos() {
    return trustNanos() / 4;
  }

  /** How long a master must have been active before it trusts anybody. */
  public long quietNanos() {
    return leaseNanos + marginNanos;
  }

  /** How long a master must have been active before its word that a region is open is enough. */
  public long seniorityNanos() {
    return leaseNanos + deposedNanos + marginNanos;
  }

  /** How long a registry refuses messages of an incarnation that is gone. */
  public long fenceNanos() {
    return leaseNanos + marginNanos;
  }
}
