package io.hbaseindex.region;

/**
 * Takes postings that a reader or a compaction believes to be stale. Nobody writes from where such
 * a posting is noticed; a worker looks at it again, under the row's lock, and ends it if it is.
 */
@FunctionalInterface
public interface StalePostings {
  /**
   * Offers a posting; never blocks. When too many wait already it is dropped: the next reader that
   * meets it will offer it again.
   *
   * @param indexRow the posting's row key in the hidden family; the callee keeps it
   */
  void offer(byte[] indexRow);
}
