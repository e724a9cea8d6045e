/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.push;

import io.hbaseindex.core.time.Moment;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A master's stamp of the moment it sent a reply. A publisher echoes the newest one it has, and the
 * master trusts what came with it for a fixed time after that moment, however long the message
 * took. How long the publisher has held it tells the master whether its own clock has moved.
 *
 * @param master the incarnation of the master; no two share one
 * @param issuedNanos the master's monotonic clock
 * @param issuedWallMillis the master's wall clock
 */
@InterfaceAudience.Private
public record LeaseToken(long master, long issuedNanos, long issuedWallMillis) {
  /** When the token was issued, by both clocks of its master. */
  public Moment issued() {
    return new Moment(issuedNanos, issuedWallMillis);
  }
}
