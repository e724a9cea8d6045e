/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.admin.status;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * Is told how far a long piece of work has come. Called by the thread that does the work, often and
 * also when nothing has changed; it should return quickly and not throw.
 */
@FunctionalInterface
@InterfaceAudience.Public
public interface Progress {

  /** Nobody is interested. */
  Progress NONE = step -> {};

  /** Work has come this far. */
  void reached(Step step);

  /**
   * How far a piece of work has come.
   *
   * @param work what is being done
   * @param regionsDone regions that need no more of it
   * @param regions regions in all; may change while regions split and merge
   * @param entries rows and postings gone through so far
   * @param expected how many that will be in the end, by estimate; 0 if nobody knows
   */
  record Step(Work work, int regionsDone, int regions, long entries, long expected) {
    /** Work of which nobody knows how much it is, but for the regions. */
    public Step(Work work, int regionsDone, int regions, long entries) {
      this(work, regionsDone, regions, entries, 0);
    }
  }

  /** What can take long. */
  enum Work {
    /** The table gets its new descriptor, region by region. */
    ALTER,
    /** Regions go through their rows and write postings. */
    BUILD,
    /** Rows and postings are compared. */
    VERIFY,
    /** Rows and postings are compared and made to agree. */
    REPAIR,
    /** Regions are told to build anew. */
    REBUILD
  }
}
