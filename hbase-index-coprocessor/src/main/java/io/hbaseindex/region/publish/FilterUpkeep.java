/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.publish;

import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.shard.ShardedRegion;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Builds a region's filter from its live postings whenever the one there is does not cover what is
 * ready, the postings have been compacted, or a new one would be better.
 *
 * <p>An index counts as covered only if it was ready when the scan began and, without a break, when
 * it ended: its readiness is a token that changes whenever it is lost and won again.
 *
 * <p>A region that has just opened begins with the filter that was stored before, if it is of use
 * ({@link FilterKeeper}).
 *
 * <p>How many distinct values a region holds is not known before its first filter is complete; it
 * gets room for as many as there are postings, up to a bound. Where many rows share a value that is
 * far too much, and beyond the bound it may be too little; the filter says so, and is built once
 * more with what it has counted. A filter that was written to while it was built may count postings
 * twice, and is built once more, too. One that asks for a rebuild right after one, as constant
 * writes or frequent values beyond its bound make it do, is given ever longer pauses.
 *
 * <p>All regions of a server share one thread. So a rebuild that has to wait for a write gives it
 * back, and looks again with the next run. One that fails, or that there is no memory for, is tried
 * again after a second, then after two, four and so on up to a minute.
 */
final class FilterUpkeep implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(FilterUpkeep.class);
  private static final long FIRST_PAUSE_NANOS = Duration.ofSeconds(5).toNanos();
  private static final long LONGEST_PAUSE_NANOS = Duration.ofHours(1).toNanos();
  private static final long FIRST_RETRY_NANOS = Duration.ofSeconds(1).toNanos();
  private static final long LAST_RETRY_NANOS = Duration.ofMinutes(1).toNanos();

  /** A first filter of 50 MiB at most: postings may be many, and their values few. */
  private static final long MOST_GUESSED = 1L << 22;

  /** Reads postings; told of each element once per posting. */
  interface PostingScan {
    /** About how many postings there are; a guess only costs memory or lookups. */
    long expected();

    /**
     * Takes note of all that batches have written by the time of the call, whether they succeeded
     * or not. What it returns tells, at any time, whether a scan that begins then sees all of it.
     */
    BooleanSupplier written();

    /** Feeds the elements of all live postings of the given indexes that it sees, page by page. */
    void feed(Iterable<Integer> indexIds, ElementSink sink) throws IOException;

    /** The same for those postings only whose last change is later than a timestamp. */
    void feedAfter(long timestamp, Iterable<Integer> indexIds, ElementSink sink) throws IOException;
  }

  /** Takes elements; false asks the scan to stop. */
  interface ElementSink {
    boolean take(long... elements);
  }

  /** Counts what becomes of rebuilds. */
  interface Tally {
    /** A rebuild is complete. */
    void rebuilt();

    /** A rebuild has to wait for writes that began before it; told once of each. */
    void heldUp();
  }

  private final String name;
  private final ShardedRegion region;
  private final PostingScan postings;
  private final Supplier<Map<IndexCoverage, Object>> ready;
  private final LongSupplier nanoClock;
  private final Tally tally;
  private final FilterKeeper keeper;
  private Map<IndexCoverage, Object> covered = Map.of();
  private long notBefore;
  private long nextPause = FIRST_PAUSE_NANOS;
  private long retryAt;
  private long nextRetry = FIRST_RETRY_NANOS;

  /** Whether readers see all that the rebuild's scan must not miss; null if it is not known yet. */
  private BooleanSupplier visible;

  private boolean heldUp;
  private volatile boolean asked;
  private volatile boolean stopped;

  /**
   * @param ready the indexes that are ready, each with the token of its readiness
   * @param keeper stores the filter, and has the one that was stored before the region opened
   */
  FilterUpkeep(
      String name,
      ShardedRegion region,
      PostingScan postings,
      Supplier<Map<IndexCoverage, Object>> ready,
      LongSupplier nanoClock,
      Tally tally,
      FilterKeeper keeper) {
    this.name = name;
    this.region = region;
    this.postings = postings;
    this.ready = ready;
    this.nanoClock = nanoClock;
    this.tally = tally;
    this.keeper = keeper;
    this.notBefore = nanoClock.getAsLong();
    this.retryAt = notBefore;
  }

  /** No further filter is begun, and the one under way is given up. */
  void stop() {
    stopped = true;
  }

  /** The postings have been compacted: what was counted twice or has gone unnoticed is to go. */
  void rebuildSoon() {
    asked = true;
  }

  @Override
  public void run() {
    try {
      Map<IndexCoverage, Object> now = ready.get();
      if (!stopped && !now.isEmpty() && isDue(now)) {
        rebuild(now);
      }
      if (!stopped) {
        keeper.storeIfDue();
      }
    } catch (IOException | RuntimeException | Error e) {
      // It is tried again later; until then the region is open or has a coarser filter. Also after
      // an error, such as a lack of memory: a task that throws would never run again.
      region.abandonRebuild();
      asked = true;
      long pause = pauseAfterFailure();
      LOG.warn("Cannot build the filter of {}; trying again in {} s", name, pause, e);
    }
  }

  /** Returns for how many seconds nothing is tried. */
  private long pauseAfterFailure() {
    long pause = nextRetry;
    retryAt = nanoClock.getAsLong() + pause;
    nextRetry = Math.min(2 * nextRetry, LAST_RETRY_NANOS);
    return Duration.ofNanos(pause).toSeconds();
  }

  private boolean isDue(Map<IndexCoverage, Object> now) {
    long time = nanoClock.getAsLong();
    if (time - retryAt < 0) {
      return false;
    }
    return !now.equals(covered)
        || asked
        || region.isRebuilding()
        || time - notBefore >= 0 && isImprovable();
  }

  private boolean isImprovable() {
    return region.rebuildPays() || region.isOvercounting();
  }

  private void rebuild(Map<IndexCoverage, Object> wanted) throws IOException {
    if (!region.isRebuilding()) {
      asked = false;
      visible = null;
      heldUp = false;
      if (keeper.hasStored()) {
        region.startLoading();
      } else if (!region.startRebuild(Math.min(postings.expected(), MOST_GUESSED))) {
        asked = true;
        LOG.debug(
            "No memory for a new filter of {}; trying again in {} s", name, pauseAfterFailure());
        return;
      }
    }
    if (!mayScan()) {
      return; // the next run looks again
    }
    if (region.isLoading()) {
      load(wanted);
      return;
    }
    List<Integer> ids = ids(wanted);
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
    boolean knewCount = wanted.equals(covered);
    region.completeRebuild(List.copyOf(wanted.keySet()));
    covered = wanted;
    nextRetry = FIRST_RETRY_NANOS;
    tally.rebuilt();
    pauseIfInVain(knewCount);
  }

  /**
   * Whether all writes that began before the rebuild have ended, and what they wrote is visible.
   */
  private boolean mayScan() {
    if (region.rebuildMayScan()) {
      if (visible == null) {
        visible = postings.written();
      }
      if (visible.getAsBoolean()) {
        return true;
      }
    }
    if (!heldUp) {
      heldUp = true;
      tally.heldUp();
    }
    return false;
  }

  private static List<Integer> ids(Map<IndexCoverage, Object> wanted) {
    return wanted.keySet().stream().map(index -> (int) index.index()).toList();
  }

  /**
   * Reads the filter that was stored before the region opened. What it may count too often, or does
   * not forget, goes with the rebuild after the next major compaction.
   */
  private void load(Map<IndexCoverage, Object> wanted) throws IOException {
    FilterKeeper.Outcome outcome =
        keeper.load(
            List.copyOf(wanted.keySet()),
            (timestamp, sink) -> postings.feedAfter(timestamp, ids(wanted), sink),
            () -> !stopped && wanted.equals(ready.get()));
    switch (outcome) {
      case LOADED -> {
        covered = wanted;
        nextRetry = FIRST_RETRY_NANOS;
      }
      case NO_MEMORY -> {
        asked = true;
        LOG.debug(
            "No memory for the stored filter of {}; trying again in {} s",
            name,
            pauseAfterFailure());
      }
      case UNUSABLE -> {
        asked = true;
        if (!stopped) {
          rebuild(wanted);
        }
      }
    }
  }

  private void pauseIfInVain(boolean knewCount) {
    if (knewCount && isImprovable()) {
      notBefore = nanoClock.getAsLong() + nextPause;
      nextPause = Math.min(2 * nextPause, LONGEST_PAUSE_NANOS);
    } else {
      nextPause = FIRST_PAUSE_NANOS;
    }
  }
}
