/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.tuple;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.hbaseindex.core.filter.BloomShape;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MatrixLayoutTest {
  /** The two cuts of the published tables, there written 0x5 and 0x3: they share attribute 0. */
  private static final List<AttributeSet> PUBLISHED_CUTS =
      List.of(new AttributeSet(0x5), new AttributeSet(0x3));

  private static final double BITS_PER_MEBIBYTE = 8 << 20;

  @ParameterizedTest(name = "error 1e-{0}")
  @CsvSource({
    // The paper prints 13125.00 and 105007.00: the fractions .9996 and .9968 were rounded up to a
    // whole without carrying it.
    "1, 13126.00, 2.74",
    "2, 105008.00, 10.96",
    "3, 354328.05, 24.65",
    "4, 839932.53, 43.81",
    "5, 1640339.20, 68.46"
  })
  void bits_forThousandElements_areThoseOfTable3(int exponent, String bfm, String cbfm) {
    long axis = MatrixLayout.axisLength(1_000, Math.pow(10, -exponent));

    assertThat(mebibytes(MatrixLayout.uniform(3, axis, List.of()))).isEqualTo(bfm);
    assertThat(mebibytes(MatrixLayout.uniform(3, axis, PUBLISHED_CUTS))).isEqualTo(cbfm);
  }

  @ParameterizedTest(name = "error 1e-{0}")
  @CsvSource({"1, 42, 604", "2, 21, 302", "3, 14, 201", "4, 10, 151", "5, 8, 121"})
  void elements_inOneMebibyte_areThoseOfTable2(int exponent, long bfm, long cbfm) {
    double bitsPerElement = BloomShape.optimalBits(1, Math.pow(10, -exponent));
    double bfmAxis = Math.cbrt(BITS_PER_MEBIBYTE);
    // (m + 1)² + m = 2^23
    double cbfmAxis = (-3 + Math.sqrt(5 + 4 * BITS_PER_MEBIBYTE)) / 2;

    // The columns are rounded differently: 10.6 elements are printed as 10, 120.8 as 121.
    assertThat((long) (bfmAxis / bitsPerElement)).isEqualTo(bfm);
    assertThat(Math.round(cbfmAxis / bitsPerElement)).isEqualTo(cbfm);
    assertThat(layoutOfOneMebibyte(PUBLISHED_CUTS).axisLength(0)).isEqualTo((long) cbfmAxis);
    assertThat(layoutOfOneMebibyte(List.of()).axisLength(0)).isEqualTo((long) bfmAxis - 1);
  }

  private static MatrixLayout layoutOfOneMebibyte(List<AttributeSet> cuts) {
    return MatrixLayout.within((long) BITS_PER_MEBIBYTE, new double[] {1, 1, 1}, cuts);
  }

  @ParameterizedTest(name = "error 1e-{0}")
  @CsvSource({"1, 2.74", "2, 10.96", "3, 24.65", "4, 43.81", "5, 68.46"})
  void allocation_equalsTheFormula(int exponent, String cbfm) {
    long axis = MatrixLayout.axisLength(1_000, Math.pow(10, -exponent));
    MatrixLayout layout = MatrixLayout.uniform(3, axis, PUBLISHED_CUTS);

    TupleFilter filter = new CutBloomFilterMatrix(layout, 3, MemoryLimit.ofMebibytes(70));

    assertThat(filter.memoryBits()).isEqualTo((axis + 1) * (axis + 1) + axis);
    assertThat("%.2f".formatted(filter.memoryBits() / BITS_PER_MEBIBYTE)).isEqualTo(cbfm);
  }

  @Test
  void bits_ofDisjointCuts_areThoseOfThePublishedFormula() {
    long m = 7;
    MatrixLayout layout =
        MatrixLayout.uniform(6, m, List.of(AttributeSet.of(0, 1), AttributeSet.of(2, 4, 5)));

    // (m+1)^(d - Σr) ∏ ((m+1)^r - m^r)
    long expected = (m + 1) * (8 * 8 - 7 * 7) * (8 * 8 * 8 - 7 * 7 * 7);
    assertThat(layout.bits()).isEqualTo(BigInteger.valueOf(expected));
  }

  @Test
  void bits_ofCutsThatShareAnAttribute_areNotThoseOfThePublishedFormula() {
    long m = 9;

    BigInteger bits = MatrixLayout.uniform(3, m, PUBLISHED_CUTS).bits();

    // The exponent d - Σr would be -1: (m+1)^-1 ((m+1)² - m²)².
    double published = Math.pow((m + 1) * (m + 1) - m * m, 2) / (m + 1);
    assertThat(bits).isEqualTo(BigInteger.valueOf(1 + 3 * m + m * m));
    assertThat(bits.doubleValue()).isGreaterThan(3 * published);
  }

  @Test
  void bits_ofUnequalAxes_areTheSumOfProducts() {
    MatrixLayout layout =
        MatrixLayout.ofAxes(new long[] {2, 30, 400}, List.of(AttributeSet.of(0, 2)));

    assertThat(layout.bits()).isEqualTo(BigInteger.valueOf(1 + 2 + 30 + 400 + 2 * 30 + 30 * 400));
    assertThat(layout.combinationCount()).isEqualTo(6);
  }

  @Test
  void cutOfAContainedCombination_changesNothing() {
    List<AttributeSet> cuts = List.of(AttributeSet.of(0, 1));
    List<AttributeSet> redundant =
        List.of(AttributeSet.of(0, 1, 2), AttributeSet.of(0, 1), AttributeSet.of(0, 1));

    assertThat(MatrixLayout.uniform(3, 5, redundant).bits())
        .isEqualTo(MatrixLayout.uniform(3, 5, cuts).bits());
  }

  @Test
  void parts_ofQueriesWithCuts_areTheLargestKeptCombinations() {
    MatrixLayout layout =
        MatrixLayout.uniform(4, 5, List.of(AttributeSet.of(0, 1), AttributeSet.of(1, 2, 3)));

    assertThat(layout.parts(AttributeSet.of(0, 2))).containsExactly(AttributeSet.of(0, 2));
    assertThat(layout.parts(AttributeSet.of(0, 1)))
        .containsExactlyInAnyOrder(AttributeSet.of(0), AttributeSet.of(1));
    assertThat(layout.parts(AttributeSet.first(4)))
        .containsExactlyInAnyOrder(
            AttributeSet.of(0, 2, 3), AttributeSet.of(1, 2), AttributeSet.of(1, 3));
    assertThat(layout.parts(AttributeSet.NONE)).containsExactly(AttributeSet.NONE);
  }

  @Test
  void parts_ofAnAttributeCutAlone_areNone() {
    MatrixLayout layout = MatrixLayout.uniform(2, 5, List.of(AttributeSet.of(1)));

    assertThat(layout.parts(AttributeSet.of(1))).containsExactly(AttributeSet.NONE);
    assertThat(layout.parts(AttributeSet.of(0, 1))).containsExactly(AttributeSet.of(0));
  }

  @Test
  void sixteenAttributes_withTriplesCut_keepPairs() {
    List<AttributeSet> triples = new ArrayList<>();
    for (int bits = 0; bits < 1 << 16; bits++) {
      if (Integer.bitCount(bits) == 3) {
        triples.add(new AttributeSet(bits));
      }
    }

    MatrixLayout layout = MatrixLayout.uniform(16, 100, triples);

    assertThat(layout.combinationCount()).isEqualTo(1 + 16 + 120);
    assertThat(layout.bits()).isEqualTo(BigInteger.valueOf(1 + 16 * 100 + 120 * 10_000));
  }

  @Test
  void sixteenAttributes_withoutCuts_areCountedExactlyAndRefused() {
    MatrixLayout layout = MatrixLayout.uniform(16, 999, List.of());

    assertThat(layout.bits()).isEqualTo(BigInteger.TEN.pow(48));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CutBloomFilterMatrix(layout, 3, MemoryLimit.ofMebibytes(1)))
        .withMessageContaining("needs 1" + ",000".repeat(16) + " bits")
        .withMessageContaining("limit is 8,388,608 bits");
  }

  @Test
  void within_weights_fillsTheMemoryInProportion() {
    MatrixLayout layout =
        MatrixLayout.within(10_000_000, new double[] {2, 2, 1}, List.of(AttributeSet.of(0, 2)));

    long third = layout.axisLength(2);
    assertThat(layout.axisLength(0)).isBetween(2 * third, 2 * third + 1);
    assertThat(layout.axisLength(1)).isEqualTo(layout.axisLength(0));
    assertThat(layout.bits().longValueExact()).isBetween(9_980_000L, 10_000_000L);
  }

  @Test
  void within_heaviestAttributeCutAlone_leavesTheMemoryToTheOthers() {
    MatrixLayout layout =
        MatrixLayout.within(1L << 36, new double[] {1, 1e6}, List.of(AttributeSet.of(1)));

    assertThat(layout.axisLength(0)).isEqualTo((1L << 36) - 1);
  }

  @Test
  void within_oneBitPerCombination_isEnough() {
    double[] equal = {1, 1, 1};

    assertThat(MatrixLayout.within(8, equal, List.of()).bits()).isEqualTo(8);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MatrixLayout.within(7, equal, List.of()))
        .withMessageContaining("within 7 bits")
        .withMessageContaining("8 attribute combinations");
  }

  @Test
  void create_badInput_isRefusedByName() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MatrixLayout.uniform(3, 0, List.of()))
        .withMessageContaining("axis length was 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MatrixLayout.uniform(3, 5, List.of(AttributeSet.of(1, 3))))
        .withMessageContaining("Cannot use attributes {1, 3}");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MatrixLayout.uniform(3, 5, List.of(AttributeSet.NONE)))
        .withMessageContaining("Cannot cut the empty combination");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MatrixLayout.within(100, new double[] {1, Double.NaN}, List.of()))
        .withMessageContaining("weights were [1.0, NaN]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MatrixLayout.within(100, new double[] {1, 1e-300}, List.of()))
        .withMessageContaining("each must lie between 1.0E-6 and 1000000.0");
  }

  private static String mebibytes(MatrixLayout layout) {
    return "%.2f".formatted(layout.bits().doubleValue() / BITS_PER_MEBIBYTE);
  }
}
