/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.tuple;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hbaseindex.bench.report.ErrorRate;
import io.hbaseindex.seeds.tuple.AttributeSet;
import io.hbaseindex.seeds.tuple.TupleFilter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StructureTest {
  private static final long BITS = 1 << 18;
  private static final int HASHES = 3;
  private static final int ELEMENTS = 20_000;

  private final IntegerTuples tuples = new IntegerTuples(Structure.ATTRIBUTES);

  @ParameterizedTest
  @EnumSource
  void create_anyStructure_fillsTheMemoryAndNoMore(Structure structure) {
    assertThat(structure.create(BITS, HASHES).memoryBits()).isBetween(BITS * 9 / 10, BITS);
  }

  @ParameterizedTest
  @EnumSource
  void mightMatch_storedTuple_isNeverDenied(Structure structure) {
    TupleFilter filter = filled(structure);

    for (int i = 0; i < ELEMENTS; i++) {
      for (int given = 0; given < 8; given++) {
        assertThat(ErrorMeter.ask(filter, new AttributeSet(given), tuples.tuple(i))).isTrue();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void expectedError_isWhatIsMeasured(Structure structure) {
    TupleFilter filter = filled(structure);

    for (double alpha : new double[] {0, 0.5, 1}) {
      Load load = new Load(BITS, HASHES, ELEMENTS, alpha);
      for (AttributeSet given : new AttributeSet[] {Structure.PAIR, Structure.ALL}) {
        ErrorRate measured = new ErrorMeter(tuples).measure(filter, given, ELEMENTS, alpha, 50_000);
        assertThat(measured.value())
            .as("α = %s, given %s", alpha, given)
            .isCloseTo(structure.expectedError(given, load), within(0.015));
      }
    }
  }

  private TupleFilter filled(Structure structure) {
    TupleFilter filter = structure.create(BITS, HASHES);
    for (int i = 0; i < ELEMENTS; i++) {
      filter.insert(tuples.tuple(i));
    }
    return filter;
  }
}
