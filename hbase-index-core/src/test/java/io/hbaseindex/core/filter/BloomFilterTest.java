/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BloomFilterTest {
  private static final int ELEMENTS = 5_000;

  @Test
  void mightContain_insertedElement_isNeverDenied() {
    BloomFilter filter = filled(new BloomShape(3_000, 3));

    assertThat(elements().allMatch(filter::mightContain)).isTrue();
  }

  @Test
  void mightContain_absentElement_errsAtTheExpectedRate() {
    BloomShape shape = BloomShape.forElements(ELEMENTS, 0.01);
    BloomFilter filter = filled(shape);

    long wrong = new SplittableRandom(2).longs(200_000).filter(filter::mightContain).count();

    assertThat(shape.expectedError(ELEMENTS)).isCloseTo(0.0102, within(0.0001));
    assertThat(wrong / 200_000.0).isCloseTo(shape.expectedError(ELEMENTS), within(0.001));
  }

  @Test
  void fill_atOptimum_isHalf() {
    // 1/128 is a power of two, so rounding the number of hashes down changes nothing.
    BloomFilter filter = filled(BloomShape.forElements(ELEMENTS, 1.0 / 128));

    assertThat(filter.fill()).isCloseTo(0.5, within(0.01));
  }

  @Test
  void forElements_isRoundedAsPublished() {
    assertThat(BloomShape.forElements(1_000, 0.1)).isEqualTo(new BloomShape(4_793, 3));
    assertThat(BloomShape.forElements(1_000, 0.9)).isEqualTo(new BloomShape(220, 1));
  }

  @Test
  void shape_badInput_isRefusedByName() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new BloomShape(0, 1))
        .withMessageContaining("bits was 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new BloomShape(8, 65))
        .withMessageContaining("hashes was 65");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BloomShape.forElements(0, 0.1))
        .withMessageContaining("elements was 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BloomShape.forElements(1, 1))
        .withMessageContaining("error was 1.0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BloomShape.forElements(1, Double.NaN))
        .withMessageContaining("error was NaN");
  }

  private static BloomFilter filled(BloomShape shape) {
    BloomFilter filter = new BloomFilter(shape);
    elements().forEach(filter::insert);
    return filter;
  }

  private static LongStream elements() {
    return new SplittableRandom(1).longs(ELEMENTS);
  }
}
