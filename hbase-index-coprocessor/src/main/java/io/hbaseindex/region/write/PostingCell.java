/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.write;

import io.hbaseindex.core.definition.IndexFamily;
import io.hbaseindex.region.write.plan.PostingPlan;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;

/**
 * The cell of a posting. Cells that others write to the hidden family are told apart by their
 * class: they come over the network or from other coprocessors, and are never of this one.
 */
final class PostingCell extends KeyValue {
  private static final byte[] FAMILY = IndexFamily.bytes();

  PostingCell(PostingPlan.Planned posting, long timestamp) {
    super(posting.key(), FAMILY, HConstants.EMPTY_BYTE_ARRAY, timestamp, posting.value());
  }
}
