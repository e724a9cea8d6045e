/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.admin.status;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * What the postings of a region, or of a table, take in store files: by what these say of
 * themselves, so without those that were not flushed yet.
 *
 * @param bytes of the files of the hidden family, encoded and compressed as they are
 * @param cells in these files: postings of all indexes, dead ones and such that were written again
 *     included until a compaction drops them
 * @param keyBytes of the keys of these cells, before encoding and compression: indexed values and
 *     keys of rows
 * @param valueBytes of their values, likewise: a few bytes for each posting, and the included
 *     columns
 * @param rows in the files of the other families; a row that is in several files counts for each
 */
@InterfaceAudience.Public
public record PostingSize(long bytes, long cells, long keyBytes, long valueBytes, long rows) {
  static final PostingSize NONE = new PostingSize(0, 0, 0, 0, 0);

  /** Bytes of files for each row; 0 without rows. */
  public double bytesPerRow() {
    return rows == 0 ? 0 : (double) bytes / rows;
  }

  /** The share of {@link #bytesPerRow} that values have: what included columns cost, roughly. */
  public double valueBytesPerRow() {
    long all = keyBytes + valueBytes;
    return all == 0 ? 0 : bytesPerRow() * valueBytes / all;
  }

  PostingSize plus(PostingSize other) {
    return new PostingSize(
        bytes + other.bytes,
        cells + other.cells,
        keyBytes + other.keyBytes,
        valueBytes + other.valueBytes,
        rows + other.rows);
  }
}
