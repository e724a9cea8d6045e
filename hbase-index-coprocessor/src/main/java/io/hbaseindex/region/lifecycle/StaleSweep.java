/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.lifecycle;

import io.hbaseindex.region.context.PostingPages;
import io.hbaseindex.region.lifecycle.background.PacedTask;
import io.hbaseindex.region.metrics.IndexCounter;
import io.hbaseindex.region.metrics.IndexMetrics;
import java.io.IOException;
import java.util.Optional;

/**
 * Goes over all live postings of a region and ends those whose row no longer holds the value.
 *
 * <p>Lazy indexes and values that expire collect stale postings all the time, of which readers only
 * meet those that are asked for. Eager indexes need a sweep after something went on behind the
 * index's back, and after a major compaction if a posting stands for a value that a delete marker
 * hides: the compaction shows the value or removes it, without a write that could end the posting.
 * Whether there is such a posting is known from the writes and the sweeps since the region opened;
 * until the first sweep it must be assumed.
 */
final class StaleSweep implements PacedTask.Step {

  private static final int PAGE_POSTINGS = 250;

  /** Reads postings of the region, in order. */
  interface PageReader {
    PostingPages.Page from(byte[] first, int limit) throws IOException;
  }

  private final byte[] first;
  private final PageReader pages;
  private final StaleWorker.Verdict verdict;
  private final IndexMetrics metrics;
  private Optional<byte[]> next = Optional.empty();
  private int starts;
  private boolean hidden = true;
  private boolean hiddenSinceStart;

  /**
   * @param first where the postings of the region begin
   */
  StaleSweep(byte[] first, PageReader pages, StaleWorker.Verdict verdict, IndexMetrics metrics) {
    this.first = first;
    this.pages = pages;
    this.verdict = verdict;
    this.metrics = metrics;
  }

  /** A writer, possibly this sweep, has met a posting whose value readers do not see now. */
  synchronized void metHiddenPosting() {
    hidden = true;
    hiddenSinceStart = true;
  }

  /** Whether there may be postings that the next major compaction makes stale. */
  synchronized boolean mayHaveHiddenPostings() {
    return hidden;
  }

  /** Begins at the first posting, wherever a sweep in progress may be. */
  synchronized void start() {
    next = Optional.of(first);
    starts++;
    hiddenSinceStart = false;
  }

  @Override
  public PacedTask.Outcome run() throws IOException {
    Position from = position();
    if (from.next().isEmpty()) {
      return PacedTask.Outcome.done(0);
    }
    PostingPages.Page page = pages.from(from.next().get(), PAGE_POSTINGS);
    if (!page.live().isEmpty()) {
      metrics.add(IndexCounter.STALE_ENDED, verdict.endIfStale(page.live()));
    }
    return new PacedTask.Outcome(page.read(), advanced(from, page.next()));
  }

  private record Position(int start, Optional<byte[]> next) {}

  private synchronized Position position() {
    return new Position(starts, next);
  }

  /**
   * Goes on behind a page, unless the sweep was started anew while it was looked at; returns
   * whether there is nothing more to do.
   */
  private synchronized boolean advanced(Position from, Optional<byte[]> to) {
    if (starts == from.start()) {
      next = to;
      if (next.isEmpty()) {
        hidden = hiddenSinceStart;
      }
    }
    return next.isEmpty();
  }
}
