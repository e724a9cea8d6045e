/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.hbaseindex.core.filter.BloomShape;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PositionsTest {
  @Test
  void draw_distinctFromASmallRange_repeatsNothingAndPrefersNothing() {
    int[] hits = new int[10];
    SplittableRandom random = new SplittableRandom(1);
    int draws = 100_000;
    for (int i = 0; i < draws; i++) {
      long[] positions = Positions.DISTINCT.draw(random.nextLong(), 5, 10);
      assertThat(Arrays.stream(positions).distinct().count()).isEqualTo(5);
      for (long position : positions) {
        hits[(int) position]++;
      }
    }

    for (int hit : hits) {
      assertThat((double) hit / draws).isCloseTo(0.5, within(0.01));
    }
  }

  @Test
  void draw_repeatableFromASmallRange_repeats() {
    SplittableRandom random = new SplittableRandom(1);
    long withRepetition =
        random
            .longs(10_000)
            .filter(e -> Arrays.stream(Positions.REPEATABLE.draw(e, 5, 10)).distinct().count() < 5)
            .count();

    // 1 - 10·9·8·7·6 / 10^5
    assertThat(withRepetition / 10_000.0).isCloseTo(0.6976, within(0.02));
  }

  @Test
  void requireRange_tooSmallForDifferentPositions_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new DistinctBloomFilter(new BloomShape(9, 5)))
        .withMessage("Cannot draw 5 different positions: the range was 9; it must be at least 10");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TwoDimensionalFilter.br(9, 5))
        .withMessageContaining("the range was 9");
    assertThat(TwoDimensionalFilter.rr(9, 5).bits()).isEqualTo(81);
  }

  @Test
  void twoDimensional_badShape_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TwoDimensionalFilter.rr(0, 5))
        .withMessageContaining("its side was 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TwoDimensionalFilter.rr(10, 0))
        .withMessageContaining("hashes was 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TwoDimensionalFilter.bb(Integer.MAX_VALUE, 5))
        .withMessageContaining("bits was");
  }
}
