package io.hbaseindex.region.scan;

import io.hbaseindex.core.entry.KeyRange;
import java.io.IOException;
import java.util.Arrays;

/**
 * Reads key ranges of one index, given in ascending order, and sorts their live postings by row. It
 * gives up when the ranges hold more postings, dead ones and those of other rows included, than a
 * scan may read before its first row.
 */
final class PostingCollector {
  private final PostingCursor reader;
  private final RowBounds bounds;
  private final ScanLimits limits;
  private final SortedPostings.Collector collected;
  private int read;
  private boolean onPosting;
  private boolean exhausted;

  PostingCollector(PostingCursor reader, RowBounds bounds, ScanLimits limits) {
    this.reader = reader;
    this.bounds = bounds;
    this.limits = limits;
    this.collected =
        new SortedPostings.Collector(limits.maxSortedPostings(), limits.maxSortedBytes());
  }

  /** Adds the postings of a range that begins at or after all ranges before. */
  void collect(KeyRange range) throws IOException, TooManyCandidatesException {
    byte[] start = range.start();
    if (onPosting && Arrays.compareUnsigned(reader.key(), start) < 0) {
      reader.reseek(start);
      onPosting = false;
    }
    while (!exhausted) {
      if (!onPosting && !advance()) {
        return;
      }
      if (!range.contains(reader.key())) {
        return;
      }
      if (reader.isLive() && isInBounds()) {
        take();
      }
      onPosting = false;
    }
  }

  private boolean advance() throws IOException, TooManyCandidatesException {
    if (!reader.next()) {
      exhausted = true;
      return false;
    }
    onPosting = true;
    if (++read > limits.maxSortedPostings()) {
      throw tooMany();
    }
    return true;
  }

  private boolean isInBounds() {
    return reader.compareRow(bounds.first()) >= 0
        && (!bounds.hasEnd() || reader.compareRow(bounds.end()) < 0);
  }

  private void take() throws TooManyCandidatesException {
    if (!collected.add(reader.key(), reader.rowOffset())) {
      throw tooMany();
    }
  }

  private TooManyCandidatesException tooMany() {
    return new TooManyCandidatesException(
        "Cannot use the index: the range held more than "
            + limits.maxSortedPostings()
            + " postings or "
            + limits.maxSortedBytes()
            + " bytes of them; narrow it, or raise the limit");
  }

  SortedPostings sorted() {
    return collected.sorted();
  }
}
