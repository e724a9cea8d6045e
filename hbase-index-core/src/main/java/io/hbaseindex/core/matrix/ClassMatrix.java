/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.matrix;

import io.hbaseindex.core.filter.BitPlane;
import io.hbaseindex.core.filter.SizeClass;
import java.util.ArrayList;
import java.util.List;

/**
 * All segments of one size class: most in columns of blocks, some loose. Belongs to the updater.
 *
 * <p>A word of a block is 64 segments wide whether they exist or not, which for a class of few
 * large segments would cost many times what they need. So a new segment takes a free column if
 * there is one and is loose otherwise; only when {@value #PROMOTE_AT} are loose, half a word, is a
 * block widened or begun for them. Conversely a block that is no more than a quarter used is
 * emptied into the free columns of the others and, if few remain, into loose planes, or is copied
 * into a narrower one. Blocks are a convenience for speed: where the budget has no room for one,
 * segments stay loose.
 *
 * <p>Moving a segment never disturbs a reader and needs no grace period: the new place is complete
 * before it can be seen, and the old one stays as it was for readers that hold the former {@link
 * ClassView}.
 */
final class ClassMatrix {
  /** So many loose segments are worth a word of columns. */
  static final int PROMOTE_AT = 32;

  /**
   * Fewer segments than this are better off loose; well below the former, against going to and fro.
   */
  static final int DEMOTE_BELOW = 16;

  private static final int SPARSE = 4;

  private final SizeClass sizeClass;
  private final MatrixBudget budget;
  private final BlockWidths widths;
  private final List<ColumnBlock> blocks = new ArrayList<>();
  private final List<SegmentSlot> loose = new ArrayList<>();
  private boolean disturbed;
  private ClassView view;

  ClassMatrix(SizeClass sizeClass, MatrixBudget budget) {
    this.sizeClass = sizeClass;
    this.budget = budget;
    this.widths = new BlockWidths(sizeClass.cells());
  }

  SizeClass sizeClass() {
    return sizeClass;
  }

  boolean isEmpty() {
    return blocks.isEmpty() && loose.isEmpty();
  }

  private int freeColumns() {
    return blocks.stream().mapToInt(ColumnBlock::freeColumns).sum();
  }

  private int retiredColumns() {
    return blocks.stream().mapToInt(ColumnBlock::retiredColumns).sum();
  }

  /** Bytes that so many more segments take if no block is widened for them. */
  long bytesToPlace(int segments) {
    int columns = freeColumns() + retiredColumns();
    return Math.max(0, segments - columns) * LoosePlane.bytesFor(sizeClass.cells());
  }

  /** Whether retired columns have to be reclaimed before so many segments are placed. */
  boolean needsRetiredColumns(int segments) {
    return freeColumns() < segments && retiredColumns() > 0;
  }

  /** Gives a segment its first place, with the bits of {@code plane} or, if that is null, none. */
  void place(SegmentSlot slot, BitPlane plane) {
    disturbed = true;
    for (ColumnBlock block : blocks) {
      if (block.freeColumns() > 0) {
        block.take(slot, plane);
        return;
      }
    }
    makeLoose(slot, plane == null ? new BitPlane(sizeClass.cells()) : plane.copy());
  }

  /** Takes a segment away; the caller has waited for the readers that may still need it. */
  void remove(SegmentSlot slot) {
    disturbed = true;
    if (slot.block() != null) {
      slot.block().retire(slot.column());
    } else {
      loose.remove(slot);
      budget.giveBack(LoosePlane.bytesFor(sizeClass.cells()));
      view = null;
    }
  }

  /** Frees the columns of removed segments; the caller has waited for readers since. */
  void reclaim() {
    for (ColumnBlock block : blocks) {
      block.reclaim();
    }
  }

  /** If segments have come or gone, moves segments to where they are now best kept. */
  void settle() {
    if (!disturbed) {
      return;
    }
    disturbed = false;
    fillFreeColumns();
    for (ColumnBlock block : List.copyOf(blocks)) {
      if (block.usedColumns() * SPARSE <= block.columns()) {
        shrink(block);
      }
    }
    while (loose.size() >= PROMOTE_AT && widen(loose.size())) {
      fillFreeColumns();
    }
  }

  private void fillFreeColumns() {
    for (ColumnBlock block : blocks) {
      while (block.freeColumns() > 0 && !loose.isEmpty()) {
        SegmentSlot slot = loose.remove(loose.size() - 1);
        block.take(slot, slot.plane());
        budget.giveBack(LoosePlane.bytesFor(sizeClass.cells()));
        view = null;
      }
    }
  }

  private boolean widen(int moreColumns) {
    ColumnBlock former = null;
    for (ColumnBlock block : blocks) {
      if (block.width() < widths.widest()) {
        former = block;
      }
    }
    int width = widths.after(former == null ? 0 : former.width(), moreColumns);
    if (width == 0 || !budget.fits(ColumnBlock.bytesFor(sizeClass.cells(), width))) {
      return false;
    }
    if (former == null) {
      add(new ColumnBlock((int) sizeClass.cells(), width));
    } else {
      add(former.widened(width));
      discard(former);
    }
    return true;
  }

  private void shrink(ColumnBlock block) {
    int used = block.usedColumns();
    int leftLoose = loose.size() + used - (freeColumns() - block.freeColumns());
    if (used == 0 || leftLoose < DEMOTE_BELOW) {
      evacuate(block);
      return;
    }
    int width = widths.after(0, 2 * used);
    if (width < block.width() && budget.fits(ColumnBlock.bytesFor(sizeClass.cells(), width))) {
      add(block.narrowed(width));
      discard(block);
    }
  }

  private void evacuate(ColumnBlock block) {
    if (!budget.fits(block.usedColumns() * LoosePlane.bytesFor(sizeClass.cells()))) {
      return;
    }
    for (SegmentSlot slot : block.slots()) {
      if (slot != null) {
        makeLoose(slot, slot.plane());
      }
    }
    discard(block);
    fillFreeColumns();
  }

  private void makeLoose(SegmentSlot slot, BitPlane plane) {
    budget.take(LoosePlane.bytesFor(sizeClass.cells()));
    slot.moveTo(new LoosePlane(plane, slot.owner()));
    loose.add(slot);
    view = null;
  }

  private void add(ColumnBlock block) {
    budget.take(block.bytes());
    blocks.add(block);
    view = null;
  }

  private void discard(ColumnBlock block) {
    blocks.remove(block);
    budget.giveBack(block.bytes());
    view = null;
  }

  /** Whether {@link #view()} would give another view than before. */
  boolean viewIsStale() {
    return view == null;
  }

  /** What readers are to see from now on. */
  ClassView view() {
    if (view == null) {
      view =
          new ClassView(
              sizeClass,
              blocks.toArray(ColumnBlock[]::new),
              loose.stream().map(SegmentSlot::loose).toArray(LoosePlane[]::new));
    }
    return view;
  }
}
