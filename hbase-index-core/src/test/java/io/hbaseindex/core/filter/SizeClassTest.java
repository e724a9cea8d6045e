/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SizeClassTest {
  private static final SizeClass LARGE = SizeClass.forCapacity(1_000_000, 1e-3);

  /** A server of another release must find the same: a new mapping needs new blob versions. */
  @Test
  void positions_areThoseOfTheFormat() {
    assertThat(positionsOf42(new SizeClass(4, 1_003))).containsExactly(694L, 1561L, 2916L, 3068L);
    assertThat(positionsOf42(new SizeClass(4, 1024 * 1000)))
        .containsExactly(2675397L, 2676281L, 2677665L, 2677820L);
  }

  private static LongStream positionsOf42(SizeClass shape) {
    return IntStream.range(0, 4).mapToLong(slice -> shape.position(42, slice));
  }

  @Test
  void positions_ofEachSlice_lieInThatSlice_andReachItsEnds() {
    SizeClass shape = new SizeClass(64, 7);
    for (int slice = 0; slice < 64; slice++) {
      long[] seen = new long[7];
      for (long element = 0; element < 700; element++) {
        seen[(int) (shape.position(element, slice) - 7L * slice)]++;
      }
      // 100 each are expected; six sigma are 56.
      assertThat(Arrays.stream(seen))
          .as("slice %d", slice)
          .allMatch(count -> count > 44 && count < 156);
    }
  }

  @Test
  void smallSegment_isOnePatch_asPublished() {
    SizeClass small = SizeClass.forCapacity(90_000, 1e-3);

    assertThat(small.patches()).isEqualTo(1);
    assertThat(small.slots()).isEqualTo((long) Math.ceil(90_000 / Math.log(2)));
    assertThat(small.cellsWhenFull()).isEqualTo(small.cells() / 2);
  }

  @Test
  void largeSegment_keepsTheCellsOfAnElementInOnePatch_andEachInItsSlice() {
    long patchCells = LARGE.slices() * LARGE.patchSlots();
    SplittableRandom random = new SplittableRandom(1);
    for (int round = 0; round < 10_000; round++) {
      long element = random.nextLong();
      long patch = LARGE.position(element, 0) / patchCells;
      for (int slice = 0; slice < LARGE.slices(); slice++) {
        long position = LARGE.position(element, slice);
        assertThat(position / patchCells).isEqualTo(patch);
        assertThat(position % patchCells / LARGE.patchSlots()).isEqualTo(slice);
        assertThat(position).isBetween(0L, LARGE.cells() - 1);
      }
    }
  }

  @Test
  void elements_evenConsecutiveOnes_areSpreadOverAllPatchesAndSlots() {
    int[] ofPatch = new int[(int) LARGE.patches()];
    int[] ofSlot = new int[(int) LARGE.patchSlots()];
    int each = 1000;
    for (long element = 0; element < (long) each * ofPatch.length; element++) {
      long position = LARGE.position(element, 3);
      ofPatch[(int) (position / LARGE.patchSlots() / LARGE.slices())]++;
      ofSlot[(int) (position % LARGE.patchSlots())]++;
    }

    // Six sigma around the mean.
    assertThat(Arrays.stream(ofPatch)).allMatch(count -> Math.abs(count - each) < 190);
    double perSlot = (double) each * ofPatch.length / ofSlot.length;
    assertThat(Arrays.stream(ofSlot))
        .allMatch(count -> Math.abs(count - perSlot) < 6 * Math.sqrt(perSlot));
  }

  /** Most patches have no element then, and a few have one. */
  @Test
  void largeSegment_withFewElements_hasAnErrorFarBelowItsPromise() {
    int slices = 19;
    SplitCountingBloomFilter filter =
        new SplitCountingBloomFilter(SizeClass.forSlices(1_000_000, slices));
    assertThat(filter.currentError()).isZero();
    filter.insert(1);
    assertThat(filter.currentError()).isBetween(0.99 * exactError(filter), 1e-50);

    SplittableRandom random = new SplittableRandom(3);
    double before = 0;
    while (!filter.isFull()) {
      assertThat(filter.currentError()).isBetween(before, 1.04 * Math.pow(2, -slices));
      before = filter.currentError();
      for (int i = 0; i < 20_000 && !filter.isFull(); i++) {
        filter.insert(random.nextLong());
      }
    }
  }

  /**
   * Read off the plane, not sampled: the mean over all patches of the chance to pass there. A half
   * full segment of so many slices would exceed the promise by 12 %.
   */
  @Test
  void largeSegment_whenFull_hasTheErrorThatItsSlicesPromise() {
    int slices = 19;
    SplitCountingBloomFilter filter =
        new SplitCountingBloomFilter(SizeClass.forSlices(1_000_000, slices));
    SplittableRandom random = new SplittableRandom(2);
    long inserted = 0;
    while (!filter.isFull()) {
      filter.insert(random.nextLong());
      inserted++;
    }

    assertThat(inserted / 1e6).isCloseTo(1, within(0.003));
    assertThat(exactError(filter) / Math.pow(2, -slices)).isCloseTo(1, within(0.04));
    assertThat(filter.currentError() / exactError(filter)).isCloseTo(1, within(0.04));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 1000, 90_852, 90_853, 100_000, 1_000_000, 123_456_789})
  void shape_forACapacity_takesThatManyAndLittleMore(long capacity) {
    SizeClass shape = SizeClass.forCapacity(capacity, 1e-3);

    assertThat(shape.capacity()).isBetween(capacity - 1, capacity + capacity / 100 + 1);
    assertThat((double) shape.cells() / capacity).isLessThanOrEqualTo(capacity < 100 ? 20 : 14.6);
  }

  @Test
  void shape_forBits_neverTakesMore() {
    LongStream.of(10, 1_310_719, 1_310_730, 5_000_001, 99_999_999)
        .forEach(
            bits ->
                assertThat(SizeClass.forBits(bits, 10).cells())
                    .isBetween(bits - bits / 100 - 9, bits));
  }

  @Test
  void slots_thatMakeNoWholePatches_areRefused() {
    assertThatThrownBy(() -> new SizeClass(10, LARGE.slots() + 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith("from 131072 on it must be a multiple of 1024");
  }

  private static double exactError(SplitCountingBloomFilter filter) {
    SizeClass shape = filter.sizeClass();
    return LongStream.range(0, shape.patches())
        .mapToDouble(patch -> chanceToPass(filter.plane(), shape, patch))
        .average()
        .orElseThrow();
  }

  private static double chanceToPass(BitPlane plane, SizeClass shape, long patch) {
    double chance = 1;
    for (int slice = 0; slice < shape.slices(); slice++) {
      long from = (patch * shape.slices() + slice) * shape.patchSlots();
      long set = LongStream.range(from, from + shape.patchSlots()).filter(plane::get).count();
      chance *= (double) set / shape.patchSlots();
    }
    return chance;
  }
}
