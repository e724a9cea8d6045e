/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.filter.FilterGeometry;
import io.hbaseindex.core.memory.MemoryBlock;
import io.hbaseindex.core.memory.PagedMemory;
import io.hbaseindex.core.publish.PublishLimits;
import io.hbaseindex.core.publish.ServerPublisher;
import io.hbaseindex.core.push.LeaseTerms;
import io.hbaseindex.core.push.RegionIncarnation;
import io.hbaseindex.core.push.RegionNumbers;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.core.route.RegionBounds;
import io.hbaseindex.core.route.RowRange;
import io.hbaseindex.core.shard.HolderLayout;
import io.hbaseindex.core.shard.ShardedBatch;
import io.hbaseindex.core.shard.ShardedRegion;
import io.hbaseindex.core.time.MachineClock;
import io.hbaseindex.region.upkeep.UpkeepTask;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class FilterUpkeepTest {
  private static final IndexCoverage INDEX = new IndexCoverage(1, 1, 7, 0);

  private static final long[] NOTHING = {};

  private final PagedMemory memory = PagedMemory.direct(1 << 26);
  private final ServerPublisher publisher =
      new ServerPublisher(
          "server",
          new RegionNumbers(0),
          MachineClock.of(() -> 0, () -> 0),
          LeaseTerms.standard(),
          PublishLimits.standard(),
          memory);
  private final ShardedRegion region =
      new ShardedRegion(
          "r",
          HolderLayout.MASTER.places("t"),
          place ->
              new ShardedRegion.Part(
                  publisher,
                  publisher.open(
                      new RegionIncarnation("t", "r", 1, 1, new RowRange(new byte[0], new byte[0])),
                      FilterGeometry.standard())));
  private final Map<IndexCoverage, Object> ready = new HashMap<>(Map.of(INDEX, "built"));
  private final FilterKeeper keeper = StoredNowhere.keeperOf(region);
  private long now;
  private int scans;
  private int rebuilds;
  private long rested;
  private int regions = 1;
  private long askedInVain;
  private int heldUp;

  /** Postings whose elements follow from their number. */
  private final class Postings implements FilterUpkeep.PostingScan {
    private final long count;
    private final LongUnaryOperator elementOf;
    private boolean failing;
    private double elementsPerPosting = 1;
    private int pages = 1;
    private Runnable betweenPages = () -> {};
    private long written;
    private long visible;
    private Runnable during = () -> {};

    Postings(long count, LongUnaryOperator elementOf) {
      this.count = count;
      this.elementOf = elementOf;
    }

    @Override
    public long expected() {
      return count;
    }

    @Override
    public double elementsPerPosting(Iterable<Integer> indexIds) {
      return elementsPerPosting;
    }

    @Override
    public BooleanSupplier written() {
      long last = written;
      return () -> visible >= last;
    }

    @Override
    public void feed(Iterable<Integer> indexIds, FilterUpkeep.ElementSink sink) throws IOException {
      assertThat(indexIds).containsExactly(1);
      scans++;
      if (failing) {
        throw new IOException("the disk is gone");
      }
      for (int page = 0; page < pages; page++) {
        betweenPages.run();
        long first = count * page / pages;
        long last = count * (page + 1) / pages;
        sink.take(
            (int) (last - first),
            RegionBounds.EVERYTHING,
            LongStream.range(first, last).map(elementOf).toArray());
      }
      during.run();
    }

    @Override
    public void feedAfter(
        long timestamp, Iterable<Integer> indexIds, FilterUpkeep.ElementSink sink) {
      throw new AssertionError("nothing is stored");
    }
  }

  private final class Demanded implements FilterUpkeep.Demand {
    @Override
    public void follow() {}

    @Override
    public Map<IndexCoverage, Object> ready() {
      return Map.copyOf(ready);
    }

    @Override
    public long asked() {
      return 0;
    }

    @Override
    public long askedInVain() {
      return askedInVain;
    }

    @Override
    public FilterGeometry geometry() {
      return FilterGeometry.forRegions(regions);
    }
  }

  /** Elements are hashes, and filters count on that. */
  private static long hash(long value) {
    return new SplittableRandom(value).nextLong();
  }

  private FilterUpkeep upkeep(Postings postings) {
    return new FilterUpkeep(
        "r",
        region,
        postings,
        new Demanded(),
        () -> now,
        new FilterUpkeep.Tally() {
          @Override
          public void rebuilt() {
            rebuilds++;
          }

          @Override
          public void heldUp() {
            heldUp++;
          }
        },
        keeper,
        nanos -> rested += nanos);
  }

  private void runOften(FilterUpkeep upkeep) {
    for (int i = 0; i < 50; i++) {
      upkeep.run();
    }
  }

  @Test
  void run_readyIndex_isBuiltOnce() {
    runOften(upkeep(new Postings(1_000, FilterUpkeepTest::hash)));
    assertThat(rebuilds).isEqualTo(1);
    assertThat(region.rebuildPays()).isFalse();
  }

  @Test
  void look_tellsWhatRunWouldDo() {
    Postings postings = new Postings(1_000, FilterUpkeepTest::hash);
    FilterUpkeep upkeep = upkeep(postings);
    assertThat(upkeep.look()).isEqualTo(UpkeepTask.Need.FIRST_FILTER);
    upkeep.run();
    assertThat(upkeep.look()).isEqualTo(UpkeepTask.Need.NOTHING);
    keeper.filesChanged();
    assertThat(upkeep.look()).isEqualTo(UpkeepTask.Need.FILE);
    upkeep.run();
    assertThat(upkeep.look()).isEqualTo(UpkeepTask.Need.NOTHING);
    upkeep.rebuildSoon();
    assertThat(upkeep.look()).isEqualTo(UpkeepTask.Need.BETTER_FILTER);
    upkeep.stop();
    assertThat(upkeep.look()).isEqualTo(UpkeepTask.Need.NOTHING);
  }

  @Test
  void run_longScan_restsAsLongAsItWorksAndTellsHowFarItIs() {
    Postings postings = new Postings(1_000, FilterUpkeepTest::hash);
    postings.pages = 4;
    List<OptionalInt> seen = new ArrayList<>();
    FilterUpkeep upkeep = upkeep(postings);
    postings.betweenPages =
        () -> {
          now += 7;
          seen.add(upkeep.progress());
        };
    upkeep.run();
    assertThat(rested).isEqualTo(4 * 7);
    assertThat(seen)
        .containsExactly(
            OptionalInt.of(0), OptionalInt.of(25), OptionalInt.of(50), OptionalInt.of(75));
    assertThat(upkeep.progress()).isEmpty();
    assertThat(rebuilds).isEqualTo(1);
  }

  @Test
  void look_tableHasManyMoreRegions_buildsOnceMoreAndNotWhenItHasFewerAgain() {
    FilterUpkeep upkeep = upkeep(new Postings(1_000, FilterUpkeepTest::hash));
    runOften(upkeep);
    long before = region.filterBytes();
    regions = 100_000;
    assertThat(upkeep.look()).isEqualTo(UpkeepTask.Need.BETTER_FILTER);
    runOften(upkeep);
    assertThat(rebuilds).isEqualTo(2);
    assertThat(region.filterBytes()).isGreaterThan(before);

    regions = 1;
    assertThat(upkeep.look()).isEqualTo(UpkeepTask.Need.NOTHING);
  }

  @Test
  void leave_givesTheRoomUpAndComesBackWhenItMayEnter() {
    FilterUpkeep upkeep = upkeep(new Postings(1_000, FilterUpkeepTest::hash));
    runOften(upkeep);
    long bytes = upkeep.seat().heldBytes();
    assertThat(bytes).isPositive();
    assertThat(upkeep.seat().lackingBytes()).isZero();

    upkeep.seat().leave();
    assertThat(upkeep.look()).isEqualTo(UpkeepTask.Need.FILE);
    runOften(upkeep);
    assertThat(upkeep.seat().heldBytes()).isZero();
    assertThat(upkeep.seat().lackingBytes()).isEqualTo(bytes);
    assertThat(memory.takenBytes()).isZero();
    assertThat(region.status().openReason()).isEqualTo(OpenReason.OVER_BUDGET);
    assertThat(upkeep.look()).isEqualTo(UpkeepTask.Need.NOTHING);

    upkeep.seat().enter();
    assertThat(upkeep.look()).isEqualTo(UpkeepTask.Need.FIRST_FILTER);
    runOften(upkeep);
    assertThat(upkeep.seat().heldBytes()).isEqualTo(bytes);
    assertThat(upkeep.seat().lackingBytes()).isZero();
  }

  @Test
  void enter_whileOthersHaveNotLeftYet_isTriedAgainAndAgain() {
    MemoryBlock others = memory.allocate((1 << 26) / Long.BYTES - 1024).orElseThrow();
    FilterUpkeep upkeep = upkeep(new Postings(100_000, FilterUpkeepTest::hash));
    runOften(upkeep);
    assertThat(upkeep.seat().lackingBytes()).isGreaterThan(100_000);
    assertThat(rebuilds).isZero();
    upkeep.seat().enter();
    runOften(upkeep);
    assertThat(rebuilds).isZero();
    others.free();
    runOften(upkeep);
    assertThat(rebuilds).isEqualTo(1);
  }

  @Test
  void usefulness_isWhatWasAskedInVainWhileThereWasNoFilter() {
    FilterUpkeep upkeep = upkeep(new Postings(1_000, FilterUpkeepTest::hash));
    now += TimeUnit.SECONDS.toNanos(10);
    askedInVain = 30;
    upkeep.look();
    assertThat(upkeep.seat().usefulness()).isEqualTo(3);
    runOften(upkeep);
    now += TimeUnit.SECONDS.toNanos(10);
    upkeep.look();
    assertThat(upkeep.seat().usefulness()).isBetween(2.9, 3.0);
  }

  @Test
  void run_noReadyIndex_buildsNothing() {
    ready.clear();
    runOften(upkeep(new Postings(10, FilterUpkeepTest::hash)));
    assertThat(scans).isZero();
  }

  @Test
  void run_fewValuesInManyRows_buildsAgainWithRoomForThemAndThenRests() {
    runOften(upkeep(new Postings(100_000, i -> hash(i % 10))));
    assertThat(rebuilds).isEqualTo(2);
    assertThat(region.rebuildPays()).isFalse();
  }

  @Test
  void run_sampleShowsThatRowsShareValues_isOfTheRightSizeAtOnce() {
    Postings postings = new Postings(60_000, i -> hash(i / 2));
    postings.elementsPerPosting = 0.5;
    runOften(upkeep(postings));
    assertThat(rebuilds).isEqualTo(1);
    assertThat(region.rebuildPays()).isFalse();
    long fitting = region.filterBytes();

    region.suspend(); // so that the next filter is a first one again
    region.resume();
    postings.elementsPerPosting = 1;
    upkeep(postings).run();
    assertThat(region.filterBytes()).isGreaterThan(fitting);
  }

  @Test
  void run_moreFrequentValuesThanTheFilterCanTrack_pausesEverLonger() {
    int tracked = 70_000 * 9;
    FilterUpkeep upkeep =
        upkeep(
            new Postings(
                tracked + 40 * 7_000,
                i -> hash(i < tracked ? i / 9 : 1_000_000 + (i - tracked) / 7_000)));
    runOften(upkeep);
    int afterFirst = rebuilds;
    assertThat(region.rebuildPays()).as("the case is as bad as it should be").isTrue();
    assertThat(afterFirst).isLessThanOrEqualTo(2);

    now += TimeUnit.SECONDS.toNanos(5);
    runOften(upkeep);
    assertThat(rebuilds).isEqualTo(afterFirst + 1);
    now += TimeUnit.SECONDS.toNanos(5);
    runOften(upkeep);
    assertThat(rebuilds).as("the second pause is longer").isEqualTo(afterFirst + 1);
    now += TimeUnit.SECONDS.toNanos(5);
    runOften(upkeep);
    assertThat(rebuilds).isEqualTo(afterFirst + 2);
  }

  @Test
  void rebuildSoon_afterACompaction_buildsOnceMore() {
    FilterUpkeep upkeep = upkeep(new Postings(1_000, FilterUpkeepTest::hash));
    runOften(upkeep);
    upkeep.rebuildSoon();
    runOften(upkeep);
    assertThat(rebuilds).isEqualTo(2);
  }

  @Test
  void rebuildSoon_duringAScan_buildsOnceMoreAfterIt() {
    Postings postings = new Postings(1_000, FilterUpkeepTest::hash);
    FilterUpkeep upkeep = upkeep(postings);
    postings.during = upkeep::rebuildSoon;
    upkeep.run();
    postings.during = () -> {};
    runOften(upkeep);
    assertThat(rebuilds).isEqualTo(2);
  }

  @Test
  void rebuildSoon_whileABatchIsUnderWay_waitsForItAndIsNotForgotten() {
    FilterUpkeep upkeep = upkeep(new Postings(1_000, FilterUpkeepTest::hash));
    runOften(upkeep);
    ShardedBatch batch = region.begin(NOTHING, NOTHING, NOTHING);
    upkeep.rebuildSoon();
    runOften(upkeep);
    assertThat(rebuilds).isEqualTo(1);
    assertThat(heldUp).isEqualTo(1);
    batch.end();
    runOften(upkeep);
    assertThat(rebuilds).isEqualTo(2);
    assertThat(heldUp).isEqualTo(1);
  }

  @Test
  void rebuildSoon_endedBatchIsNotVisible_waitsWithoutKeepingTheThread() {
    Postings postings = new Postings(1_000, FilterUpkeepTest::hash);
    FilterUpkeep upkeep = upkeep(postings);
    runOften(upkeep);
    postings.written = 1;
    upkeep.rebuildSoon();
    runOften(upkeep);
    assertThat(scans).isEqualTo(1);
    assertThat(heldUp).isEqualTo(1);
    postings.written = 2; // by a batch that feeds the new filter
    postings.visible = 1;
    runOften(upkeep);
    assertThat(rebuilds).isEqualTo(2);
  }

  @Test
  void run_scanFailed_theNextOneSeesWhatWasWrittenMeanwhile() {
    Postings postings = new Postings(1_000, FilterUpkeepTest::hash);
    FilterUpkeep upkeep = upkeep(postings);
    postings.failing = true;
    upkeep.run();
    postings.failing = false;
    postings.written = 1;
    now += TimeUnit.SECONDS.toNanos(1);
    runOften(upkeep);
    assertThat(scans).isEqualTo(1);
    postings.visible = 1;
    upkeep.run();
    assertThat(rebuilds).isEqualTo(1);
  }

  @Test
  void run_writesDuringTheScan_buildsOnceMoreInPeace() {
    Postings postings = new Postings(1_000, FilterUpkeepTest::hash);
    FilterUpkeep upkeep = upkeep(postings);
    postings.during = () -> region.begin(new long[] {hash(5)}, NOTHING, NOTHING).end();
    upkeep.run();
    assertThat(region.isOvercounting()).isTrue();

    postings.during = () -> {};
    runOften(upkeep);

    assertThat(region.isOvercounting()).isFalse();
    assertThat(rebuilds).isEqualTo(2);
  }

  @Test
  void run_writesDuringEveryScan_pausesEverLonger() {
    Postings postings = new Postings(1_000, FilterUpkeepTest::hash);
    FilterUpkeep upkeep = upkeep(postings);
    postings.during = () -> region.begin(new long[] {hash(5)}, NOTHING, NOTHING).end();
    runOften(upkeep);
    assertThat(rebuilds).isEqualTo(2);
    now += TimeUnit.SECONDS.toNanos(5);
    runOften(upkeep);
    assertThat(rebuilds).isEqualTo(3);
    now += TimeUnit.SECONDS.toNanos(5);
    runOften(upkeep);
    assertThat(rebuilds).as("the second pause is longer").isEqualTo(3);
  }

  @Test
  void run_indexLostReadinessDuringTheScan_isNotCovered() {
    Postings postings = new Postings(10, FilterUpkeepTest::hash);
    postings.during = () -> ready.put(INDEX, "built again");
    FilterUpkeep upkeep = upkeep(postings);
    upkeep.run();
    assertThat(rebuilds).isZero();
    postings.during = () -> {};
    upkeep.run();
    assertThat(rebuilds).isEqualTo(1);
  }

  @Test
  void run_scanFails_triesAgainAfterASecond() {
    Postings postings = new Postings(10, FilterUpkeepTest::hash);
    postings.failing = true;
    FilterUpkeep upkeep = upkeep(postings);
    upkeep.run();
    assertThat(region.isRebuilding()).isFalse();
    postings.failing = false;
    runOften(upkeep);
    assertThat(scans).isEqualTo(1);

    now += TimeUnit.SECONDS.toNanos(1);
    upkeep.run();
    assertThat(rebuilds).isEqualTo(1);
  }

  @Test
  void run_everyScanFails_pausesEverLongerUpToAMinute() {
    Postings postings = new Postings(10, FilterUpkeepTest::hash);
    postings.failing = true;
    FilterUpkeep upkeep = upkeep(postings);
    runOften(upkeep);
    int failures = 1;
    for (int seconds : new int[] {1, 2, 4, 8, 16, 32, 60, 60}) {
      now += TimeUnit.SECONDS.toNanos(seconds) - 1;
      upkeep.rebuildSoon();
      runOften(upkeep);
      assertThat(scans).as("before %d s are over", seconds).isEqualTo(failures);
      now++;
      runOften(upkeep);
      assertThat(scans).as("after %d s", seconds).isEqualTo(++failures);
    }
  }

  @Test
  void run_scanFailsAfterASuccess_pausesForASecondAgain() {
    Postings postings = new Postings(10, FilterUpkeepTest::hash);
    postings.failing = true;
    FilterUpkeep upkeep = upkeep(postings);
    upkeep.run();
    now += TimeUnit.SECONDS.toNanos(1);
    upkeep.run();
    now += TimeUnit.SECONDS.toNanos(2);
    postings.failing = false;
    upkeep.run();
    assertThat(rebuilds).isEqualTo(1);

    postings.failing = true;
    upkeep.rebuildSoon();
    upkeep.run();
    postings.failing = false;
    now += TimeUnit.SECONDS.toNanos(1);
    upkeep.run();
    assertThat(rebuilds).isEqualTo(2);
  }

  @Test
  void run_afterStop_buildsNothing() {
    FilterUpkeep upkeep = upkeep(new Postings(10, FilterUpkeepTest::hash));
    upkeep.stop();
    runOften(upkeep);
    assertThat(scans).isZero();
  }
}
