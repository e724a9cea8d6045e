/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan.count;

import io.hbaseindex.core.entry.MalformedPostingException;
import io.hbaseindex.core.entry.PostingCertainty;
import io.hbaseindex.core.entry.PostingState;
import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;

/** What the newest cell of a posting says to whoever counts. */
enum PostingVerdict {
  DEAD,
  /** Counts, until it is written again. */
  CERTAIN,
  /** Counts today, and may not tomorrow. */
  CERTAIN_NOW,
  /** The row is to be asked. */
  ASK;

  boolean counts() {
    return this == CERTAIN || this == CERTAIN_NOW;
  }

  /**
   * @param certainAfter the timestamp above which postings are believed
   * @param now in ms since 1970
   */
  static PostingVerdict of(Cell cell, long certainAfter, long now) throws IOException {
    if (cell.getType() != Cell.Type.Put) {
      throw unreadable(cell, null); // never written: postings end by a put
    }
    byte[] value = cell.getValueArray();
    int offset = cell.getValueOffset();
    int length = cell.getValueLength();
    try {
      if (PostingState.parse(value, offset, length) == PostingState.DEAD) {
        return DEAD;
      }
      long until = PostingCertainty.until(value, offset, length);
      if (cell.getTimestamp() <= certainAfter || until < now) {
        return ASK;
      }
      return until == PostingCertainty.UNTIL_WRITTEN ? CERTAIN : CERTAIN_NOW;
    } catch (MalformedPostingException e) {
      throw unreadable(cell, e);
    }
  }

  private static IOException unreadable(Cell cell, MalformedPostingException why) {
    return new IOException(
        "Cannot count by the index: the posting with key "
            + CellUtil.getCellKeyAsString(cell)
            + " was unreadable; check and repair the index",
        why);
  }
}
