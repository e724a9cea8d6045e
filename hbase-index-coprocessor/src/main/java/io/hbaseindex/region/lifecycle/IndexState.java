/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.lifecycle;

import io.hbaseindex.region.context.ReadyIndex;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The state of one index in a region: whether it can answer queries, and if not, why.
 *
 * @param phase what may be done with it
 * @param reason one sentence for a person
 * @param rowsDone rows a build has gone through; before its end with those of before the region was
 *     opened, by estimate, and after it without them
 * @param rowsExpected rows that it has to go through, by estimate; 0 if nobody knows
 * @param certainAfter as {@link ReadyIndex#certainAfter} has it, of an index that is ready
 */
@InterfaceAudience.Private
public record IndexState(
    Phase phase, String reason, long rowsDone, long rowsExpected, long certainAfter) {

  private static final long NOT_READY = Long.MAX_VALUE;

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
    return new IndexState(Phase.WAITING, reason, 0, 0, NOT_READY);
  }

  static IndexState building(String reason, long rowsDone, long rowsExpected) {
    return new IndexState(Phase.BUILDING, reason, rowsDone, rowsExpected, NOT_READY);
  }

  static IndexState ready(String reason, long rowsDone, long certainAfter) {
    return new IndexState(Phase.READY, reason, rowsDone, rowsDone, certainAfter);
  }

  static IndexState unsupported(String reason) {
    return new IndexState(Phase.UNSUPPORTED, reason, 0, 0, NOT_READY);
  }

  public boolean isReady() {
    return phase == Phase.READY;
  }

  @Override
  public String toString() {
    return phase + ": " + reason;
  }
}
