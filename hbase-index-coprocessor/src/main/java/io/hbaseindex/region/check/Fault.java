/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.check;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * Something wrong between a row and an index.
 *
 * @param kind what is wrong
 * @param indexId of which index
 * @param row the data row
 * @param indexRow the posting that is missing or dangling
 */
@InterfaceAudience.Private
public record Fault(Kind kind, int indexId, byte[] row, byte[] indexRow) {

  /** What can be wrong. */
  public enum Kind {
    /** A row shows a value that has no live posting: queries miss the row. */
    MISSING,
    /** A live posting names a row that does not show the value: queries read the row in vain. */
    DANGLING,
    /**
     * As {@link #DANGLING}, in an index that may have such postings: a lazy one, or one on a family
     * with a TTL. HBase has dropped the value by itself; a sweep ends the posting.
     */
    STALE,
    /**
     * A live posting says that its row shows the value for certain, or certain cells, and the row
     * does not, or may cease to without a write: counts and covered scans may be wrong.
     */
    OVERSTATED
  }
}
