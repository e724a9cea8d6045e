/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.testing.Seeds;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BitPlaneRangeTest {
  @Test
  void anySet_randomRanges_agreesWithBitSet() {
    Seeds.forEach(
        300,
        seed -> {
          SplittableRandom random = new SplittableRandom(seed);
          int size = random.nextInt(1, 400);
          BitPlane plane = new BitPlane(size);
          BitSet expected = new BitSet();
          for (int i = random.nextInt(6); i > 0; i--) {
            int position = random.nextInt(size);
            plane.set(position);
            expected.set(position);
          }
          for (int i = 0; i < 100; i++) {
            int from = random.nextInt(size + 1);
            int to = random.nextInt(from, size + 1);
            assertThat(plane.anySet(from, to))
                .as("size %d, [%d, %d) of %s", size, from, to, expected)
                .isEqualTo(!expected.get(from, to).isEmpty());
          }
        });
  }

  /** Words beyond the first 64 KiB, and the last ones, are where they belong. */
  @Test
  void largePlane_agreesWithBitSet_andSoDoItsCopies() {
    SplittableRandom random = new SplittableRandom(1);
    int size = (3 << 19) + 77;
    BitPlane plane = new BitPlane(size);
    BitSet expected = new BitSet();
    for (int i = 0; i < 200_000; i++) {
      int position = i == 0 ? size - 1 : random.nextInt(size);
      boolean set = random.nextInt(3) > 0;
      expected.set(position, set);
      if (set) {
        plane.set(position);
      } else {
        plane.clear(position);
      }
    }
    long[] words = new long[plane.wordCount()];
    Arrays.setAll(words, plane::word);

    for (BitPlane same : List.of(plane, plane.copy(), BitPlane.ofWords(size, words))) {
      BitSet seen = new BitSet();
      same.forEachSet(position -> seen.set((int) position));
      assertThat(seen).isEqualTo(expected);
      assertThat(same.cardinality()).isEqualTo(expected.cardinality());
      for (int i = 0; i < 10_000; i++) {
        int position = random.nextInt(size);
        assertThat(same.get(position)).isEqualTo(expected.get(position));
        assertThat((same.shifted(position) & 1) != 0).isEqualTo(expected.get(position));
        int to = random.nextInt(position, size + 1);
        assertThat(same.anySet(position, to)).isEqualTo(!expected.get(position, to).isEmpty());
      }
    }
  }
}
