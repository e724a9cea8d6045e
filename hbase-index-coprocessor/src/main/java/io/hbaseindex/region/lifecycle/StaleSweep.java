package io.hbaseindex.region.lifecycle;

import io.hbaseindex.region.metrics.IndexCounter;
import io.hbaseindex.region.metrics.IndexMetrics;
import java.io.IOException;
import java.util.Optional;

/**
 * Goes over all live postings of a region and ends those whose row no longer holds the value.
 *
 * <p>Eager indexes need this only after something went on behind the index's back; lazy ones, and
 * values that expire, collect stale postings all the time, of which readers only meet those that
 * are asked for.
 */
final class StaleSweep implements PacedTask.Step {

  private static final int PAGE_POSTINGS = 250;

  private final PostingPages pages;
  private final StaleWorker.Verdict verdict;
  private final IndexMetrics metrics;
  private Optional<byte[]> next = Optional.empty();

  StaleSweep(PostingPages pages, StaleWorker.Verdict verdict, IndexMetrics metrics) {
    this.pages = pages;
    this.verdict = verdict;
    this.metrics = metrics;
  }

  /** Begins at the first posting, wherever a sweep in progress may be. */
  synchronized void start() {
    next = Optional.of(pages.first());
  }

  @Override
  public synchronized PacedTask.Outcome run() throws IOException {
    if (next.isEmpty()) {
      return PacedTask.Outcome.done(0);
    }
    PostingPages.Page page = pages.from(next.get(), PAGE_POSTINGS);
    if (!page.live().isEmpty()) {
      metrics.add(IndexCounter.STALE_ENDED, verdict.endIfStale(page.live()));
    }
    next = page.next();
    return new PacedTask.Outcome(page.read(), next.isEmpty());
  }
}
