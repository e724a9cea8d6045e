/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.publish;

import io.hbaseindex.core.push.LeaseTerms;

/**
 * An account of the trust that may be left in earlier filters of a region's keys. A write has to
 * wait for it, apart from its own generation. There are three kinds, which end in different ways:
 *
 * <ul>
 *   <li><em>own</em>: trust in this incarnation at the present master. Moved out by every renewal;
 *       ended when the master says that the region is open;
 *   <li><em>elsewhere</em>: trust in this incarnation at masters that were active before. Only time
 *       ends it;
 *   <li><em>earlier</em>: trust in incarnations that held these keys before. Ended when a master
 *       that must be the only one left says that the region is open.
 * </ul>
 */
class RemainingTrust {
  private final LeaseTerms terms;
  private final Horizon own = new Horizon();
  private final Horizon elsewhere = new Horizon();
  private final Horizon earlier = new Horizon();
  private long lastRenewed;

  /** The trust that may be left when a region opens. */
  RemainingTrust(LeaseTerms terms, long openedNanos) {
    this.terms = terms;
    earlier.extendTo(openedNanos + terms.openingNanos());
  }

  /** Trust in a generation is being asked for with a token that was received at this moment. */
  void renewed(long generation, long tokenReceivedNanos) {
    own.extendTo(tokenReceivedNanos + terms.horizonNanos());
    lastRenewed = generation;
  }

  /** Another master has answered: what the one before trusts, only time can end. */
  void changeMaster() {
    elsewhere.extendTo(own);
    own.end();
  }

  /**
   * The present master has said that the region is open and that no generation up to the given one
   * counts any more.
   *
   * @param senior whether no other master can still answer
   * @return whether that is all there was
   */
  boolean endThrough(long generation, boolean senior) {
    if (generation < lastRenewed) {
      return false;
    }
    own.end();
    if (senior) {
      earlier.end();
    }
    return true;
  }

  /** The present master has said that the incarnation is released. */
  void released() {
    own.end();
  }

  /** Whether the present master cannot trust this incarnation. */
  boolean hasNoOwn(long now) {
    return hasPassed(own, now);
  }

  /** Whether no master can trust this incarnation. */
  boolean hasNoneInIncarnation(long now) {
    return hasPassed(own, now) && hasPassed(elsewhere, now);
  }

  /** Whether neither a master before nor an earlier incarnation can matter any more. */
  boolean hasNoneBefore(long now) {
    return hasPassed(elsewhere, now) && hasPassed(earlier, now);
  }

  /** The earlier of a moment and the next one at which some trust ends by time. */
  long earlierOf(long other, long now) {
    return own.earlierOf(elsewhere.earlierOf(earlier.earlierOf(other, now), now), now);
  }

  /** Whether no trust can be left up to this horizon. */
  boolean hasPassed(Horizon horizon, long now) {
    return horizon.hasPassed(now);
  }
}
