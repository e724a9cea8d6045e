/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.context;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * Takes notice of postings that are stale or may become so without a write. Nobody writes from
 * where this is noticed; a worker looks again, under the row's lock, and ends what is stale.
 */
@InterfaceAudience.Private
public interface StalePostings {
  /**
   * Offers a posting that a reader believes to be stale; never blocks. When too many wait already
   * it is dropped: the next reader that meets it will offer it again.
   *
   * @param indexRow the posting's row key in the hidden family; the callee keeps it
   */
  void offer(byte[] indexRow);

  /**
   * Says that a posting was written for a value that readers do not see, and that the next major
   * compaction brings into view or removes for good (rule P3).
   */
  void expectAfterCompaction();
}
