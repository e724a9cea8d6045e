/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.filter;

import static io.hbaseindex.core.filter.ScalableSplitCountingBloomFilter.RebuildReason.MANY_SEGMENTS;
import static io.hbaseindex.core.filter.ScalableSplitCountingBloomFilter.RebuildReason.SPARSE;
import static io.hbaseindex.core.filter.ScalableSplitCountingBloomFilter.RebuildReason.STUCK_COUNTERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ScalableSplitCountingBloomFilterTest {
  @Test
  void sealedSegment_whoseElementsAreGone_isDropped() {
    FilterChanges changes = new FilterChanges();
    ScalableSplitCountingBloomFilter filter =
        new ScalableSplitCountingBloomFilter(FilterGeometry.doubling(50, 1e-6), changes);
    long[] elements = new SplittableRandom(1).longs(120).toArray();
    Arrays.stream(elements).forEach(filter::insert);
    int grown = filter.segmentCount();

    Arrays.stream(elements).forEach(filter::delete);

    assertThat(grown).isGreaterThan(1);
    assertThat(filter.segmentCount()).isEqualTo(1);
    assertThat(filter.estimatedElements()).isZero();
  }

  @Test
  void delete_ofWhatIsProvablyAbsent_changesNothingAndSaysSo() {
    ScalableSplitCountingBloomFilter filter =
        new ScalableSplitCountingBloomFilter(FilterGeometry.standard(), FilterChangeListener.NONE);
    filter.insert(1);

    assertThat(filter.delete(2)).isFalse();
    assertThat(filter.mightContain(1)).isTrue();
    assertThat(filter.delete(1)).isTrue();
    assertThat(filter.delete(1)).isFalse();
  }

  @Test
  void frequentElements_beyondTheTablesBound_stickButAreNeverDenied() {
    ScalableSplitCountingBloomFilter filter =
        new ScalableSplitCountingBloomFilter(
            FilterGeometry.standard(), FilterChangeListener.NONE, 0, 2);
    long[] elements = new SplittableRandom(3).longs(4).toArray();
    for (long element : elements) {
      insert(filter, element, 70_000);
    }
    assertThat(filter.stuckCounters()).isPositive();

    for (long element : elements) {
      delete(filter, element, 69_999);
      assertThat(filter.mightContain(element)).isTrue();
    }
  }

  @Test
  void frequentElements_beyondTheTablesBound_areCountedBesideTheirCells() {
    ScalableSplitCountingBloomFilter filter =
        new ScalableSplitCountingBloomFilter(
            FilterGeometry.standard(), FilterChangeListener.NONE, 0, 0);
    insert(filter, 42, 60_000);

    delete(filter, 42, 59_999);
    assertThat(filter.mightContain(42)).isTrue();
    delete(filter, 42, 1);
    assertThat(filter.mightContain(42)).isFalse();
  }

  @Test
  void heavyTable_fullOfElementsThatAreRareAgain_makesRoomForNewOnes() {
    ScalableSplitCountingBloomFilter filter =
        new ScalableSplitCountingBloomFilter(
            FilterGeometry.standard(), FilterChangeListener.NONE, 0, 4);
    long[] elements = new SplittableRandom(4).longs(8).toArray();
    for (int at = 0; at < 4; at++) {
      insert(filter, elements[at], 10);
      delete(filter, elements[at], 7);
    }
    for (int at = 4; at < 8; at++) {
      insert(filter, elements[at], 100);
    }

    assertThat(filter.stuckCounters()).isZero();
    for (int at = 4; at < 8; at++) {
      delete(filter, elements[at], 100);
      assertThat(filter.mightContain(elements[at])).isFalse();
      assertThat(filter.mightContain(elements[at - 4])).isTrue();
    }
  }

  @Test
  void count_inAFilterOfItsSize_isNearlyAlwaysExact() {
    ScalableSplitCountingBloomFilter filter =
        new ScalableSplitCountingBloomFilter(
            FilterGeometry.standard(), FilterChangeListener.NONE, 10_000, 1 << 10);
    long[] elements = new SplittableRandom(5).longs(10_000).toArray();
    for (int at = 0; at < elements.length; at++) {
      insert(filter, elements[at], copies(at));
    }
    int exact = 0;
    for (int at = 0; at < elements.length; at++) {
      exact += filter.count(elements[at]).orElseThrow() == copies(at) ? 1 : 0;
    }

    assertThat(exact).isGreaterThan(9_950);
    assertThat(filter.count(42)).hasValue(0);
  }

  /** Most elements are there once, some in thousands. */
  private static int copies(int at) {
    return at % 1_000 == 0 ? 5_000 : 1 + at % 3;
  }

  @Test
  void count_ofAnElementWhoseCountersStick_isUnknown() {
    ScalableSplitCountingBloomFilter filter =
        new ScalableSplitCountingBloomFilter(
            FilterGeometry.standard(), FilterChangeListener.NONE, 0, 0);
    insert(filter, 42, 70_000);

    assertThat(filter.count(42)).isEmpty();
  }

  @Test
  void rebuildPays_afterMostElementsLeft_andNoMoreAfterTheRebuild() {
    ScalableSplitCountingBloomFilter filter =
        new ScalableSplitCountingBloomFilter(
            FilterGeometry.doubling(64, 1e-4), FilterChangeListener.NONE);
    long[] elements = new SplittableRandom(2).longs(20_000).toArray();
    Arrays.stream(elements).forEach(filter::insert);
    assertThat(filter.rebuildPays()).isNotEqualTo(Optional.of(SPARSE));

    Arrays.stream(elements).skip(500).forEach(filter::delete);
    assertThat(filter.rebuildPays()).contains(SPARSE);

    ScalableSplitCountingBloomFilter fresh =
        filter.rebuild(
            Arrays.stream(elements).limit(500).iterator(), 500, FilterChangeListener.NONE);
    assertThat(fresh.rebuildPays()).isEmpty();
    assertThat(fresh.bytes()).isLessThan(filter.bytes() / 4);
    assertThat(Arrays.stream(elements).limit(500).allMatch(fresh::mightContain)).isTrue();
  }

  @Test
  void rebuildPays_whenItWasMadeForThreeTimesAsMany_butNotForHalfAsManyAgain() {
    for (int elements = 10_000; elements < 21_000; elements += 500) {
      assertThat(madeFor(3 * elements, elements).rebuildPays()).contains(SPARSE);
      assertThat(madeFor(elements * 3 / 2, elements).rebuildPays()).isEmpty();
    }
  }

  private static ScalableSplitCountingBloomFilter madeFor(int expected, int elements) {
    ScalableSplitCountingBloomFilter filter =
        new ScalableSplitCountingBloomFilter(
            FilterGeometry.standard(), FilterChangeListener.NONE, expected, 0);
    new SplittableRandom(elements).longs(elements).forEach(filter::insert);
    return filter;
  }

  @Test
  void rebuildPays_whenManyCountersStuck() {
    ScalableSplitCountingBloomFilter filter =
        new ScalableSplitCountingBloomFilter(
            FilterGeometry.doubling(64, 1e-4), FilterChangeListener.NONE, 0, 0);
    for (long element = 0; element < 20; element++) {
      insert(filter, element, 2_000);
    }

    assertThat(filter.rebuildPays()).contains(STUCK_COUNTERS);
  }

  @Test
  void rebuildPays_whenTwoSegmentsCouldBeOne_andNoMoreAfterTheRebuild() {
    ScalableSplitCountingBloomFilter filter =
        new ScalableSplitCountingBloomFilter(
            FilterGeometry.doubling(64, 1e-4), FilterChangeListener.NONE);
    SplittableRandom random = new SplittableRandom(6);
    List<Long> elements = new ArrayList<>();
    while (filter.segmentCount() == 1) {
      assertThat(filter.rebuildPays()).as("with %d elements", elements.size()).isEmpty();
      elements.add(random.nextLong());
      filter.insert(elements.get(elements.size() - 1));
    }
    assertThat(filter.rebuildPays()).contains(MANY_SEGMENTS);
    assertThat(elements.size()).isBetween(64 - 8, 64 + 8);

    ScalableSplitCountingBloomFilter fresh =
        filter.rebuild(
            elements.stream().mapToLong(Long::longValue).iterator(),
            filter.elementsToRebuildFor(),
            FilterChangeListener.NONE);

    assertThat(fresh.segmentCount()).isEqualTo(1);
    while (elements.size() < 64 * 3 / 2 - 8) {
      assertThat(fresh.rebuildPays()).as("with %d elements", elements.size()).isEmpty();
      elements.add(random.nextLong());
      fresh.insert(elements.get(elements.size() - 1));
    }
  }

  @Test
  void rebuildPays_notForEqualSegments_whichARebuildCouldNotMakeFewer() {
    ScalableSplitCountingBloomFilter filter =
        new ScalableSplitCountingBloomFilter(
            FilterGeometry.equalSegments(64, 1e-3), FilterChangeListener.NONE);
    new SplittableRandom(7).longs(64 * 20).forEach(filter::insert);

    assertThat(filter.segmentCount()).isGreaterThan(10);
    assertThat(filter.rebuildPays()).isEmpty();
  }

  @Test
  void churn_atConstantSize_usesNoOrdinalTwiceAndNoLargerSegments() {
    SplittableRandom random = new SplittableRandom(8);
    ScalableSplitCountingBloomFilter filter =
        new ScalableSplitCountingBloomFilter(
            FilterGeometry.doubling(128, 1e-3), FilterChangeListener.NONE);
    long[] window = random.longs(100).toArray();
    Arrays.stream(window).forEach(filter::insert);
    for (int step = 0; step < 50_000; step++) {
      int at = random.nextInt(window.length);
      filter.delete(window[at]);
      window[at] = random.nextLong();
      filter.insert(window[at]);
    }
    Set<Integer> ordinals = new HashSet<>();

    for (ScalableSplitCountingBloomFilter.Link link : filter.chain()) {
      assertThat(ordinals.add(link.ordinal)).as("ordinal %d is used once", link.ordinal).isTrue();
      assertThat(link.level).isLessThanOrEqualTo(1);
    }
    assertThat(filter.segmentCount()).isLessThan(20);
    assertThat(filter.currentError()).isLessThan(1e-3);
  }

  @Test
  void droppedSegment_givesItsShareOfTheErrorToTheNextOne() {
    ScalableSplitCountingBloomFilter filter =
        new ScalableSplitCountingBloomFilter(
            FilterGeometry.doubling(64, 1e-3), FilterChangeListener.NONE);
    SplittableRandom random = new SplittableRandom(9);
    List<Long> first = new ArrayList<>();
    while (filter.segmentCount() == 1) {
      first.add(random.nextLong());
      filter.insert(first.get(first.size() - 1));
    }
    first.forEach(filter::delete);
    assertThat(filter.chain()).extracting(link -> link.ordinal).containsExactly(1);

    while (filter.segmentCount() == 1) {
      filter.insert(random.nextLong());
    }

    assertThat(filter.chain()).extracting(link -> link.ordinal).containsExactly(1, 0);
  }

  @Test
  void parameters_outOfRange_areRefusedWithWhatToDo() {
    assertThatThrownBy(() -> FilterGeometry.doubling(0, 0.1))
        .hasMessage(
            "Cannot lay out a filter: first capacity was 0; it must lie between 1 and 67108864");
    assertThatThrownBy(() -> FilterGeometry.doubling(1, 1.5))
        .hasMessageStartingWith("Cannot size a filter: error was ");
    assertThatThrownBy(() -> new FilterGeometry(1, 0.1, 3, true))
        .hasMessage("Cannot lay out a filter: growth was 3; it must be 1 or 2");
    assertThatThrownBy(() -> SplitCountingBloomFilter.forBits(3, 4))
        .hasMessage(
            "Cannot size a filter: 3 bits for 4 slices; at least one bit per slice is needed");
    assertThatThrownBy(() -> new SizeClass(30, 1L << 40)).hasMessageContaining("smaller capacity");
  }

  private static void insert(CountingFilter filter, long element, int copies) {
    for (int copy = 0; copy < copies; copy++) {
      filter.insert(element);
    }
  }

  private static void delete(CountingFilter filter, long element, int copies) {
    for (int copy = 0; copy < copies; copy++) {
      filter.delete(element);
    }
  }
}
