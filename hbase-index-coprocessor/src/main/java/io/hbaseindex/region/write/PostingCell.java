/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.write;

import io.hbaseindex.core.definition.IndexFamily;
import io.hbaseindex.core.entry.PostingState;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;

/**
 * The cell of a posting. Cells that others write to the hidden family are told apart by their
 * class: they come over the network or from other coprocessors, and are never of this one.
 */
final class PostingCell extends KeyValue {
  private static final byte[] FAMILY = IndexFamily.bytes();
  private static final byte[] LIVE = {PostingState.LIVE.code()};
  private static final byte[] DEAD = {PostingState.DEAD.code()};

  PostingCell(byte[] indexRow, long timestamp, PostingState state) {
    super(
        indexRow,
        FAMILY,
        HConstants.EMPTY_BYTE_ARRAY,
        timestamp,
        state == PostingState.LIVE ? LIVE : DEAD);
  }
}
