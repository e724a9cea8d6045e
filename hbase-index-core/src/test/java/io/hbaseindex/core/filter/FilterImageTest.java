/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.core.memory.PagedMemory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FilterImageTest {
  private static final FilterGeometry SMALL = FilterGeometry.doubling(8, 1e-2);

  private static ScalableSplitCountingBloomFilter filter(FilterGeometry geometry) {
    return new ScalableSplitCountingBloomFilter(geometry, FilterChangeListener.NONE);
  }

  private static ScalableSplitCountingBloomFilter putTogether(
      FilterImage.Outline outline,
      List<FilterImage.Frequent> frequent,
      List<FilterImage.Piece> all) {
    ScalableSplitCountingBloomFilter filter =
        FilterImage.emptyOf(PagedMemory.heap(), outline, FilterChangeListener.NONE).orElseThrow();
    frequent.forEach(element -> assertThat(FilterImage.restore(filter, element)).isTrue());
    all.forEach(piece -> FilterImage.restore(filter, piece));
    return filter;
  }

  private static ScalableSplitCountingBloomFilter copyOf(ScalableSplitCountingBloomFilter filter) {
    FilterImage image = FilterImage.of(filter);
    List<FilterImage.Piece> pieces = new ArrayList<>();
    for (var piece = image.next(); piece.isPresent(); piece = image.next()) {
      pieces.add(piece.get());
    }
    return putTogether(image.outline(), image.frequent(), pieces);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 100, 5_000, 400_000})
  void filterAtRest_isTheSameAgain_andForgetsExactly(int elements) {
    ScalableSplitCountingBloomFilter filter =
        new ScalableSplitCountingBloomFilter(
            FilterGeometry.standard(), FilterChangeListener.NONE, elements / 2, 1 << 10);
    long[] distinct = new SplittableRandom(elements).longs(elements).toArray();
    List<Long> all = new ArrayList<>();
    for (int at = 0; at < elements; at++) {
      for (int copy = 0; copy < (at % 50 == 0 ? 9 : 1); copy++) {
        filter.insert(distinct[at]);
        all.add(distinct[at]);
      }
    }

    ScalableSplitCountingBloomFilter copy = copyOf(filter);

    assertThat(FilterCodec.encode(copy.snapshot()))
        .isEqualTo(FilterCodec.encode(filter.snapshot()));
    assertThat(copy.estimatedElements()).isEqualTo(filter.estimatedElements());
    assertThat(copy.currentError()).isEqualTo(filter.currentError());
    assertThat(copy.stuckCounters()).isEqualTo(filter.stuckCounters());
    all.forEach(copy::delete);
    assertThat(copy.estimatedElements()).isZero();
  }

  /** So many counters are above three that their cells are digits, in the copy as well. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 7})
  void elementsWithAFewCopiesEach_areTheSameAgain_andForgetExactly(int copies) {
    ScalableSplitCountingBloomFilter filter =
        new ScalableSplitCountingBloomFilter(
            FilterGeometry.standard(), FilterChangeListener.NONE, 20_000, 0);
    for (int copy = 0; copy < copies; copy++) {
      new SplittableRandom(5).longs(20_000).forEach(filter::insert);
    }

    ScalableSplitCountingBloomFilter copy = copyOf(filter);

    assertThat(FilterCodec.encode(copy.snapshot()))
        .isEqualTo(FilterCodec.encode(filter.snapshot()));
    for (int deleted = 0; deleted < copies; deleted++) {
      assertThat(new SplittableRandom(5).longs(20_000)).allMatch(copy::mightContain);
      new SplittableRandom(5).longs(20_000).forEach(copy::delete);
    }
    assertThat(copy.estimatedElements()).isZero();
    assertThat(copy.stuckCounters()).isZero();
  }

  @Test
  void countersBeyondAllRoom_stickInTheCopyToo() {
    FilterGeometry geometry = FilterGeometry.equalSegments(200, 0.1);
    ScalableSplitCountingBloomFilter filter =
        new ScalableSplitCountingBloomFilter(geometry, FilterChangeListener.NONE, 0, 0);
    for (int copy = 0; copy < 70_000; copy++) {
      filter.insert(1);
    }
    for (long element = 2; element < 150; element++) {
      for (int copy = 0; copy < 40; copy++) {
        filter.insert(element);
      }
    }

    ScalableSplitCountingBloomFilter copy = copyOf(filter);

    assertThat(copy.stuckCounters()).isPositive().isEqualTo(filter.stuckCounters());
    for (int times = 0; times < 70_000; times++) {
      copy.delete(1);
    }
    assertThat(copy.mightContain(1)).as("stuck counters stay").isTrue();
  }

  @Test
  void copyWithLessMemory_hasCountersThatAreTooHigh_neverTooLow() {
    ScalableSplitCountingBloomFilter filter =
        new ScalableSplitCountingBloomFilter(
            FilterGeometry.equalSegments(2_000, 1e-3), FilterChangeListener.NONE, 0, 0);
    long[] elements = new SplittableRandom(3).longs(500).toArray();
    for (long element : elements) {
      for (int copy = 0; copy < 12; copy++) {
        filter.insert(element);
      }
    }
    FilterImage image = FilterImage.of(filter);
    long scarce = ScalableSplitCountingBloomFilter.bytesFor(filter.geometry(), 0);
    ScalableSplitCountingBloomFilter copy =
        FilterImage.emptyOf(PagedMemory.direct(scarce), image.outline(), FilterChangeListener.NONE)
            .orElseThrow();
    for (var piece = image.next(); piece.isPresent(); piece = image.next()) {
      FilterImage.restore(copy, piece.get());
    }

    assertThat(copy.stuckCounters()).isPositive();
    for (int round = 0; round < 11; round++) {
      for (long element : elements) {
        copy.delete(element);
      }
    }
    for (long element : elements) {
      assertThat(copy.mightContain(element)).isTrue();
    }
  }

  /** As an earlier release stored it: a cell at three may be more, and nothing says which. */
  @Test
  void s2_storedWhenExcessesWereLost_cellsAtTheirTopStick() {
    ScalableSplitCountingBloomFilter filter =
        new ScalableSplitCountingBloomFilter(
            FilterGeometry.equalSegments(2_000, 1e-3), FilterChangeListener.NONE, 0, 0);
    for (int copy = 0; copy < 3; copy++) {
      filter.insert(1);
    }
    filter.insert(2);
    FilterImage image = FilterImage.of(filter);
    ScalableSplitCountingBloomFilter copy =
        FilterImage.emptyOf(PagedMemory.heap(), image.outline(), FilterChangeListener.NONE)
            .orElseThrow();
    for (var piece = image.next(); piece.isPresent(); piece = image.next()) {
      FilterImage.Piece taken = piece.get();
      FilterImage.restore(
          copy,
          new FilterImage.Piece(
              taken.segment(), taken.firstWord(), taken.words(), true, taken.excesses()));
    }

    for (int times = 0; times < 5; times++) {
      copy.delete(1);
      copy.delete(2);
    }
    assertThat(copy.mightContain(1)).isTrue();
    assertThat(copy.mightContain(2)).isFalse();
  }

  @Test
  void withoutMemory_thereIsNoCopy_andNothingIsTaken() {
    ScalableSplitCountingBloomFilter filter = filter(SMALL);
    for (long element = 0; element < 1_000; element++) {
      filter.insert(element * 0x9E3779B97F4A7C15L);
    }
    FilterImage.Outline outline = FilterImage.of(filter).outline();
    assertThat(outline.segments().size()).isGreaterThan(3);
    PagedMemory scarce = PagedMemory.direct(3 << 12);

    assertThat(FilterImage.emptyOf(scarce, outline, FilterChangeListener.NONE)).isEmpty();
    assertThat(scarce.takenBytes()).isZero();
  }

  /**
   * Writers come between any two pieces. Whatever they do, the image with what they have inserted,
   * and with what they have deleted counted again, lacks nothing: not now, and not while all of it
   * is deleted one by one.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void filterThatIsWrittenMeanwhile_neverLacksAnElement(long seed) {
    for (int round = 0; round < 60; round++) {
      new WrittenMeanwhile(seed * 1_000 + round).run();
    }
  }

  private static final class WrittenMeanwhile {
    private final SplittableRandom random;
    private final long[] universe;
    private final ScalableSplitCountingBloomFilter filter = filter(SMALL);
    private final List<Long> live = new ArrayList<>();

    WrittenMeanwhile(long seed) {
      random = new SplittableRandom(seed);
      universe = random.longs(random.nextInt(5, 120)).toArray();
    }

    private Optional<Long> insert() {
      long element = universe[random.nextInt(universe.length)];
      filter.insert(element);
      live.add(element);
      return Optional.of(element);
    }

    private Optional<Long> delete() {
      if (live.isEmpty()) {
        return Optional.empty();
      }
      Long element = live.remove(random.nextInt(live.size()));
      filter.delete(element);
      return Optional.of(element);
    }

    void run() {
      for (int step = random.nextInt(500); step > 0; step--) {
        var done = random.nextInt(3) == 0 ? delete() : insert();
        assertThat(done).isNotNull();
      }
      List<Long> expected = new ArrayList<>(live);
      List<Long> again = new ArrayList<>();
      List<Long> inserted = new ArrayList<>();
      FilterImage image = FilterImage.of(filter, CarryBlocks.CELL_WORDS);
      FilterImage.Outline outline = image.outline();
      List<FilterImage.Frequent> frequent = image.frequent();
      List<FilterImage.Piece> pieces = new ArrayList<>();
      int writes = random.nextInt(12);
      double deletes = random.nextDouble();
      for (var piece = image.next(); piece.isPresent(); piece = image.next()) {
        pieces.add(piece.get());
        for (int step = 0; step < writes; step++) {
          if (random.nextDouble() < deletes) {
            delete().ifPresent(again::add);
          } else {
            insert().ifPresent(inserted::add);
          }
        }
      }
      ScalableSplitCountingBloomFilter copy = putTogether(outline, frequent, pieces);
      again.forEach(element -> FilterImage.countAgain(copy, element));
      inserted.forEach(copy::insert);
      expected.addAll(inserted);
      Collections.shuffle(expected, new Random(random.nextLong()));
      while (!expected.isEmpty()) {
        assertThat(expected.stream().filter(element -> !copy.mightContain(element))).isEmpty();
        copy.delete(expected.remove(expected.size() - 1));
      }
    }
  }

  @Test
  void piecesThatMakeNoSense_areRefused() {
    ScalableSplitCountingBloomFilter filter = filter(FilterGeometry.doubling(9, 0.3));
    long words = filter.chain()[0].filter.counters().wordCount();
    long cells = filter.chain()[0].filter.counters().size();
    assertThat(cells % 32).isNotZero();

    int last = (int) words - 1;
    assertRefused(filter, piece(1, 0, new long[(int) words]));
    assertRefused(filter, piece(0, words, new long[1]));
    assertRefused(filter, piece(0, -CarryBlocks.CELL_WORDS, new long[CarryBlocks.CELL_WORDS]));
    assertRefused(filter, piece(0, 0, words(words, last, -1)));
    assertRefused(filter, piece(0, 0, new long[last]));
    assertRefused(filter, piece(0, 1, new long[last]));
    assertRefused(filter, piece(0, 0, words(words, 0, 2), 1));
    assertRefused(filter(filter.geometry()), piece(0, 0, words(words, 0, 3), 0));
    assertRefused(filter(filter.geometry()), piece(0, 0, words(words, 0, 3), cells << 16 | 1));
    FilterImage.Piece sound = piece(0, 0, words(words, 0, 3), 1);
    ScalableSplitCountingBloomFilter fresh = filter(filter.geometry());
    FilterImage.restore(fresh, sound);
    assertRefused(fresh, sound);
  }

  private static FilterImage.Piece piece(
      int segment, long firstWord, long[] words, long... excesses) {
    return new FilterImage.Piece(segment, firstWord, words, false, excesses);
  }

  private static long[] words(long count, int at, long word) {
    long[] words = new long[(int) count];
    words[at] = word;
    return words;
  }

  private static void assertRefused(
      ScalableSplitCountingBloomFilter filter, FilterImage.Piece piece) {
    assertThatThrownBy(() -> FilterImage.restore(filter, piece))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
