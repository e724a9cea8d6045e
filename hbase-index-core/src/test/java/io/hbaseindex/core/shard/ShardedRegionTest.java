/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.entry.IndexRowKeys;
import io.hbaseindex.core.filter.FilterGeometry;
import io.hbaseindex.core.matrix.MatrixBudget;
import io.hbaseindex.core.predicate.ValueRange;
import io.hbaseindex.core.publish.FilterLoading;
import io.hbaseindex.core.publish.FilterStoring;
import io.hbaseindex.core.publish.PublishLimits;
import io.hbaseindex.core.publish.PublishedRegion;
import io.hbaseindex.core.publish.ServerPublisher;
import io.hbaseindex.core.push.LeaseTerms;
import io.hbaseindex.core.push.RegionIncarnation;
import io.hbaseindex.core.push.RegionNumbers;
import io.hbaseindex.core.registry.FilterRegistry;
import io.hbaseindex.core.registry.RegistryLimits;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.core.route.RegionBounds;
import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.core.route.RoutePredicate;
import io.hbaseindex.core.route.RowRange;
import io.hbaseindex.core.time.MachineClock;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** One region, with a registry at each of its holders, on one clock. */
class ShardedRegionTest {
  private static final LeaseTerms TERMS = LeaseTerms.standard();
  private static final String REGION = "r";
  private static final IndexCoverage INDEX = new IndexCoverage(1, 1, 1, 0);
  private static final HolderLayout TWO = HolderLayout.MASTER.next(2, 2, Map.of());
  private static final long[] NOTHING = {};

  private long now;
  private long epoch;
  private final MachineClock clock = MachineClock.of(() -> now, () -> now / 1_000_000);
  private final RegionNumbers numbers = new RegionNumbers(0);
  private final Map<Integer, ServerPublisher> publishers = new TreeMap<>();
  private final Map<Integer, FilterRegistry> registries = new TreeMap<>();
  private final Set<Integer> hanging = new HashSet<>();

  private ShardedRegion open(HolderLayout layout) {
    long opened = now;
    return new ShardedRegion(
        REGION,
        layout.places("t"),
        place -> {
          ServerPublisher publisher =
              publishers.computeIfAbsent(
                  place.holder(),
                  holder ->
                      new ServerPublisher("s", numbers, clock, TERMS, PublishLimits.standard()));
          RowRange all = new RowRange(new byte[0], new byte[0]);
          PublishedRegion part =
              publisher.open(
                  new RegionIncarnation(place.name(), REGION, 1, ++epoch, all),
                  FilterGeometry.standard(),
                  opened);
          part.stampBy(() -> 0);
          return new ShardedRegion.Part(publisher, part);
        });
  }

  /** Lets time pass; pushes are answered at once, unless their holder hangs. */
  private void pass(long nanos) {
    long step = TERMS.pushTimeoutNanos() / 4;
    for (long end = now + nanos; now < end; now += step) {
      for (int round = 0; round < 8; round++) {
        publishers.forEach(
            (holder, publisher) -> {
              FilterRegistry registry = registryOf(holder);
              publisher
                  .poll()
                  .filter(push -> !hanging.contains(holder))
                  .ifPresent(push -> publisher.onReply(registry.apply(push)));
            });
      }
    }
  }

  private FilterRegistry registryOf(int holder) {
    return registries.computeIfAbsent(
        holder,
        number ->
            FilterRegistry.ofHolder(
                number,
                clock,
                TERMS,
                RegistryLimits.ofBytes(1 << 24),
                new MatrixBudget(1 << 24),
                server -> true,
                at -> true));
  }

  private static void build(ShardedRegion region, long... postings) {
    assertThat(region.startRebuild(100)).isTrue();
    assertThat(region.rebuildMayScan()).isTrue();
    region.scanned(postings);
    region.completeRebuild(List.of(INDEX));
  }

  private RouteAnswer route(HolderLayout layout, long element) {
    ShardPlace place = layout.places("t").get(shardOf(element));
    return registryOf(place.holder())
        .route(place.name(), new RoutePredicate.Element(INDEX, element));
  }

  private static int shardOf(long element) {
    return Shards.of(element, 2);
  }

  /** Some element of a shard. */
  private static long elementOf(int shard, long after) {
    return LongStream.iterate(after + 1, at -> at + 1)
        .filter(element -> shardOf(element) == shard)
        .findFirst()
        .orElseThrow();
  }

  private ShardedRegion precise() {
    ShardedRegion region = open(TWO);
    build(region, elementOf(0, 0), elementOf(1, 0));
    pass(4 * TERMS.leaseNanos());
    assertThat(region.status().precise()).isTrue();
    return region;
  }

  @Test
  void holderHangs_opensItsShareOnly_andHoldsUpItsOwnWritesOnly() {
    ShardedRegion region = precise();
    long mine = elementOf(0, 1_000);
    long other = elementOf(1, 1_000);
    int first = TWO.places("t").get(0).holder();
    hanging.add(first);

    ShardedBatch toOther = region.begin(new long[] {other}, NOTHING, NOTHING);
    ShardedBatch toHanging = region.begin(new long[] {mine}, NOTHING, NOTHING);
    pass(TERMS.pushTimeoutNanos() / 2);
    assertThat(toOther.isSettled()).isTrue();
    assertThat(toHanging.isSettled()).isFalse();
    pass(TERMS.longestWaitNanos());
    assertThat(toHanging.isSettled()).as("nobody waits for longer than the lease").isTrue();

    assertThat(route(TWO, other).positive()).isOne();
    assertThat(route(TWO, elementOf(1, 5_000)).excluded()).isOne();
    assertThat(route(TWO, elementOf(0, 5_000)).excluded()).isZero();
    toOther.end();
    toHanging.end();
  }

  @Test
  void keptValue_isWaitedFor_whereItsShardIs() {
    ShardedRegion region = precise();
    long value = elementOf(0, 1_000);
    hanging.add(TWO.places("t").get(0).holder());
    region.begin(new long[] {value}, NOTHING, NOTHING);
    assertThat(region.begin(NOTHING, new long[] {value}, NOTHING).isSettled()).isFalse();
    assertThat(region.begin(NOTHING, new long[] {elementOf(1, 0)}, NOTHING).isSettled()).isTrue();
  }

  private static RegionBounds bounds(int value) {
    return RegionBounds.ofValues(
        Map.of(1, List.of(IndexRowKeys.encoded(new byte[] {(byte) value}))));
  }

  private RouteAnswer routeToBounds(int value) {
    ShardPlace place = TWO.places("t").get(Shards.ofBounds(REGION, 2));
    return registryOf(place.holder()).route(place.name(), range(value));
  }

  private static RoutePredicate range(int value) {
    return new RoutePredicate.Range(INDEX, ValueRange.equalTo(new byte[] {(byte) value}));
  }

  private ShardedRegion preciseWithBounds() {
    ShardedRegion region = open(TWO);
    region.startRebuild(100);
    region.scanned(elementOf(0, 0), elementOf(1, 0));
    region.completeRebuild(List.of(INDEX), bounds(5).union(bounds(9)));
    pass(4 * TERMS.leaseNanos());
    assertThat(region.status().precise()).isTrue();
    return region;
  }

  @Test
  void e4_bounds_areOfTheirShardAlone_andExcludeWhatTheyDoNotMeet() {
    preciseWithBounds();

    assertThat(routeToBounds(9).positive()).isOne();
    assertThat(routeToBounds(7).excluded()).as("between two values").isOne();
    assertThat(routeToBounds(4).excluded()).isOne();
    assertThat(routeToBounds(10).excluded()).isOne();
    ShardPlace other = TWO.places("t").get(1 - Shards.ofBounds(REGION, 2));
    RoutePredicate range =
        new RoutePredicate.Range(INDEX, ValueRange.equalTo(new byte[] {(byte) 10}));
    assertThat(registryOf(other.holder()).route(other.name(), range).excluded()).isZero();
  }

  @Test
  void e4_writeThatWidensBounds_waitsForTheShardThatHasThem_andSoDoesTheNextOfTheValue() {
    ShardedRegion region = preciseWithBounds();
    int bounding = Shards.ofBounds(REGION, 2);
    long element = elementOf(1 - bounding, 1_000);
    long[] value = {element};
    hanging.add(TWO.places("t").get(bounding).holder());

    ShardedBatch inside = region.begin(value, NOTHING, NOTHING, bounds(5), false);
    pass(TERMS.pushTimeoutNanos() / 2);
    assertThat(inside.isSettled()).as("bounds are as they were").isTrue();
    ShardedBatch wider = region.begin(value, NOTHING, NOTHING, bounds(12), false);
    ShardedBatch kept = region.begin(NOTHING, value, NOTHING, bounds(12), false);
    pass(TERMS.pushTimeoutNanos() / 2);
    assertThat(wider.isSettled()).isFalse();
    assertThat(kept.isSettled()).as("whoever widened them still waits").isFalse();
    assertThat(routeToBounds(12).excluded()).isOne();

    hanging.clear();
    pass(TERMS.pushTimeoutNanos() * 2);
    assertThat(wider.isSettled()).isTrue();
    assertThat(kept.isSettled()).isTrue();
    assertThat(routeToBounds(12).positive()).isOne();
    assertThat(routeToBounds(13).excluded()).isOne();
    List.of(inside, wider, kept).forEach(ShardedBatch::end);
  }

  @Test
  void e4_bounds_becomeNarrowerWithTheNextFilterOnly() {
    ShardedRegion region = preciseWithBounds();
    long element = elementOf(0, 1_000);
    ShardedBatch start = region.begin(new long[] {element}, NOTHING, NOTHING, bounds(12), false);
    start.end();
    ShardedBatch end = region.begin(NOTHING, NOTHING, new long[] {element});
    end.delete(1, element);
    end.end();
    pass(TERMS.leaseNanos());
    assertThat(routeToBounds(12).positive()).isOne();

    region.startRebuild(100);
    region.scanned(elementOf(0, 0), elementOf(1, 0));
    ShardedBatch meanwhile =
        region.begin(new long[] {element}, NOTHING, NOTHING, bounds(11), false);
    meanwhile.end();
    region.completeRebuild(List.of(INDEX), bounds(5).union(bounds(9)));
    pass(4 * TERMS.leaseNanos());
    assertThat(routeToBounds(12).excluded()).isOne();
    assertThat(routeToBounds(11).positive()).as("written while it was built").isOne();
  }

  /** What earlier incarnations may be trusted for is nobody's shard in particular. */
  @Test
  void openingRegion_batchForEverywhere_andOneThatChangesNothing_waitForAllShards() {
    precise();
    TWO.places("t").forEach(place -> hanging.add(place.holder()));
    ShardedRegion reopened = open(TWO);

    ShardedBatch everywhere = reopened.begin(NOTHING, NOTHING, NOTHING, RegionBounds.NOTHING, true);
    BooleanSupplier passing = reopened.passing();
    assertThat(everywhere.isSettled()).isFalse();
    assertThat(passing.getAsBoolean()).isFalse();
    assertThat(reopened.begin(NOTHING, NOTHING, NOTHING).isSettled()).isTrue();
    assertThat(reopened.isOpenEverywhere()).isFalse();
    assertThat(route(TWO, elementOf(0, 5_000)).excluded()).as("still trusted").isOne();

    pass(TERMS.openingNanos() + TERMS.marginNanos());
    assertThat(everywhere.isSettled()).isTrue();
    assertThat(passing.getAsBoolean()).isTrue();
    assertThat(route(TWO, elementOf(0, 5_000)).excluded()).isZero();
  }

  @Test
  void batchThatChangesNothing_afterAMove_waitsForTheFormerHolders() {
    ShardedRegion region = precise();
    TWO.places("t").forEach(place -> hanging.add(place.holder()));
    region.moveTo(HolderLayout.MASTER.places("t"));

    BooleanSupplier passing = region.passing();
    pass(TERMS.patienceNanos());
    assertThat(passing.getAsBoolean()).isFalse();
    assertThat(region.isOpenEverywhere()).isFalse();
    pass(TERMS.longestWaitNanos());
    assertThat(passing.getAsBoolean()).isTrue();
    assertThat(region.isOpenEverywhere()).isTrue();
  }

  @Test
  void suspend_opensAllShards_andRefusesRebuildsUntilTheLastResume() {
    ShardedRegion region = precise();
    assertThat(region.isSuspended()).isFalse();
    region.suspend();
    region.suspend();
    pass(TERMS.longestWaitNanos());
    assertThat(region.isOpenEverywhere()).isTrue();
    assertThat(route(TWO, elementOf(0, 5_000)).excluded()).isZero();
    assertThat(route(TWO, elementOf(1, 5_000)).excluded()).isZero();

    region.resume();
    assertThat(region.isSuspended()).isTrue();
    region.resume();
    assertThat(region.isSuspended()).isFalse();
  }

  @Test
  void delete_goesToTheShardOfItsElement() {
    ShardedRegion region = precise();
    long value = elementOf(1, 1_000);
    ShardedBatch write = region.begin(new long[] {value}, NOTHING, NOTHING);
    pass(TERMS.pushTimeoutNanos());
    write.end();
    assertThat(route(TWO, value).positive()).isOne();
    ShardedBatch end = region.begin(NOTHING, NOTHING, new long[] {value});
    end.delete(INDEX.space(), value);
    end.end();
    pass(TERMS.leaseNanos());
    assertThat(route(TWO, value).excluded()).isOne();
  }

  @Test
  void move_scanWaitsForBatchesOfTheFormerShards() {
    ShardedRegion region = precise();
    ShardedBatch early = region.begin(new long[] {elementOf(0, 1_000)}, NOTHING, NOTHING);
    assertThat(region.moveTo(HolderLayout.MASTER.places("t"))).isTrue();
    assertThat(region.startRebuild(10)).isTrue();
    assertThat(region.rebuildMayScan()).isFalse();
    early.end();
    assertThat(region.rebuildMayScan()).isTrue();
  }

  @Test
  void move_writesWaitUntilTheFormerHoldersTrustNoMore() {
    ShardedRegion region = precise();
    TWO.places("t").forEach(place -> hanging.add(place.holder()));
    region.moveTo(HolderLayout.MASTER.places("t"));
    ShardedBatch write = region.begin(new long[] {elementOf(0, 1_000)}, NOTHING, NOTHING);
    pass(TERMS.patienceNanos());
    assertThat(write.isSettled()).isFalse();
    assertThat(route(TWO, elementOf(0, 5_000)).excluded()).as("still trusted").isOne();
    pass(TERMS.longestWaitNanos());
    assertThat(write.isSettled()).isTrue();
    assertThat(route(TWO, elementOf(0, 5_000)).excluded()).isZero();
  }

  @Test
  void move_thereAndBack_isPreciseAgain_andForgetsWhatWas() {
    ShardedRegion region = precise();
    region.moveTo(HolderLayout.MASTER.places("t"));
    pass(TERMS.leaseNanos());
    assertThat(region.moveTo(TWO.places("t"))).isTrue();
    assertThat(region.moveTo(TWO.places("t"))).isFalse();
    build(region, elementOf(0, 0));
    pass(4 * TERMS.leaseNanos());
    region.moveTo(TWO.places("t"));
    assertThat(region.status().precise()).isTrue();
    assertThat(publishers.values().stream().mapToInt(one -> one.statuses().size()).sum())
        .isEqualTo(2);
    assertThat(route(TWO, elementOf(0, 0)).positive()).isOne();
  }

  @Test
  void move_whileSuspended_staysSuspended() {
    ShardedRegion region = precise();
    region.suspend();
    region.moveTo(HolderLayout.MASTER.places("t"));
    pass(2 * TERMS.leaseNanos());
    assertThat(region.isOpenEverywhere()).isTrue();
    assertThat(region.isSuspended()).isTrue();
    region.resume();
    build(region, elementOf(0, 0));
    pass(4 * TERMS.leaseNanos());
    assertThat(region.status().precise()).isTrue();
  }

  @Test
  void release_isOverWhenAllShardsAre() {
    ShardedRegion region = precise();
    hanging.add(TWO.places("t").get(1).holder());
    region.release();
    pass(TERMS.patienceNanos());
    assertThat(region.isReleased()).isFalse();
    assertThat(region.status().openReason()).isEqualTo(OpenReason.CLOSING);
    pass(TERMS.longestWaitNanos());
    assertThat(region.isReleased()).isTrue();
  }

  @Test
  void storedFilters_ofAllShards_makeTheNextRegionPrecise() {
    long[] stored = {elementOf(0, 0), elementOf(1, 0)};
    long[] later = {elementOf(0, 2_000), elementOf(1, 2_000)};
    ShardedRegion before = precise();
    List<FilterStoring> storing = before.startStoring(Long.MAX_VALUE);
    ShardedRegion region = open(TWO);
    region.startLoading();
    assertThat(region.isLoading()).isTrue();
    assertThat(region.rebuildMayScan()).isTrue();
    ShardedLoading loading = region.loading();
    storing.forEach(filter -> restore(filter, loading.next(filter.outline()).orElseThrow()));
    loading.insert(later);
    assertThat(loading.complete(List.of(INDEX))).isTrue();
    loading.abandon();
    pass(4 * TERMS.leaseNanos());

    assertThat(region.status().precise()).isTrue();
    LongStream.concat(LongStream.of(stored), LongStream.of(later))
        .forEach(element -> assertThat(route(TWO, element).positive()).isOne());
    assertThat(route(TWO, elementOf(0, 5_000)).excluded()).isOne();
    assertThat(route(TWO, elementOf(1, 5_000)).excluded()).isOne();
  }

  /**
   * Writers widen the bounds of one shard, so those that were stored of another would fall behind.
   */
  @Test
  void e4_storedBounds_areTakenUpByTheShardThatWritersWiden_andByNoOther() {
    List<FilterStoring> storing = preciseWithBounds().startStoring(Long.MAX_VALUE);
    ShardedRegion region = open(TWO);
    region.startLoading();
    ShardedLoading loading = region.loading();
    for (FilterStoring filter : storing) {
      FilterLoading next = loading.next(filter.outline()).orElseThrow();
      restore(filter, next);
      next.restore(bounds(5).union(bounds(9)).ofAll(List.of(1)));
    }
    loading.widen(bounds(12));
    assertThat(loading.complete(List.of(INDEX))).isTrue();
    pass(4 * TERMS.leaseNanos());

    assertThat(routeToBounds(12).positive()).isOne();
    assertThat(routeToBounds(7).excluded()).isOne();
    ShardPlace other = TWO.places("t").get(1 - Shards.ofBounds(REGION, 2));
    for (int value : new int[] {7, 12}) {
      assertThat(registryOf(other.holder()).route(other.name(), range(value)).excluded()).isZero();
    }
  }

  @Test
  void storing_needsTheFiltersOfAllShards() {
    ShardedRegion region = precise();
    assertThat(region.startStoring(Long.MAX_VALUE)).hasSize(2);
    assertThat(region.filterBytes()).isPositive();
    region.moveTo(HolderLayout.MASTER.places("t"));
    assertThat(region.startStoring(Long.MAX_VALUE)).isEmpty();
    assertThat(region.filterBytes()).isZero();
  }

  @Test
  void loading_givenUpWhenOneShardIsThrough_leavesThatShardItsFilter() {
    ShardedRegion before = precise();
    List<FilterStoring> storing = before.startStoring(Long.MAX_VALUE);
    ShardedRegion region = open(TWO);
    region.startLoading();
    ShardedLoading loading = region.loading();
    storing.forEach(filter -> restore(filter, loading.next(filter.outline()).orElseThrow()));
    ShardedBatch many = region.begin(manyOf(1), NOTHING, NOTHING);
    assertThat(loading.complete(List.of(INDEX))).as("too much was written to shard 1").isFalse();
    loading.abandon();
    region.abandonRebuild();
    many.end();

    assertThat(region.isRebuilding()).isFalse();
    pass(4 * TERMS.leaseNanos());
    assertThat(route(TWO, elementOf(0, 0)).positive()).isOne();
    assertThat(route(TWO, elementOf(0, 5_000)).excluded()).isOne();
    assertThat(route(TWO, elementOf(1, 5_000)).excluded()).isZero();
  }

  /** More elements of a shard than are kept for a filter that is being read. */
  private static long[] manyOf(int shard) {
    return LongStream.iterate(10_000, at -> at + 1)
        .filter(element -> shardOf(element) == shard)
        .limit((1 << 20) + 1)
        .toArray();
  }

  private static void restore(FilterStoring from, FilterLoading to) {
    from.frequent().forEach(element -> assertThat(to.restore(element)).isTrue());
    for (var piece = from.next(); piece.isPresent(); piece = from.next()) {
      to.restore(piece.get());
    }
  }
}
