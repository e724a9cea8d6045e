/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.filter.FilterGeometry;
import io.hbaseindex.core.filter.ScalableSplitCountingBloomFilter;
import io.hbaseindex.core.memory.PagedMemory;
import io.hbaseindex.core.push.LeaseTerms;
import io.hbaseindex.core.push.RegionIncarnation;
import io.hbaseindex.core.push.RegionNumbers;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.core.route.RowRange;
import io.hbaseindex.core.time.MachineClock;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * The filters of a server's regions share one budget; what does not fit is open and costs nothing.
 */
class FilterBudgetTest {
  private static final FilterGeometry GEOMETRY = FilterGeometry.standard();
  private static final long ONE = ScalableSplitCountingBloomFilter.bytesFor(GEOMETRY, 1000);

  private final PagedMemory memory = PagedMemory.direct(2 * ONE);
  private final ServerPublisher server =
      new ServerPublisher(
          "s",
          new RegionNumbers(1),
          MachineClock.of(() -> 1, () -> 1),
          LeaseTerms.standard(),
          PublishLimits.standard(),
          memory);

  @Test
  void regionBeyondTheBudget_isOpenForThatReason_takesNothing_andGetsItsTurn() {
    PublishedRegion first = open(1);
    PublishedRegion second = open(2);
    PublishedRegion third = open(3);
    assertThat(build(first, 1000)).isTrue();
    assertThat(build(second, 1000)).isTrue();

    assertThat(build(third, 1000)).isFalse();
    assertThat(third.status().openReason()).isEqualTo(OpenReason.OVER_BUDGET);
    assertThat(first.status().openReason()).isEqualTo(OpenReason.NOT_READY);
    assertThat(memory.takenBytes()).isEqualTo(2 * ONE);
    third.insert(1, 2, 3);

    first.release();
    server.forget(first);
    assertThat(memory.takenBytes()).isEqualTo(ONE);
    assertThat(build(third, 1000)).isTrue();
    assertThat(third.status().openReason()).isEqualTo(OpenReason.NOT_READY);
  }

  @Test
  void rebuild_withoutRoomForASecondFilter_keepsTheFirst() {
    PublishedRegion region = open(1);
    PublishedRegion other = open(2);
    assertThat(build(region, 1000)).isTrue();
    assertThat(build(other, 1000)).isTrue();

    assertThat(region.startRebuild(1000)).isFalse();

    assertThat(region.isRebuilding()).isFalse();
    assertThat(region.status().openReason()).isEqualTo(OpenReason.NOT_READY);
    assertThat(memory.takenBytes()).isEqualTo(2 * ONE);
  }

  @Test
  void overfullFilter_isGivenUpForANewOne_orForNothing() {
    PublishedRegion region = open(1);
    PublishedRegion other = open(2);
    assertThat(build(region, 1000)).isTrue();
    assertThat(build(other, 1000)).isTrue();
    region.insert(new SplittableRandom(5).longs(4000).toArray());
    assertThat(region.rebuildPays()).isTrue();

    assertThat(region.startRebuild(1000)).isFalse();

    assertThat(region.status().openReason()).isEqualTo(OpenReason.OVER_BUDGET);
    assertThat(memory.takenBytes()).as("of the other region").isEqualTo(ONE);
    assertThat(build(region, 1000)).as("the guess of a region that has no filter").isTrue();
  }

  @Test
  void abandonedRebuilds_andSuspendedRegions_giveTheirMemoryBack() {
    PublishedRegion region = open(1);
    for (int round = 0; round < 5; round++) {
      assertThat(region.startRebuild(1000)).isTrue();
      region.abandonRebuild();
    }
    assertThat(memory.takenBytes()).isZero();

    assertThat(build(region, 1000)).isTrue();
    region.suspend();
    assertThat(memory.takenBytes()).isZero();
  }

  @Test
  void leaveRoom_isOpenForThatReason_andAnotherRegionGetsTheRoom() {
    PublishedRegion region = open(1);
    PublishedRegion other = open(2);
    PublishedRegion third = open(3);
    assertThat(build(region, 1000)).isTrue();
    assertThat(build(other, 1000)).isTrue();

    region.leaveRoom();

    assertThat(region.status().openReason()).isEqualTo(OpenReason.OVER_BUDGET);
    assertThat(region.filterBytes()).isZero();
    assertThat(memory.takenBytes()).isEqualTo(ONE);
    long phase = region.beginBatch();
    region.delete(phase, 1, 5);
    assertThat(region.isSettled(region.insert(1, 2, 3)))
        .isEqualTo(third.isSettled(third.insert(1)));
    region.endBatch(phase);
    assertThat(build(third, 1000)).isTrue();
    assertThat(build(region, 1000)).isFalse();
  }

  @Test
  void regionThatHasLostItsFilter_saysSoOnceTheNextOneIsBegun() {
    PublishedRegion region = open(1);
    assertThat(build(region, 1000)).isTrue();
    region.suspend();
    region.resume();
    assertThat(region.status().openReason()).isEqualTo(OpenReason.SUSPENDED);

    assertThat(region.startRebuild(1000)).isTrue();

    assertThat(region.status().openReason()).isEqualTo(OpenReason.NOT_READY);
  }

  @Test
  void scanUnderWay_whenTheRegionIsForgotten_feedsNothing() {
    PublishedRegion region = open(1);
    assertThat(region.startRebuild(1000)).isTrue();
    region.release();
    server.forget(region);

    region.scanned(1, 2, 3);
    region.insert(4);

    assertThat(memory.takenBytes()).isZero();
  }

  private static boolean build(PublishedRegion region, int elements) {
    if (!region.startRebuild(elements)) {
      return false;
    }
    region.scanned(new SplittableRandom(elements).longs(elements).toArray());
    region.completeRebuild(List.of(new IndexCoverage(1, 1, 7, 0)));
    return true;
  }

  private PublishedRegion open(int region) {
    return server.open(
        new RegionIncarnation(
            "t", "r" + region, 1, 1, new RowRange(new byte[] {(byte) region}, new byte[0])),
        GEOMETRY);
  }
}
