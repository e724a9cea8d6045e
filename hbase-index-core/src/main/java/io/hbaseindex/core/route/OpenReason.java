/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.route;

import org.apache.yetus.audience.InterfaceAudience;

/** The reason why nothing is proven about a region's keys. */
@InterfaceAudience.Private
public enum OpenReason {
  /** The region has no complete filter yet: it has just opened, or an index is being built. */
  NOT_READY,
  /** The region's complete filter is on its way to the master. */
  PUBLISHING,
  /** The master did not confirm a write in time. */
  SLOW_MASTER,
  /** More changes waited to be sent than resending the whole filter would cost. */
  TOO_MANY_CHANGES,
  /** The memory for filters is used up, at the master or at the region server. */
  OVER_BUDGET,
  /** The master could not apply what it was sent. */
  MALFORMED,
  /** The master does not have what the publisher thinks it has. */
  LOST,
  /** A newer incarnation holds some of the region's keys. */
  FENCED,
  /** Another master became active. */
  NEW_MASTER,
  /** The region's postings change in a way its filter is not told, for example by a bulk load. */
  SUSPENDED,
  /** The region is closing. */
  CLOSING,
  /** The region's trust has run out: nothing was heard from it for a while. */
  LAPSED,
  /** The master has not been active for long enough to trust anybody. */
  YOUNG_MASTER,
  /** The master is not certain that it is still the active one. */
  UNCERTAIN_MASTER,
  /** No region server's clock has confirmed the master's of late, or one has contradicted it. */
  UNCONFIRMED_CLOCK,
  /** The index asked for is not covered, or not by this definition, or in another table shape. */
  NOT_COVERED,
  /** No region has announced itself for these keys. */
  ABSENT;

  /** Whether publishing again at once would most likely meet the same trouble. */
  public boolean callsForPause() {
    return switch (this) {
      case SLOW_MASTER, TOO_MANY_CHANGES, OVER_BUDGET, MALFORMED, UNCONFIRMED_CLOCK -> true;
      default -> false;
    };
  }
}
