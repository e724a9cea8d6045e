/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan.candidates;

import io.hbaseindex.core.definition.IndexSettings;
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
  private final SortBudget budget;
  private final SortedPostings.Collector collected;
  private boolean onPosting;
  private boolean exhausted;

  PostingCollector(PostingCursor reader, RowBounds bounds, SortBudget budget) {
    this.reader = reader;
    this.bounds = bounds;
    this.budget = budget;
    this.collected = new SortedPostings.Collector(budget);
    reader.readsOn();
  }

  /** Adds the postings of a range that begins at or after all ranges before. */
  void collect(KeyRange range) throws IOException, TooManyCandidatesException {
    byte[] start = range.start();
    spendRead();
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
    spendRead();
    return true;
  }

  private void spendRead() throws TooManyCandidatesException {
    if (!budget.read()) {
      throw new TooManyCandidatesException(
          "Cannot use the index: its ranges held more postings than a scan may read first; narrow"
              + " them, or raise "
              + IndexSettings.SCAN_MAX_SORTED_BYTES);
    }
  }

  private boolean isInBounds() {
    return reader.compareRow(bounds.first()) >= 0
        && (!bounds.hasEnd() || reader.compareRow(bounds.end()) < 0);
  }

  private void take() throws TooManyCandidatesException {
    if (!collected.add(reader.key(), reader.rowOffset(), reader.isCertain(), reader.value())) {
      throw new TooManyCandidatesException(
          "Cannot use the index: the postings of its ranges took more memory than a scan may use;"
              + " narrow them, or raise "
              + IndexSettings.SCAN_MAX_SORTED_BYTES);
    }
  }

  SortedPostings sorted() {
    return collected.sorted();
  }
}
