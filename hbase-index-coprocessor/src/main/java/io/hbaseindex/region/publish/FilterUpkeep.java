package io.hbaseindex.region.publish;

import io.hbaseindex.core.publish.IndexCoverage;
import io.hbaseindex.core.publish.PublishedRegion;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Builds a region's filter from its live postings whenever the one there is does not cover what is
 * ready, or a new one would be better.
 *
 * <p>An index counts as covered only if it was ready when the scan began and, without a break, when
 * it ended: its readiness is a token that changes whenever it is lost and won again.
 */
final class FilterUpkeep implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(FilterUpkeep.class);

  /** Reads postings; told of each element once per posting. */
  interface PostingScan {
    /** About how many postings there are; a guess only costs memory or lookups. */
    long expected();

    /** Feeds the elements of all live postings of the given indexes, page by page. */
    void feed(Iterable<Integer> indexIds, ElementSink sink) throws IOException;
  }

  /** Takes elements; false asks the scan to stop. */
  interface ElementSink {
    boolean take(long... elements);
  }

  private final String name;
  private final PublishedRegion region;
  private final PostingScan postings;
  private final Supplier<Map<IndexCoverage, Object>> ready;
  private final Runnable rebuilt;
  private Map<IndexCoverage, Object> covered = Map.of();
  private volatile boolean stopped;

  /**
   * @param ready the indexes that are ready, each with the token of its readiness
   * @param rebuilt is told of each completed rebuild
   */
  FilterUpkeep(
      String name,
      PublishedRegion region,
      PostingScan postings,
      Supplier<Map<IndexCoverage, Object>> ready,
      Runnable rebuilt) {
    this.name = name;
    this.region = region;
    this.postings = postings;
    this.ready = ready;
    this.rebuilt = rebuilt;
  }

  /** No further filter is begun, and the one under way is given up. */
  void stop() {
    stopped = true;
  }

  @Override
  public void run() {
    try {
      Map<IndexCoverage, Object> now = ready.get();
      if (!stopped && !now.isEmpty() && (!now.equals(covered) || region.rebuildPays())) {
        rebuild(now);
      }
    } catch (IOException | RuntimeException e) {
      // It is tried again soon; until then the region is open or has a coarser filter.
      region.abandonRebuild();
      LOG.warn("Cannot build the filter of {}; trying again", name, e);
    }
  }

  private void rebuild(Map<IndexCoverage, Object> wanted) throws IOException {
    if (!region.isRebuilding()) {
      region.startRebuild(postings.expected());
    }
    if (!region.rebuildMayScan()) {
      return; // writes that began before are still under way; the next run looks again
    }
    List<Integer> ids = wanted.keySet().stream().map(index -> (int) index.index()).toList();
    postings.feed(
        ids,
        elements -> {
          region.scanned(elements);
          return !stopped;
        });
    if (stopped || !wanted.equals(ready.get())) {
      region.abandonRebuild();
      return;
    }
    region.completeRebuild(List.copyOf(wanted.keySet()));
    covered = wanted;
    rebuilt.run();
  }
}
