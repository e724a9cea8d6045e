/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.admin.status;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * How one index of one region is doing.
 *
 * @param name the index
 * @param id its id
 * @param phase whether scans use it
 * @param reason one sentence that says why
 * @param rowsDone rows that a build has gone through; before its end with those of before the
 *     region was opened, by estimate, and after it without them
 * @param rowsExpected rows that it has to go through, by estimate; 0 if nobody knows
 */
@InterfaceAudience.Public
public record IndexStatus(
    String name, int id, Phase phase, String reason, long rowsDone, long rowsExpected) {

  /** Whether scans use an index. */
  public enum Phase {
    /** It is to be built and waits for its turn, or to be tried again. */
    WAITING,
    /** It is being built; scans run plainly. */
    BUILDING,
    /** Scans use it. */
    READY,
    /** It can never be built in this region; scans run plainly. */
    UNSUPPORTED
  }

  /** Whether waiting for it makes no sense: it is ready or never will be. */
  public boolean isSettled() {
    return phase == Phase.READY || phase == Phase.UNSUPPORTED;
  }
}
