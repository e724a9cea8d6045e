/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.core.filter.BitPlane;
import io.hbaseindex.core.filter.SizeClass;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ColumnBlockTest {
  private static final SizeClass SHAPE = new SizeClass(2, 40);
  private static final int CELLS = (int) SHAPE.cells();

  private final SplittableRandom random = new SplittableRandom(5);
  private final ClassMatrix home = new ClassMatrix(SHAPE, new MatrixBudget(1 << 20));

  @Test
  void hide_columnIsNotTakenAgainBeforeItIsReleased() {
    ColumnBlock block = new ColumnBlock(CELLS, 1);
    List<SegmentSlot> slots = fill(block, 64);
    ColumnBlock.Column column = (ColumnBlock.Column) slots.get(17).place();
    column.hide();
    assertThat(block.freeColumns()).isZero();
    assertThat(block.heldColumns()).isEqualTo(63);
    assertThatThrownBy(() -> fill(block, 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Cannot take a column: none of 64 was free");

    column.release();
    assertThat(((ColumnBlock.Column) fill(block, 1).get(0).place()).number())
        .isEqualTo(column.number());
  }

  @Test
  void hide_columnIsNoLongerFoundButKeepsItsBitsForOlderReaders() {
    ColumnBlock block = new ColumnBlock(CELLS, 1);
    SegmentSlot slot = add(block, 9, full());
    assertThat(owners(block, 3, 50)).containsExactly(9);
    ((ColumnBlock.Column) slot.place()).hide();
    assertThat(owners(block, 3, 50)).isEmpty();
    assertThat(words(slot.place())).isEqualTo(words(full()));
  }

  @Test
  void columnUsedBefore_hasTheNewBitsOnly() {
    ColumnBlock block = new ColumnBlock(CELLS, 1);
    ColumnBlock.Column former = (ColumnBlock.Column) add(block, 1, full()).place();
    former.hide();
    former.release();
    SegmentSlot empty = add(block, 2, new BitPlane(CELLS));
    assertThat(((ColumnBlock.Column) empty.place()).number()).isEqualTo(former.number());
    assertThat(words(empty.place())).containsOnly(0);
  }

  @Test
  void reservedColumn_isNotSeen_andCanBeGivenBack() {
    ColumnBlock block = new ColumnBlock(CELLS, 1);
    fill(block, 3);
    SegmentSlot slot = loose(7, full());
    ColumnBlock.Column column = block.reserve(slot);
    SegmentTransfer transfer = new SegmentTransfer(slot, column);
    transfer.step(Integer.MAX_VALUE);
    assertThat(owners(block, 3, 50)).doesNotContain(7);
    transfer.end();
    column.cancel();
    assertThat(block.freeColumns()).isEqualTo(61);
    assertThat(block.heldColumns()).isEqualTo(3);
  }

  @Test
  void gang_whileBitsChangeAndSegmentsGo_endsWithBothTheSame() {
    for (int size : List.of(1, 7, 8, 50, 64)) {
      ColumnBlock block = new ColumnBlock(CELLS, 3);
      List<SegmentSlot> neighbours = fill(block, 100);
      List<long[]> before = neighbours.stream().map(slot -> words(slot.place())).toList();
      List<SegmentSlot> slots = new ArrayList<>();
      for (int owner = 1000; owner < 1000 + size; owner++) {
        slots.add(loose(owner, random()));
      }
      SegmentTransfer.Gang gang = new SegmentTransfer.Gang(block, slots);
      assertThat(gang.members()).hasSize(size); // the third word is free as a whole
      while (!gang.isComplete()) {
        slots.get(random.nextInt(size)).set(random.nextInt(CELLS));
        slots.get(random.nextInt(size)).clear(random.nextInt(CELLS));
        gang.step(1);
      }
      for (SegmentTransfer member : gang.members()) {
        assertThat(words(member.target())).isEqualTo(words(member.slot().place()));
        ((ColumnBlock.Column) member.target()).show(member.slot());
        assertThat(owners(block, everySetCell(member.slot()))).contains(member.slot().owner());
      }
      for (int at = 0; at < neighbours.size(); at++) {
        assertThat(words(neighbours.get(at).place())).isEqualTo(before.get(at));
      }
    }
  }

  @Test
  void gang_segmentsThatAreGone_areLetGo() {
    ColumnBlock block = new ColumnBlock(CELLS, 1);
    List<SegmentSlot> slots = List.of(loose(1, random()), loose(2, random()), loose(3, random()));
    SegmentTransfer.Gang gang = new SegmentTransfer.Gang(block, slots);
    assertThat(gang.step(3)).as("each of three, one step").isEqualTo(3);

    slots.get(1).end();
    gang.step(3);
    assertThat(gang.members()).extracting(SegmentTransfer::slot).doesNotContain(slots.get(1));
    assertThat(block.heldColumns()).isEqualTo(2);

    slots.get(0).end();
    slots.get(2).end();
    gang.step(3);
    assertThat(gang.isComplete()).isTrue();
    assertThat(block.heldColumns()).isZero();
    assertThat(block.freeColumns()).isEqualTo(Long.SIZE);
  }

  @Test
  void gang_takesTheRoomiestWordOnly() {
    ColumnBlock block = new ColumnBlock(CELLS, 2);
    fill(block, 70);
    List<SegmentSlot> slots = new ArrayList<>();
    for (int owner = 0; owner < 64; owner++) {
      slots.add(loose(owner, full()));
    }
    assertThat(new SegmentTransfer.Gang(block, slots).members()).hasSize(58);
    assertThat(block.freeColumns()).isZero();
  }

  @Test
  void loosePlanes_leaveAllOtherChunksAsTheyAre_whenOneComesOrGoes() {
    ClassView.Loose planes = ClassView.Loose.NONE;
    List<LoosePlane> expected = new ArrayList<>();
    for (int step = 0; step < 3_000; step++) {
      ClassView.Loose former = planes;
      List<LoosePlane> formerly = List.copyOf(expected);
      if (expected.isEmpty() || random.nextInt(step < 1_800 ? 4 : 2) > 0) {
        LoosePlane plane = new LoosePlane(new BitPlane(1), step);
        expected.add(plane);
        planes = planes.with(plane);
      } else {
        int at = random.nextInt(expected.size());
        LoosePlane last = expected.remove(expected.size() - 1);
        if (at < expected.size()) {
          expected.set(at, last);
        }
        planes = planes.without(at);
      }
      assertThat(all(planes)).isEqualTo(expected);
      assertThat(all(former)).isEqualTo(formerly); // older readers go on with it
      assertThat(planes.chunksOwnedBesides(former)).isLessThanOrEqualTo(2);
    }
  }

  private static List<LoosePlane> all(ClassView.Loose planes) {
    return IntStream.range(0, planes.size()).mapToObj(planes::get).toList();
  }

  private static int[] everySetCell(SegmentSlot slot) {
    return IntStream.range(0, CELLS)
        .filter(cell -> (slot.word(cell >>> 6) >>> cell & 1) != 0)
        .toArray();
  }

  @Test
  void transfer_whileBitsChange_endsWithBothTheSame() {
    ColumnBlock block = new ColumnBlock(CELLS, 11);
    fill(block, 600);
    SegmentSlot slot = loose(9, random());
    SegmentTransfer transfer = new SegmentTransfer(slot, block.reserve(slot));
    while (!transfer.isComplete()) {
      transfer.step(1);
      slot.set(random.nextInt(CELLS));
      slot.clear(random.nextInt(CELLS));
    }
    assertThat(words(transfer.target())).isEqualTo(words(slot.place()));
  }

  @Test
  void manyColumns_keepTheirBitsApart() {
    ColumnBlock block = new ColumnBlock(CELLS, 10);
    List<SegmentSlot> slots = fill(block, 600);
    List<long[]> planes = slots.stream().map(slot -> words(slot.place())).toList();
    for (int changed = 0; changed < 600; changed += 2) {
      slots.get(changed).set(7);
      slots.get(changed).clear(11);
    }
    for (int column = 1; column < 600; column += 2) {
      assertThat(words(slots.get(column).place())).isEqualTo(planes.get(column));
    }
    assertThat(owners(block, 7)).contains(0, 2, 598);
    assertThat(owners(block, 11)).doesNotContain(0, 2, 598);
  }

  /** More rows than a chunk has, and a last word that is not whole. */
  @Test
  void blockOfSeveralChunks_answersAsItsPlanesDo() {
    SizeClass shape = new SizeClass(3, 100_003);
    ColumnBlock block = new ColumnBlock((int) shape.cells(), 1);
    BitPlane plane = new BitPlane(shape.cells());
    for (int bit = 0; bit < 150_000; bit++) {
      plane.set(random.nextLong(shape.cells()));
    }
    ClassMatrix large = new ClassMatrix(shape, new MatrixBudget(1 << 20));
    SegmentSlot slot = new SegmentSlot(0, 5, large, new LoosePlane(plane, 5));
    move(block, slot);
    assertThat(words(slot.place())).isEqualTo(words(plane));
    for (int at = 0; at < 1_000; at++) {
      int one = random.nextInt((int) shape.cells());
      int other = random.nextInt((int) shape.cells());
      boolean both = plane.get(one) && plane.get(other);
      assertThat(owners(block, one, other)).hasSize(both ? 1 : 0);
    }
  }

  @Test
  void widen_whileBitsChange_keepsThemAndOffersColumnsInTheEnd() {
    ColumnBlock block = new ColumnBlock(CELLS, 1);
    List<SegmentSlot> slots = fill(block, 64);
    List<BitPlane> expected = slots.stream().map(slot -> new BitPlane(CELLS)).toList();
    for (int column = 0; column < 64; column++) {
      for (int position = 0; position < CELLS; position++) {
        if ((slots.get(column).word(position >> 6) >>> position & 1) != 0) {
          expected.get(column).set(position);
        }
      }
    }
    ColumnBlock.Widening widening = block.widen(3);
    while (!widening.isComplete()) {
      assertThat(block.freeColumns()).isZero();
      int column = random.nextInt(64);
      int position = random.nextInt(CELLS);
      slots.get(column).set(position);
      expected.get(column).set(position);
      widening.step(1);
      slots.get(63 - column).clear(position);
      expected.get(63 - column).clear(position);
    }
    for (int column = 0; column < 64; column++) {
      assertThat(words(slots.get(column).place())).isEqualTo(words(expected.get(column)));
    }
    assertThat(block.freeColumns()).isEqualTo(128);
    add(block, 100, full());
    assertThat(owners(block, 3, 50)).contains(100);
  }

  /** Rows that nobody has written yet are as wide as the others when they are. */
  @Test
  void widen_beforeAnythingIsWritten_givesColumnsThatWork() {
    ColumnBlock block = new ColumnBlock(CELLS, 1);
    block.widen(2).step(Integer.MAX_VALUE);
    List<SegmentSlot> slots = fill(block, 127);
    add(block, 500, full());
    assertThat(owners(block, 0, 79)).contains(500);
    assertThat(slots).hasSize(127);
    assertThat(block.freeColumns()).isZero();
  }

  /** One row of one block costs a cache miss; one row of many costs many. */
  @Test
  void segmentsOfAClass_areInOneBlock() {
    MatrixBudget budget = new MatrixBudget(1 << 26);
    ClassMatrix matrix = new ClassMatrix(SHAPE, budget);
    for (int owner = 0; owner < 1_000; owner++) {
      budget.take(LoosePlane.bytesFor(CELLS), "place a segment");
      matrix.place(0, owner, random());
      matrix.moveSome(100);
    }
    while (matrix.moveSome(10_000).words() > 0) {
      // all that can be moved
    }
    assertThat(matrix.view().blocks()).hasSize(1);
    assertThat(matrix.view().loose().size()).isLessThan(ClassMatrix.PROMOTE_AT);
    assertThat(matrix.view().blocks()[0].heldColumns() + matrix.view().loose().size())
        .isEqualTo(1_000);
    assertThat(budget.used())
        .isEqualTo(
            matrix.view().blocks()[0].bytes()
                + matrix.view().loose().size() * LoosePlane.bytesFor(CELLS));
  }

  private List<SegmentSlot> fill(ColumnBlock block, int count) {
    List<SegmentSlot> slots = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      slots.add(add(block, i, random()));
    }
    return slots;
  }

  private SegmentSlot add(ColumnBlock block, int owner, BitPlane plane) {
    SegmentSlot slot = loose(owner, plane);
    move(block, slot);
    return slot;
  }

  private SegmentSlot loose(int owner, BitPlane plane) {
    return new SegmentSlot(0, owner, home, new LoosePlane(plane, owner));
  }

  private static void move(ColumnBlock block, SegmentSlot slot) {
    ColumnBlock.Column column = block.reserve(slot);
    SegmentTransfer transfer = new SegmentTransfer(slot, column);
    transfer.step(Integer.MAX_VALUE);
    transfer.end();
    column.show(slot);
    slot.moveTo(column);
  }

  private BitPlane random() {
    BitPlane plane = new BitPlane(CELLS);
    for (int bit = 0; bit < CELLS / 2; bit++) {
      plane.set(random.nextInt(CELLS));
    }
    return plane;
  }

  private static BitPlane full() {
    BitPlane plane = new BitPlane(CELLS);
    for (int position = 0; position < CELLS; position++) {
      plane.set(position);
    }
    return plane;
  }

  private static int[] owners(ColumnBlock block, int... positions) {
    OwnerSet owners = new OwnerSet();
    block.collect(positions, owners);
    return owners.toArray();
  }

  private static long[] words(BitPlane plane) {
    return words(new LoosePlane(plane, 0), plane.wordCount());
  }

  private static long[] words(Place place) {
    return place instanceof LoosePlane loose
        ? words(loose.plane())
        : words(place, (((ColumnBlock.Column) place).block().cells() + Long.SIZE - 1) / Long.SIZE);
  }

  private static long[] words(Place place, int count) {
    long[] words = new long[count];
    for (int i = 0; i < count; i++) {
      words[i] = place.word(i);
    }
    return words;
  }
}
