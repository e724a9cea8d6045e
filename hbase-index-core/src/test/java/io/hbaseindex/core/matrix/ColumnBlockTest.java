/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.core.filter.BitPlane;
import io.hbaseindex.core.filter.SizeClass;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ColumnBlockTest {
  private static final SizeClass SHAPE = new SizeClass(2, 40);
  private static final int CELLS = (int) SHAPE.cells();

  private final SplittableRandom random = new SplittableRandom(5);
  private final ClassMatrix home = new ClassMatrix(SHAPE, new MatrixBudget(1 << 20));

  @Test
  void retire_columnIsNotTakenAgainBeforeReclaim() {
    ColumnBlock block = new ColumnBlock(CELLS, 1);
    List<SegmentSlot> slots = fill(block, 64);
    int column = slots.get(17).column();
    block.retire(column);
    assertThat(block.freeColumns()).isZero();
    assertThat(block.retiredColumns()).isEqualTo(1);
    assertThat(block.usedColumns()).isEqualTo(63);
    assertThatThrownBy(() -> fill(block, 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Cannot take a column: none of 64 was free");

    block.reclaim();
    assertThat(fill(block, 1).get(0).column()).isEqualTo(column);
  }

  @Test
  void retire_columnIsNoLongerFoundButKeepsItsBitsForOlderReaders() {
    ColumnBlock block = new ColumnBlock(CELLS, 1);
    BitPlane all = full();
    SegmentSlot slot = new SegmentSlot(0, 9, home);
    block.take(slot, all);
    assertThat(owners(block, 3, 50)).containsExactly(9);
    block.retire(slot.column());
    assertThat(owners(block, 3, 50)).isEmpty();
    assertThat(block.plane(slot.column()).cardinality()).isEqualTo(CELLS);
  }

  @Test
  void take_columnUsedBefore_hasTheNewBitsOnly() {
    ColumnBlock block = new ColumnBlock(CELLS, 1);
    SegmentSlot former = new SegmentSlot(0, 1, home);
    block.take(former, full());
    block.retire(former.column());
    block.reclaim();

    SegmentSlot empty = new SegmentSlot(1, 2, home);
    block.take(empty, null);
    assertThat(empty.column()).isEqualTo(former.column());
    assertThat(empty.plane().cardinality()).isZero();
  }

  @Test
  void widened_keepsEverySegmentAndLeavesTheFormerBlockAlone() {
    ColumnBlock block = new ColumnBlock(CELLS, 3);
    List<SegmentSlot> slots = fill(block, 150);
    List<BitPlane> planes = slots.stream().map(SegmentSlot::plane).toList();
    block.retire(slots.remove(20).column());

    ColumnBlock wider = block.widened(10);
    assertThat(wider.usedColumns()).isEqualTo(149);
    assertThat(wider.freeColumns()).isEqualTo(640 - 149);
    assertSame(slots, planes, 20, wider);
    slots.forEach(slot -> slot.set(7));
    for (int column = 0; column < 150; column++) {
      assertThat(words(block.plane(column))).isEqualTo(words(planes.get(column)));
    }
  }

  @Test
  void narrowed_keepsEverySegmentMovedTogether() {
    ColumnBlock block = new ColumnBlock(CELLS, 10);
    List<SegmentSlot> slots = fill(block, 600);
    List<BitPlane> planes = new ArrayList<>();
    List<SegmentSlot> left = new ArrayList<>();
    for (int i = 0; i < 600; i++) {
      if (i % 6 == 5) {
        planes.add(slots.get(i).plane());
        left.add(slots.get(i));
      } else {
        block.retire(slots.get(i).column());
      }
    }
    ColumnBlock narrower = block.narrowed(2);
    assertThat(narrower.usedColumns()).isEqualTo(100);
    assertThat(narrower.freeColumns()).isEqualTo(28);
    assertSame(left, planes, Integer.MAX_VALUE, narrower);
    for (SegmentSlot slot : left) {
      assertThat(owners(narrower, firstSet(slot.plane()))).contains(slot.owner());
    }
  }

  private void assertSame(
      List<SegmentSlot> slots, List<BitPlane> planes, int without, ColumnBlock block) {
    for (int i = 0; i < slots.size(); i++) {
      assertThat(slots.get(i).block()).isSameAs(block);
      assertThat(words(slots.get(i).plane())).isEqualTo(words(planes.get(i < without ? i : i + 1)));
    }
  }

  private List<SegmentSlot> fill(ColumnBlock block, int count) {
    List<SegmentSlot> slots = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      BitPlane plane = new BitPlane(CELLS);
      for (int bit = 0; bit < CELLS / 2; bit++) {
        plane.set(random.nextInt(CELLS));
      }
      SegmentSlot slot = new SegmentSlot(0, i, home);
      block.take(slot, plane);
      slots.add(slot);
    }
    return slots;
  }

  private static BitPlane full() {
    BitPlane plane = new BitPlane(CELLS);
    for (int position = 0; position < CELLS; position++) {
      plane.set(position);
    }
    return plane;
  }

  private static int firstSet(BitPlane plane) {
    int position = 0;
    while (!plane.get(position)) {
      position++;
    }
    return position;
  }

  private static int[] owners(ColumnBlock block, int... positions) {
    OwnerSet owners = new OwnerSet();
    block.collect(positions, owners);
    return owners.toArray();
  }

  private static long[] words(BitPlane plane) {
    long[] words = new long[plane.wordCount()];
    for (int i = 0; i < words.length; i++) {
      words[i] = plane.word(i);
    }
    return words;
  }
}
