/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.filter.BitPlane;
import io.hbaseindex.core.filter.FilterSnapshot;
import io.hbaseindex.core.filter.SizeClass;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RoutingMatrixScaleTest {
  private static final int MILLION = 1_000_000;

  @Test
  void millionSmallSegments_areHeldAndFoundWithinTheirBudget() {
    SizeClass small = SizeClass.forCapacity(16, 1e-3);
    RoutingMatrix matrix = new RoutingMatrix(512L << 20);
    for (int i = 0; i < MILLION; i++) {
      matrix.addOwner(holding(small, i, i + MILLION));
      matrix.tidy(4);
    }
    assertThat(matrix.segments()).isEqualTo(MILLION);
    assertThat(matrix.owners()).isEqualTo(MILLION);

    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 50; i++) {
      int owner = random.nextInt(MILLION);
      OwnerSet candidates = matrix.candidatesOfAny(element(owner), element(owner + MILLION));
      assertThat(candidates.contains(owner)).isTrue();
      // Two of 23 cells per slice are set: an owner is named wrongly about once in 10^10.
      assertThat(candidates.size()).isLessThan(10);
      assertThat(matrix.candidates(element(-1L - i)).size()).isLessThan(10);
    }
    matrix.removeOwner(4711);
    assertThat(matrix.candidates(element(4711)).contains(4711)).isFalse();
    matrix.addOwner(holding(small, 1));
    assertThat(matrix.owners()).isEqualTo(MILLION);
  }

  /** What a million of them would take, by the same arithmetic that the matrix counts with. */
  @Test
  void millionSegmentsOfAThousandValues_fitTwoGibibytes() {
    SizeClass thousand = SizeClass.forCapacity(1_000, 1e-3);
    int widest = ClassMatrix.MAX_WIDTH;
    long wholeBlocks = MILLION / (64L * widest) + 1;
    long bytes =
        wholeBlocks * ColumnBlock.bytesFor(thousand.cells(), widest)
            + MILLION * (SegmentSlot.BYTES + OwnerTable.BYTES_PER_OWNER);
    assertThat(bytes).isLessThan(2L << 30);
  }

  private static long element(long i) {
    return i * 0x9E3779B97F4A7C15L;
  }

  private static FilterSnapshot holding(SizeClass sizeClass, long... numbers) {
    BitPlane plane = new BitPlane(sizeClass.cells());
    for (long number : numbers) {
      for (int slice = 0; slice < sizeClass.slices(); slice++) {
        plane.set(sizeClass.position(element(number), slice));
      }
    }
    return new FilterSnapshot(List.of(new FilterSnapshot.Segment(0, sizeClass, plane)));
  }
}
