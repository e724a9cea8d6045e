/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.registry;

import io.hbaseindex.core.push.LeaseToken;
import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.core.time.Moment;

/**
 * Which tokens a master's trust may rest on at one moment.
 *
 * @param now the moment
 * @param lastingNanos how long after its issue a token is worth trust
 * @param sinceNanos tokens that were issued before are worth none, by the master's monotonic clock
 * @param clockConfirmed whether the master may believe its clock
 * @param nobody why nobody is trusted, whatever the clock says; null if tokens decide
 */
record Trust(
    Moment now, long lastingNanos, long sinceNanos, boolean clockConfirmed, OpenReason nobody) {
  /** Why trust cannot rest on a token; null if it can. */
  OpenReason whyNotBy(LeaseToken token) {
    if (nobody != null) {
      return nobody;
    }
    if (token == null || !now.isWithin(lastingNanos, token.issued())) {
      return OpenReason.LAPSED;
    }
    boolean counts = clockConfirmed && token.issuedNanos() - sinceNanos >= 0;
    return counts ? null : OpenReason.UNCONFIRMED_CLOCK;
  }
}
