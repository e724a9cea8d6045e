/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hbaseindex.core.filter.BloomFilter;
import io.hbaseindex.core.filter.BloomShape;
import io.hbaseindex.core.filter.InsertableFilter;
import io.hbaseindex.core.testing.Seeds;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every search filter: nothing that was inserted is denied, and the error is what it should be. */
class SearchFilterContractTest {
  private static final BloomShape SHAPE = new BloomShape(2025, 5);
  private static final int SIDE = 45;
  private static final int KEYS = 400;

  private enum Kind {
    DISTINCT(() -> new DistinctBloomFilter(SHAPE)),
    RANDOM(() -> new BloomFilter(SHAPE)),
    RR(() -> TwoDimensionalFilter.rr(SIDE, SHAPE.hashes())),
    BB(() -> TwoDimensionalFilter.bb(SIDE, SHAPE.hashes())),
    BR(() -> TwoDimensionalFilter.br(SIDE, SHAPE.hashes())),
    MINIMUM_HASH(() -> new MinimumHashFilter(SHAPE));

    private final Supplier<InsertableFilter> create;

    Kind(Supplier<InsertableFilter> create) {
      this.create = create;
    }
  }

  @ParameterizedTest
  @EnumSource
  void mightContain_insertedElement_isNeverDenied(Kind kind) {
    Seeds.forEach(
        200,
        seed -> {
          InsertableFilter filter = kind.create.get();
          int keys = new SplittableRandom(seed).nextInt(1, 3_000);
          new SplittableRandom(seed).longs(keys).forEach(filter::insert);
          assertThat(new SplittableRandom(seed).longs(keys).allMatch(filter::mightContain))
              .isTrue();
        });
  }

  @ParameterizedTest
  @EnumSource
  void mightContain_absentElement_errsAtTheExpectedRate(Kind kind) {
    double expected = SHAPE.expectedError(KEYS);
    int trials = 0;
    int wrong = 0;
    for (int run = 0; run < 100; run++) {
      InsertableFilter filter = kind.create.get();
      SplittableRandom random = new SplittableRandom(run);
      random.longs(KEYS).forEach(filter::insert);
      for (int i = 0; i < 1_000; i++) {
        trials++;
        wrong += filter.mightContain(random.nextLong()) ? 1 : 0;
      }
    }

    double rate = (double) wrong / trials;
    if (kind == Kind.MINIMUM_HASH) {
      assertThat(rate).isLessThan(0.9 * expected).isGreaterThan(0.2 * expected);
    } else {
      assertThat(rate).isCloseTo(expected, within(0.1 * expected));
    }
  }

  @ParameterizedTest
  @EnumSource
  void mightContain_emptyFilter_deniesEverything(Kind kind) {
    InsertableFilter filter = kind.create.get();

    assertThat(new SplittableRandom(1).longs(1_000).noneMatch(filter::mightContain)).isTrue();
  }
}
