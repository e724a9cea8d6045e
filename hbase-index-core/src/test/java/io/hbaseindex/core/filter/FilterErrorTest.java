/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Measured error against theory, at sample sizes where ten per cent is far outside of chance. */
class FilterErrorTest {
  /** False positives to wait for: their count then varies by about 1.6 % (one sigma). */
  private static final int ENOUGH = 4000;

  @ParameterizedTest(name = "k = {0}, {1} segments")
  @CsvSource({"7, 1", "7, 4", "7, 16", "10, 1", "10, 4", "10, 16", "14, 1", "14, 4", "14, 16"})
  void equalSegments_halfFull_errorMatchesTheory(int slices, int segments) {
    long capacity = 1000;
    FilterGeometry geometry = FilterGeometry.equalSegments(capacity, Math.pow(2, -slices));
    SplittableRandom random = new SplittableRandom(31L * slices + segments);
    ScalableSplitCountingBloomFilter filter =
        new ScalableSplitCountingBloomFilter(geometry, FilterChangeListener.NONE);
    while (filter.segmentCount() <= segments) {
      filter.insert(random.nextLong());
    }
    // The element that opened one segment more is in there alone and contributes nothing.
    double theory = 1 - Math.pow(1 - Math.pow(2, -slices), segments);

    assertThat(measuredError(filter, random) / theory).isCloseTo(1.0, within(0.1));
  }

  /** Where hashes that depend on each other show first: double hashing lets far more pass here. */
  @Test
  void smallFilters_letPassWhatTheirFillSays() {
    int capacity = 10;
    SplittableRandom random = new SplittableRandom(7);
    double expected = 0;
    int passed = 0;
    for (int filters = 0; filters < 2500; filters++) {
      SplitCountingBloomFilter filter = SplitCountingBloomFilter.forCapacity(capacity, 0x1p-10);
      random.longs(capacity).forEach(filter::insert);
      int asked = 1000;
      expected += asked * filter.currentError();
      passed += (int) random.longs(asked).filter(filter::mightContain).count();
    }

    assertThat(passed / expected).isCloseTo(1.0, within(0.1));
  }

  @Test
  void doublingChain_atSixtyFourTimesItsFirstCapacity_keepsItsTarget() {
    double target = 1e-3;
    long first = 500;
    SplittableRandom random = new SplittableRandom(5);
    ScalableSplitCountingBloomFilter filter =
        new ScalableSplitCountingBloomFilter(
            FilterGeometry.doubling(first, target), FilterChangeListener.NONE);
    double worst = 0;
    for (long inserted = 1; inserted <= 128 * first; inserted++) {
      filter.insert(random.nextLong());
      if (inserted % (16 * first) == 0) {
        worst = Math.max(worst, measuredError(filter, random, 100));
      }
    }

    assertThat(filter.segmentCount()).isGreaterThanOrEqualTo(7);
    assertThat(worst).isLessThan(target);
    assertThat(filter.currentError()).isLessThan(target);
  }

  @Test
  void fullEqualSegment_atOnePerMille_takesAtMost14Point5BitsPerKey() {
    long capacity = 10_000;
    SplitCountingBloomFilter filter = SplitCountingBloomFilter.forCapacity(capacity, 1e-3);

    assertThat(bitsPerKey(filter.sizeClass().cells(), insertUntilHalfFull(filter)))
        .isLessThanOrEqualTo(14.5);
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 7, 10})
  void fullDoublingChain_atOnePerMille_takesAtMost22BitsPerKey(int segments) {
    FilterGeometry geometry = FilterGeometry.doubling(256, 1e-3);
    ScalableSplitCountingBloomFilter filter =
        new ScalableSplitCountingBloomFilter(geometry, FilterChangeListener.NONE);
    SplittableRandom random = new SplittableRandom(9);
    long inserted = 0;
    long cellsWhenFull = 0;
    while (filter.segmentCount() <= segments) {
      cellsWhenFull = filter.cells();
      filter.insert(random.nextLong());
      inserted++;
    }
    System.out.printf(
        "bits per key, doubling chain of %d segments at 0.1 %%: full %.1f, just grown %.1f%n",
        segments, bitsPerKey(cellsWhenFull, inserted - 1), bitsPerKey(filter.cells(), inserted));

    assertThat(bitsPerKey(cellsWhenFull, inserted - 1)).isLessThanOrEqualTo(22);
    assertThat(bitsPerKey(filter.cells(), inserted)).isLessThanOrEqualTo(3 * 22);
  }

  @Test
  void filter_fromBitsAndSlices_holdsTheSeedsOptimum() {
    // 45 * 1024 * 8 bits and k = 10: the published example.
    SplitCountingBloomFilter filter = SplitCountingBloomFilter.forBits(45 * 1024 * 8, 10);

    assertThat(filter.sizeClass().slots()).isEqualTo(36_864);
    assertThat(filter.sizeClass().capacity()).isEqualTo(25_552);
    assertThat((double) insertUntilHalfFull(filter)).isCloseTo(25_552, within(300.0));
    assertThat(filter.currentError()).isCloseTo(Math.pow(2, -10), within(2e-5));
  }

  private static long insertUntilHalfFull(SplitCountingBloomFilter filter) {
    SplittableRandom random = new SplittableRandom(3);
    long inserted = 0;
    while (!filter.isFull()) {
      filter.insert(random.nextLong());
      inserted++;
    }
    return inserted;
  }

  private static double bitsPerKey(long bits, long keys) {
    return (double) bits / keys;
  }

  private static double measuredError(MembershipFilter filter, SplittableRandom random) {
    return measuredError(filter, random, ENOUGH);
  }

  /** Random 64-bit hashes are absent but for a chance of 2^-40. */
  private static double measuredError(
      MembershipFilter filter, SplittableRandom random, int falsePositives) {
    long asked = 0;
    for (int found = 0; found < falsePositives; asked++) {
      if (filter.mightContain(random.nextLong())) {
        found++;
      }
    }
    return (double) falsePositives / asked;
  }
}
