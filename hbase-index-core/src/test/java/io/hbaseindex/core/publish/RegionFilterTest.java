package io.hbaseindex.core.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.core.filter.FilterGeometry;
import java.util.List;
import org.junit.jupiter.api.Test;

class RegionFilterTest {
  private static final long INDEX = 1;
  private static final List<IndexCoverage> COVERAGE = List.of(new IndexCoverage(INDEX, 1, 7));

  private final RegionFilter filter = new RegionFilter(FilterGeometry.doubling(16, 1e-3));

  private boolean holds(long element) {
    return filter.newest().filter().mightContain(element);
  }

  private void rebuild(long... live) {
    filter.startRebuild(0);
    for (long element : live) {
      filter.scanned(element);
    }
    filter.completeRebuild(COVERAGE);
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
    filter.completeRebuild(COVERAGE);
    assertThat(holds(5)).isTrue();
    assertThat(holds(6)).isTrue();
  }

  @Test
  void delete_ofBatchBegunBeforeCompletion_isNotTakenBack() {
    filter.startRebuild(0);
    filter.scanned(5);
    long phase = filter.beginBatch();
    filter.completeRebuild(COVERAGE);
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
    filter.completeRebuild(COVERAGE);
    assertThat(old.filter().mightContain(5)).isFalse();
    assertThat(holds(5)).isTrue();
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
