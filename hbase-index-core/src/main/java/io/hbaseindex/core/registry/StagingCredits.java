/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.registry;

import io.hbaseindex.core.push.LeaseTerms;
import io.hbaseindex.core.push.StagingCredit;
import java.util.HashMap;
import java.util.Map;

/**
 * Hands out credit for whole filters to a few servers at a time. A server that has a place keeps it
 * while it goes on sending parts, so that its filters are complete before those of the next begin;
 * the others are told when to ask again, the later the more of them wait.
 *
 * <p>Safe for use by many threads.
 */
final class StagingCredits {
  /** What a push may carry: as much as a push takes anyway. */
  static final long BYTES = 1 << 20;

  /** About how long a server that waits has to wait for each one before it. */
  private static final long TURN_NANOS = 10_000_000;

  private final LeaseTerms terms;
  private final int places;

  /** Until when the servers that have credit keep their places, and others count as waiting. */
  private final Map<String, Long> granted = new HashMap<>();

  private final Map<String, Long> waiting = new HashMap<>();

  StagingCredits(LeaseTerms terms, int places) {
    this.terms = terms;
    this.places = places;
  }

  /** What a server may send with its next push, if it wants to send parts at all. */
  synchronized StagingCredit answer(String server, boolean wanted, long now) {
    granted.remove(server);
    waiting.remove(server);
    if (!wanted) {
      return StagingCredit.NONE;
    }
    granted.values().removeIf(until -> now - until >= 0);
    if (granted.size() < places) {
      granted.put(server, now + terms.pushTimeoutNanos());
      return new StagingCredit(BYTES, 0);
    }
    waiting.values().removeIf(until -> now - until >= 0);
    waiting.put(server, now + terms.leaseNanos());
    return new StagingCredit(0, Math.min(TURN_NANOS * waiting.size(), terms.heartbeatNanos()));
  }
}
