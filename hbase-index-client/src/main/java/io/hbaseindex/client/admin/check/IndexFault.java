/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.admin.check;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * Something wrong between a row and an index.
 *
 * @param kind what is wrong
 * @param indexId the index
 * @param row the data row
 * @param indexRow key of the posting that is missing or dangling
 */
@InterfaceAudience.Public
public record IndexFault(Kind kind, int indexId, byte[] row, byte[] indexRow) {

  /** What can be wrong. */
  public enum Kind {
    /** A row shows a value that has no live posting: queries miss the row. */
    MISSING,
    /** A live posting names a row that does not show the value: queries read the row in vain. */
    DANGLING,
    /**
     * A live posting says that its row shows the value for certain, which is not so: counts may be
     * wrong.
     */
    OVERSTATED
  }
}
