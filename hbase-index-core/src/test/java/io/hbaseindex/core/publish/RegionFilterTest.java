/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.core.filter.FilterGeometry;
import io.hbaseindex.core.memory.PagedMemory;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.RegionBounds;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RegionFilterTest {
  private static final long INDEX = 1;
  private static final List<IndexCoverage> COVERAGE = List.of(new IndexCoverage(INDEX, 1, 7, 0));

  private final RegionFilter filter =
      new RegionFilter(FilterGeometry.doubling(16, 1e-3), PagedMemory.heap());

  private boolean holds(long element) {
    return filter.newest().filter().mightContain(element);
  }

  private void rebuild(long... live) {
    rebuild(filter, 0, live);
  }

  private static void rebuild(RegionFilter region, long guess, long... live) {
    region.startRebuild(guess);
    for (long element : live) {
      region.scanned(element);
    }
    region.completeRebuild(COVERAGE, RegionBounds.EVERYTHING);
  }

  @Test
  void newRegion_hasNoFilter() {
    filter.insert(5);
    assertThat(filter.newest()).isNull();
  }

  @Test
  void rebuild_waitsForBatchesThatBeganBefore() {
    long before = filter.beginBatch();
    filter.startRebuild(0);
    long after = filter.beginBatch();
    assertThat(filter.rebuildMayScan()).isFalse();
    filter.endBatch(before);
    assertThat(filter.rebuildMayScan()).isTrue();
    filter.endBatch(after);
  }

  @Test
  void rebuild_isFedByWritersBesideTheScan() {
    filter.startRebuild(0);
    filter.insert(5);
    filter.scanned(6);
    assertThat(filter.newest()).isNull();
    filter.completeRebuild(COVERAGE, RegionBounds.EVERYTHING);
    assertThat(holds(5)).isTrue();
    assertThat(holds(6)).isTrue();
  }

  @Test
  void rebuild_afterAFirstOneByAWrongGuess_isSizedByWhatTheFilterHolds() {
    for (long guess : new long[] {100_000, 0}) {
      RegionFilter region = new RegionFilter(FilterGeometry.doubling(16, 1e-3), PagedMemory.heap());
      long[] live = new SplittableRandom(guess).longs(2_000).toArray();
      rebuild(region, guess, live);
      assertThat(region.rebuildPays()).as("by a guess of %d", guess).isTrue();

      rebuild(region, guess, live);

      assertThat(region.rebuildPays()).as("after a guess of %d", guess).isFalse();
      assertThat(region.newest().filter().segmentCount()).isEqualTo(1);
    }
  }

  @Test
  void delete_ofBatchBegunBeforeCompletion_isNotTakenBack() {
    filter.startRebuild(0);
    filter.scanned(5);
    long phase = filter.beginBatch();
    filter.completeRebuild(COVERAGE, RegionBounds.EVERYTHING);
    filter.delete(phase, INDEX, 5);
    assertThat(holds(5)).isTrue();
  }

  @Test
  void delete_ofBatchBegunLater_isTakenBack() {
    rebuild(5);
    filter.delete(filter.beginBatch(), INDEX, 5);
    assertThat(holds(5)).isFalse();
  }

  @Test
  void delete_ofIndexThatIsNotCovered_isNotTakenBack() {
    rebuild(5);
    filter.delete(filter.beginBatch(), INDEX + 1, 5);
    assertThat(holds(5)).isTrue();
  }

  @Test
  void delete_duringRebuild_isTakenBackFromTheOldFilterOnly() {
    rebuild(5);
    RecordedFilter old = filter.newest();
    filter.startRebuild(0);
    filter.scanned(5);
    filter.delete(filter.beginBatch(), INDEX, 5);
    filter.completeRebuild(COVERAGE, RegionBounds.EVERYTHING);
    assertThat(old.filter().mightContain(5)).isFalse();
    assertThat(holds(5)).isTrue();
  }

  @Test
  void isOvercounting_builtInPeace_isFalse() {
    rebuild(5);
    filter.insert(6);
    filter.delete(filter.beginBatch(), INDEX, 5);
    assertThat(filter.isOvercounting()).isFalse();
  }

  @Test
  void isOvercounting_insertDuringRebuild_untilOneIsBuiltInPeace() {
    filter.startRebuild(0);
    filter.insert(5);
    filter.scanned(5);
    filter.completeRebuild(COVERAGE, RegionBounds.EVERYTHING);
    filter.delete(filter.beginBatch(), INDEX, 5);
    assertThat(holds(5)).as("counted twice, taken back once").isTrue();
    assertThat(filter.isOvercounting()).isTrue();
    rebuild();
    assertThat(holds(5)).isFalse();
    assertThat(filter.isOvercounting()).isFalse();
  }

  @Test
  void isOvercounting_deleteOfABatchBegunBeforeCompletion_isTrue() {
    filter.startRebuild(0);
    filter.scanned(5);
    long phase = filter.beginBatch();
    filter.completeRebuild(COVERAGE, RegionBounds.EVERYTHING);
    filter.delete(phase, INDEX, 5);
    assertThat(filter.isOvercounting()).isTrue();
  }

  @Test
  void insert_feedsTheOldFilterAsLongAsItIsPublished() {
    rebuild();
    RecordedFilter old = filter.newest();
    rebuild();
    filter.retain(old, null);
    filter.insert(5);
    assertThat(old.filter().mightContain(5)).isTrue();
    filter.retain(filter.newest(), null);
    filter.insert(6);
    assertThat(old.filter().mightContain(6)).isFalse();
    assertThat(holds(6)).isTrue();
  }

  @Test
  void rebuildsThatArePublishedByNobody_areNotFed() {
    rebuild();
    RecordedFilter unpublished = filter.newest();
    rebuild();
    filter.retain(null, null);
    filter.insert(5);
    assertThat(unpublished.filter().mightContain(5)).isFalse();
  }

  @Test
  void startRebuild_again_givesTheFirstUp() {
    filter.startRebuild(0);
    filter.scanned(5);
    rebuild();
    assertThat(holds(5)).isFalse();
  }

  @Test
  void endBatch_twice_isRefused() {
    long phase = filter.beginBatch();
    filter.endBatch(phase);
    assertThatThrownBy(() -> filter.endBatch(phase))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Cannot end a batch of phase 0: none is under way; end each batch once");
  }

  @Test
  void scanned_withoutRebuild_isRefused() {
    assertThatThrownBy(() -> filter.scanned(5))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("none is under way");
  }

  @Test
  void resume_withoutSuspend_isRefused() {
    assertThatThrownBy(filter::resume)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("it was not suspended");
  }

  @Test
  void suspend_nested_lastsUntilTheLastResume() {
    filter.suspend();
    filter.suspend();
    filter.resume();
    assertThat(filter.isSuspended()).isTrue();
    filter.resume();
    assertThat(filter.isSuspended()).isFalse();
  }
}
