/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.testing.Seeds;
import java.util.BitSet;
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
}
