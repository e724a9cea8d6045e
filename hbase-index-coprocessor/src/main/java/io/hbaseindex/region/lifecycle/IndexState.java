/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.lifecycle;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * The state of one index in a region: whether it can answer queries, and if not, why.
 *
 * @param phase what may be done with it
 * @param reason one sentence for a person
 * @param rowsDone rows a build has gone through since the region opened
 */
@InterfaceAudience.Private
public record IndexState(Phase phase, String reason, long rowsDone) {

  /** What may be done with an index. */
  public enum Phase {
    /** It is to be built and waits for its turn, or to be tried again. */
    WAITING,
    /** It is being built; writes maintain it, scans do not use it. */
    BUILDING,
    /** Scans use it. */
    READY,
    /** It can never be built here; scans run plainly. */
    UNSUPPORTED
  }

  static IndexState waiting(String reason) {
    return new IndexState(Phase.WAITING, reason, 0);
  }

  static IndexState building(String reason, long rowsDone) {
    return new IndexState(Phase.BUILDING, reason, rowsDone);
  }

  static IndexState ready(String reason, long rowsDone) {
    return new IndexState(Phase.READY, reason, rowsDone);
  }

  static IndexState unsupported(String reason) {
    return new IndexState(Phase.UNSUPPORTED, reason, 0);
  }

  public boolean isReady() {
    return phase == Phase.READY;
  }

  @Override
  public String toString() {
    return phase + ": " + reason;
  }
}
