/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.timecount.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.hbaseindex.core.testing.Seeds;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PackedCountersTest {
  private static final int SIZE = 301;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 14, 24, 25, 31})
  void set_randomValues_readBackLikeAnArray(int width) {
    Seeds.forEach(3, seed -> setAndReadBack(width, new SplittableRandom(seed)));
  }

  private static void setAndReadBack(int width, SplittableRandom random) {
    PackedCounters counters = new PackedCounters(SIZE, width);
    int[] expected = new int[SIZE];

    for (int i = 0; i < 10_000; i++) {
      int at = random.nextInt(SIZE);
      expected[at] = (int) random.nextLong(1L << width);
      counters.set(at, expected[at]);
    }

    for (int i = 0; i < SIZE; i++) {
      assertThat(counters.get(i)).as("counter %d", i).isEqualTo(expected[i]);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 8, 24})
  void set_valueTooWide_isRefusedAndChangesNothing(int width) {
    PackedCounters counters = new PackedCounters(SIZE, width);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> counters.set(3, 1 << width))
        .withMessageContaining("counters have " + width + " bits");
    assertThat(counters.get(3)).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 13})
  void sum_ofFullCounters_needsOneBitMoreAndHoldsIt(int width) {
    PackedCounters full = new PackedCounters(SIZE, width);
    for (int i = 0; i < SIZE; i++) {
      full.set(i, (1 << width) - 1);
    }

    PackedCounters sum = PackedCounters.sum(full, full, width + 1);

    for (int i = 0; i < SIZE; i++) {
      assertThat(sum.get(i)).isEqualTo(2 * ((1 << width) - 1));
    }
  }
}
