/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.publish;

import io.hbaseindex.core.filter.FilterGeometry;
import io.hbaseindex.core.filter.ScalableSplitCountingBloomFilter;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.RegionBounds;
import io.hbaseindex.core.shard.ShardedRegion;
import io.hbaseindex.region.upkeep.FilterRoom;
import io.hbaseindex.region.upkeep.Pace;
import io.hbaseindex.region.upkeep.RoomSeat;
import io.hbaseindex.region.upkeep.UpkeepTask;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
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
 * <p>How many distinct values a region holds is not known before its first filter is complete; a
 * sample of its postings tells how many of them share a value. Where the sample errs, or where
 * there are more values than the bound of the first filter, the filter is too large or too small;
 * it says so, and is built once more with what it has counted. A filter that was written to while
 * it was built may count postings twice, and is built once more, too. One that asks for a rebuild
 * right after one, as constant writes or frequent values beyond its bound make it do, is given ever
 * longer pauses.
 *
 * <p>All regions of a server share a few threads. So a rebuild that has to wait for a write gives
 * its thread back, and looks again with the next run; and it rests after each page of postings. One
 * that fails, or that there is no memory for, is tried again after a second, then after two, four
 * and so on up to a minute.
 */
final class FilterUpkeep implements UpkeepTask {
  private static final Logger LOG = LoggerFactory.getLogger(FilterUpkeep.class);

  /** So many elements are inserted at once. */
  private static final int STEP = 1_000;

  private static final long FIRST_PAUSE_NANOS = Duration.ofSeconds(5).toNanos();
  private static final long LONGEST_PAUSE_NANOS = Duration.ofHours(1).toNanos();
  private static final long FIRST_RETRY_NANOS = Duration.ofSeconds(1).toNanos();
  private static final long LAST_RETRY_NANOS = Duration.ofMinutes(1).toNanos();

  /** A first filter of 50 MiB at most: postings may be many, and their values few. */
  private static final long MOST_GUESSED = 1L << 22;

  /** Reads postings; tells every element of each of them. */
  interface PostingScan {
    /** About how many postings there are. */
    long expected();

    /**
     * About how many distinct elements there are for each posting of the given indexes: fewer than
     * one where many rows share a value, more where an index has several sets of columns. A wrong
     * guess only costs memory or lookups.
     */
    double elementsPerPosting(Iterable<Integer> indexIds) throws IOException;

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

  /** What a region's filter is wanted for. */
  interface Demand {
    /** Takes the filter to where it is to be kept, if that is elsewhere by now. */
    void follow();

    /** The sets of columns of the indexes that are ready, each with the token of its readiness. */
    Map<IndexCoverage, Object> ready();

    /** How often the region has been asked for values. */
    long asked();

    /** How many of those scans have found nothing: a filter would have kept them away. */
    long askedInVain();

    /** What its filter is to be like. */
    FilterGeometry geometry();
  }

  /** Takes all elements of so many postings, and their bounds; false asks the scan to stop. */
  interface ElementSink {
    boolean take(int postings, RegionBounds bounds, long... elements);
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
  private final Demand demand;
  private final LongSupplier nanoClock;
  private final Tally tally;
  private final FilterKeeper keeper;
  private final Pace.Sleeper sleeper;
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

  private final RoomSeat seat;

  /** Postings that the rebuild under way has gone through, and about how many there are. */
  private volatile long scanned;

  private volatile long toScan;

  /**
   * @param keeper stores the filter, and has the one that was stored before the region opened
   */
  FilterUpkeep(
      String name,
      ShardedRegion region,
      PostingScan postings,
      Demand demand,
      LongSupplier nanoClock,
      Tally tally,
      FilterKeeper keeper,
      Pace.Sleeper sleeper) {
    this.name = name;
    this.region = region;
    this.postings = postings;
    this.demand = demand;
    this.nanoClock = nanoClock;
    this.tally = tally;
    this.keeper = keeper;
    this.sleeper = sleeper;
    this.notBefore = nanoClock.getAsLong();
    this.retryAt = notBefore;
    this.seat =
        new RoomSeat(
            name,
            () -> region.isRebuilding() ? 0 : region.filterBytes(),
            notBefore,
            demand.askedInVain());
  }

  /** No further filter is begun, and the one under way is given up. */
  void stop() {
    stopped = true;
  }

  /** The postings have been compacted: what was counted twice or has gone unnoticed is to go. */
  void rebuildSoon() {
    asked = true;
  }

  /** How many hundredths of the postings a rebuild has gone through; empty if none is under way. */
  OptionalInt progress() {
    long all = toScan;
    return all == 0
        ? OptionalInt.empty()
        : OptionalInt.of((int) (100 * Math.min(scanned, all) / all));
  }

  @Override
  public long asked() {
    return demand.asked();
  }

  @Override
  public Need look() {
    Map<IndexCoverage, Object> now = demand.ready();
    if (stopped || region.isSuspended()) {
      return Need.NOTHING;
    }
    demand.follow();
    region.aimAt(demand.geometry());
    seat.look(nanoClock.getAsLong(), region.filterBytes() == 0, demand.askedInVain());
    if (seat.mustLeave()) {
      return Need.FILE;
    }
    if (now.isEmpty() || !isDue(now)) {
      return keeper.isDue() ? Need.FILE : Need.NOTHING;
    }
    if (keeper.hasStored()) {
      return Need.FILE;
    }
    return region.filterBytes() == 0 ? Need.FIRST_FILTER : Need.BETTER_FILTER;
  }

  @Override
  public void run() {
    try {
      Map<IndexCoverage, Object> now = demand.ready();
      if (seat.mustLeave()) {
        leaveNow();
      }
      if (!stopped && !region.isSuspended() && !now.isEmpty() && isDue(now)) {
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

  /** The region's place among those that share the memory for filters. */
  FilterRoom.Tenant seat() {
    return seat;
  }

  private void leaveNow() {
    long bytes = region.filterBytes();
    region.leaveRoom();
    seat.left(bytes);
    keeper.cutAnew(); // what is stored fits as well as it did
    covered = Map.of();
    nextRetry = LAST_RETRY_NANOS;
    pauseAfterFailure();
  }

  /** There is a filter, so nothing is lacking. */
  private void done(Map<IndexCoverage, Object> wanted) {
    covered = wanted;
    nextRetry = FIRST_RETRY_NANOS;
    seat.settled();
  }

  /** There was no memory for a filter; it may get some if it is of more use than others. */
  private void lacking(String what) throws IOException {
    asked = true;
    if (region.filterBytes() == 0) {
      long each = guessedValues(ids(demand.ready())) / region.shards();
      seat.lacks(
          region.shards() * ScalableSplitCountingBloomFilter.bytesFor(demand.geometry(), each));
    }
    LOG.debug("No memory for {} of {}; trying again in {} s", what, name, pauseAfterFailure());
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
    if (time - retryAt < 0 && !seat.mayEnter(time)) {
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
      } else if (!region.startRebuild(guessedValues(ids(wanted)))) {
        lacking("a new filter");
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
    RegionBounds bounds;
    try {
      bounds = scan(ids(wanted));
    } finally {
      toScan = 0;
    }
    if (stopped || !wanted.equals(demand.ready())) {
      region.abandonRebuild();
      return;
    }
    boolean knewCount = wanted.equals(covered);
    region.completeRebuild(List.copyOf(wanted.keySet()), bounds);
    done(wanted);
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

  private long guessedValues(List<Integer> ids) throws IOException {
    long values = (long) Math.ceil(postings.expected() * postings.elementsPerPosting(ids));
    return Math.min(values, MOST_GUESSED);
  }

  /** Returns the bounds of what it has read. */
  private RegionBounds scan(List<Integer> ids) throws IOException {
    RegionBounds[] all = {RegionBounds.NOTHING};
    scanned = 0;
    toScan = Math.max(1, postings.expected());
    Pace pace = new Pace(nanoClock, sleeper);
    postings.feed(
        ids,
        (read, bounds, elements) -> {
          all[0] = all[0].with(bounds, RegionBounds.MOST_BYTES);
          // In steps: writes of the region wait for each of them.
          for (int from = 0; from < elements.length; from += STEP) {
            region.scanned(
                Arrays.copyOfRange(elements, from, Math.min(elements.length, from + STEP)));
          }
          scanned += read;
          pace.rest();
          return !stopped;
        });
    return all[0];
  }

  private static List<Integer> ids(Map<IndexCoverage, Object> wanted) {
    return wanted.keySet().stream().map(IndexCoverage::indexId).distinct().toList();
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
            () -> !stopped && wanted.equals(demand.ready()));
    switch (outcome) {
      case LOADED -> done(wanted);
      case NO_MEMORY -> lacking("the stored filter");
      case UNUSABLE -> asked = true; // it is built when its turn comes
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
