/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FilterGeometryTest {
  private static final int FAR_BEYOND_ANY_CHAIN = 2000;

  @ParameterizedTest
  @ValueSource(doubles = {0.9, 0.5, 0.1, 1e-2, 1e-3, 1e-4, 1e-6, 0x1p-10, 0x1p-13})
  void sharedError_ofAllOrdinalsTogether_isNeverUsedUp(double error) {
    FilterGeometry geometry = FilterGeometry.doubling(1024, error);

    double used =
        IntStream.range(0, FAR_BEYOND_ANY_CHAIN)
            .mapToObj(ordinal -> geometry.sizeClass(0, ordinal))
            .takeWhile(shape -> shape.slices() < SizeClass.MAX_SLICES)
            .mapToDouble(shape -> Math.pow(2, -shape.slices()))
            .sum();

    assertThat(used).isLessThanOrEqualTo(error).isGreaterThan(0.75 * error);
  }

  @ParameterizedTest
  @CsvSource({"1e-2, 8", "1e-3, 11", "1e-4, 14", "1e-5, 18"})
  void firstOrdinal_whichIsAllOfASizedChain_hasHardlyMoreSlicesThanItsErrorNeeds(
      double error, int slices) {
    assertThat(FilterGeometry.doubling(1024, error).sizeClass(10, 0).slices()).isEqualTo(slices);
  }

  @Test
  void slices_dependOnTheOrdinalAlone_andNeverFall() {
    FilterGeometry geometry = FilterGeometry.standard();
    int before = 0;
    for (int ordinal = 0; ordinal < FAR_BEYOND_ANY_CHAIN; ordinal++) {
      int slices = geometry.sizeClass(0, ordinal).slices();
      assertThat(geometry.sizeClass(9, ordinal).slices()).isEqualTo(slices);
      assertThat(slices).isBetween(before, SizeClass.MAX_SLICES);
      before = slices;
    }
  }

  @Test
  void levels_fourToADoubling_growUpToTheLargestSegment() {
    FilterGeometry geometry = FilterGeometry.doubling(1000, 1e-3);

    assertThat(IntStream.range(0, 6).mapToLong(geometry::capacityOf))
        .containsExactly(1000L, 1250L, 1500L, 1750L, 2000L, 2500L);
    assertThat(geometry.capacityOf(Integer.MAX_VALUE))
        .isEqualTo(FilterGeometry.MAX_SEGMENT_CAPACITY);
    for (long elements = 1; elements < 1L << 40; elements = elements * 3 + 1) {
      int level = geometry.smallestLevelFor(elements);
      long capacity = geometry.capacityOf(level);
      assertThat(capacity)
          .isGreaterThanOrEqualTo(Math.min(elements, FilterGeometry.MAX_SEGMENT_CAPACITY))
          .isLessThanOrEqualTo(Math.max(1000, elements + elements / 4));
    }
  }

  @Test
  void equalSegments_haveOneShapeWhateverTheirOrdinal() {
    FilterGeometry geometry = FilterGeometry.equalSegments(1000, 1e-3);

    assertThat(geometry.sizeClass(5, 7)).isEqualTo(SizeClass.forCapacity(1000, 1e-3));
    assertThat(geometry.chainErrorBound()).isEqualTo(1.0);
  }

  @Test
  void forRegions_namesATenthOfARegionByMistakeAtMost_andIsTheStandardUpToAThousand() {
    assertThat(FilterGeometry.forRegions(0)).isEqualTo(FilterGeometry.standard());
    assertThat(FilterGeometry.forRegions(1_000)).isEqualTo(FilterGeometry.standard());
    for (long regions = 1; regions < 10_000_000; regions = regions * 3 + 1) {
      FilterGeometry chosen = FilterGeometry.forRegions(regions);
      assertThat(regions * chosen.chainErrorBound()).isLessThanOrEqualTo(0.1);
      assertThat(chosen.isLike(FilterGeometry.standard())).isTrue();
      assertThat(chosen.error()).isGreaterThanOrEqualTo(Math.min(1e-4, 0.1 / regions / 4));
    }
  }
}
