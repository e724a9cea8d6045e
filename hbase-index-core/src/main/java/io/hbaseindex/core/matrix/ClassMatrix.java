/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.matrix;

import io.hbaseindex.core.filter.BitPlane;
import io.hbaseindex.core.filter.SizeClass;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * All segments of one size class: most in columns of blocks, some loose. Belongs to the updater.
 *
 * <p>A segment comes as a loose plane, which takes no time, and is moved to a column later. A word
 * of a block is 64 segments wide whether they exist or not, which for a class of few large segments
 * would cost many times what they need. So the first block is begun only when {@value #PROMOTE_AT}
 * are loose, and where no column is free and so many are loose again the block is made wider, by
 * what they need but not by more than a quarter at a time, since their planes are there beside it
 * until they have moved. A class so has one block, in which a row is found once and then streamed;
 * only a very wide one is followed by another. Conversely, where half of all columns are free, the
 * segments of the emptiest block move to the others, and where few segments remain they become
 * loose. Blocks are a convenience for speed: where the budget has no room for one, segments stay
 * loose.
 *
 * <p>Up to 64 loose segments are moved together, or one out of a block that is given up, or a block
 * is made wider, in steps that the caller bounds. The new place is complete before it can be seen.
 * A plane that was left stays as it was for readers that hold the former {@link ClassView}; a
 * column that was left stays live until the caller has waited for the readers that may have passed
 * the new one before it was live.
 */
final class ClassMatrix {
  /** So many loose segments are worth a word of columns. */
  static final int PROMOTE_AT = 48;

  /** Fewer segments than this are better off loose; below the former, against going to and fro. */
  static final int DEMOTE_BELOW = 32;

  /**
   * About 32,000 columns, beyond which lookups gain little. Not a power of two, so that the words
   * of one column, a row apart, do not all fall into the same few sets of the processor's caches.
   */
  static final int MAX_WIDTH = 504;

  /** A block becomes wider by one word for so many, and no more. */
  private static final int GROWTH = 4;

  private final SizeClass sizeClass;
  private final MatrixBudget budget;
  private final List<ColumnBlock> blocks = new ArrayList<>();
  private final List<ColumnBlock> closing = new ArrayList<>();
  private final List<SegmentSlot> loose = new ArrayList<>();

  /** The planes of these, in the same order, as readers see them. */
  private ClassView.Loose planes = ClassView.Loose.NONE;

  private SegmentTransfer move;
  private SegmentTransfer.Gang gang;
  private ColumnBlock.Widening widening;
  private ClassView view;

  ClassMatrix(SizeClass sizeClass, MatrixBudget budget) {
    this.sizeClass = sizeClass;
    this.budget = budget;
  }

  SizeClass sizeClass() {
    return sizeClass;
  }

  boolean isEmpty() {
    return blocks.isEmpty()
        && closing.isEmpty()
        && loose.isEmpty()
        && move == null
        && gang == null
        && widening == null;
  }

  /** Gives a segment its first place, a plane that it owns from now on; its bytes are taken. */
  SegmentSlot place(int id, int owner, BitPlane plane) {
    SegmentSlot slot = new SegmentSlot(id, owner, this, new LoosePlane(plane, owner));
    addLoose(slot);
    return slot;
  }

  private void addLoose(SegmentSlot slot) {
    slot.standsAt(loose.size());
    loose.add(slot);
    planes = planes.with((LoosePlane) slot.place());
    view = null;
  }

  private void removeLoose(SegmentSlot slot) {
    SegmentSlot last = loose.remove(loose.size() - 1);
    if (last != slot) {
      loose.set(slot.looseAt(), last);
      last.standsAt(slot.looseAt());
    }
    planes = planes.without(slot.looseAt());
    budget.giveBack(LoosePlane.bytesFor(sizeClass.cells()));
    view = null;
  }

  /**
   * Takes a segment away; the caller has waited for the readers that may still need it.
   *
   * @return the column it was in, which may be released after a grace period
   */
  Optional<ColumnBlock.Column> remove(SegmentSlot slot) {
    slot.end();
    if (slot.place() instanceof ColumnBlock.Column column) {
      column.hide();
      return Optional.of(column);
    }
    removeLoose(slot);
    return Optional.empty();
  }

  // ---- moving ----

  /** What has come of a step. */
  record Moved(int words, ColumnBlock.Column left) {
    static Moved nothing() {
      return new Moved(0, null);
    }
  }

  /**
   * Moves segments to where they are better kept, as far as so many words go, or until a column has
   * been left, which the caller hides after a grace period and releases after another.
   */
  Moved moveSome(int mostWords) {
    int words = 0;
    while (words < mostWords) {
      if (widening != null) {
        words += 1 + widenSome(mostWords - words);
        continue;
      }
      if (gang != null) {
        words += 1 + fillSome(mostWords - words);
        continue;
      }
      if (move == null) {
        move = next();
        if (move == null && gang == null && widening == null) {
          break;
        }
        continue;
      }
      words += move.slot().isGone() ? 0 : 1 + move.step(mostWords - words);
      if (move.slot().isGone() || move.isComplete()) {
        ColumnBlock.Column left = end(move);
        move = null;
        if (left != null) {
          return new Moved(words, left);
        }
      }
    }
    return new Moved(words, null);
  }

  private int fillSome(int mostWords) {
    int words = gang.step(mostWords);
    if (gang.isComplete()) {
      gang.members().forEach(this::end);
      gang = null;
    }
    return words;
  }

  private int widenSome(int mostWords) {
    int words = widening.step(mostWords);
    if (widening.isComplete()) {
      widening = null;
    }
    return words;
  }

  private void abandon(SegmentTransfer moved) {
    if (moved.target() instanceof ColumnBlock.Column column) {
      column.cancel();
    } else {
      budget.giveBack(LoosePlane.bytesFor(sizeClass.cells()));
    }
  }

  /**
   * The segment is at its new place, or nowhere any more; returns the column it has left, if it has
   * left one.
   */
  private ColumnBlock.Column end(SegmentTransfer moved) {
    moved.end();
    if (moved.slot().isGone()) {
      abandon(moved);
      return null;
    }
    SegmentSlot slot = moved.slot();
    Place former = slot.place();
    Place target = moved.target();
    if (target instanceof ColumnBlock.Column column) {
      column.show(slot);
    }
    slot.moveTo(target);
    if (former instanceof LoosePlane) {
      removeLoose(slot);
      return null;
    }
    if (target instanceof LoosePlane) {
      addLoose(slot);
    }
    ColumnBlock.Column left = (ColumnBlock.Column) former;
    left.leave();
    return left;
  }

  /**
   * The next segment that is to be moved; null if all are where they belong, or if several are to
   * be moved together, or a block is made wider first.
   */
  private SegmentTransfer next() {
    do {
      discardEmptyBlocks();
    } while (closing.isEmpty() && closeBlocks());
    if (!closing.isEmpty()) {
      return fromClosingBlock();
    }
    if (loose.isEmpty()) {
      return null;
    }
    ColumnBlock room = roomyBlock();
    if (room == null && loose.size() >= PROMOTE_AT) {
      room = moreRoom();
    }
    if (room != null) {
      int most = Math.min(loose.size(), Long.SIZE);
      gang = new SegmentTransfer.Gang(room, loose.subList(loose.size() - most, loose.size()));
    }
    return null;
  }

  /** A new block; or null, if one is made wider or there is no memory. */
  private ColumnBlock moreRoom() {
    int needed = loose.size() / Long.SIZE;
    for (ColumnBlock block : blocks) {
      int width = block.width();
      if (width < MAX_WIDTH) {
        int wider = Math.min(MAX_WIDTH, width + Math.max(1, Math.min(needed, width / GROWTH)));
        long cells = sizeClass.cells();
        if (budget.tryTake(ColumnBlock.bytesFor(cells, wider) - block.bytes())) {
          widening = block.widen(wider);
        }
        return null;
      }
    }
    return begin(Math.max(needed, totalWords() / GROWTH));
  }

  private SegmentTransfer fromClosingBlock() {
    for (ColumnBlock block : closing) {
      SegmentSlot slot = block.anySegment();
      ColumnBlock room = roomyBlock();
      if (slot != null && room != null) {
        return new SegmentTransfer(slot, room.reserve(slot));
      }
      if (slot != null && budget.tryTake(LoosePlane.bytesFor(sizeClass.cells()))) {
        BitPlane plane = new BitPlane(sizeClass.cells());
        return new SegmentTransfer(slot, new LoosePlane(plane, slot.owner()));
      }
    }
    return null;
  }

  /**
   * Closes blocks that are no longer worth their memory: their segments move from now on.
   *
   * @return whether there were such blocks
   */
  private boolean closeBlocks() {
    if (blocks.isEmpty()) {
      return false;
    }
    int segments = held() + loose.size(); // the latter are to have columns, too
    if (segments < DEMOTE_BELOW) {
      closing.addAll(blocks);
      blocks.clear();
      return true;
    }
    int columns = Long.SIZE * totalWords();
    int unused = columns - segments;
    if (unused < columns / 2 || unused < Long.SIZE + Long.SIZE / GROWTH) {
      return false;
    }
    if (blocks.size() == 1) {
      int words = (segments + segments / GROWTH) / Long.SIZE + 1;
      if (words * Long.SIZE >= columns || begin(words) == null) {
        return false;
      }
    }
    ColumnBlock emptiest =
        blocks.subList(0, Math.max(1, blocks.size() - 1)).stream()
            .min(Comparator.comparingInt(ColumnBlock::heldColumns))
            .orElseThrow();
    blocks.remove(emptiest);
    closing.add(emptiest);
    return true;
  }

  private ColumnBlock roomyBlock() {
    for (ColumnBlock block : blocks) {
      if (block.freeColumns() > 0) {
        return block;
      }
    }
    return null;
  }

  private int held() {
    return blocks.stream().mapToInt(ColumnBlock::heldColumns).sum();
  }

  private int totalWords() {
    return blocks.stream().mapToInt(ColumnBlock::columns).sum() / Long.SIZE;
  }

  /** Begins a block of about so many words, if there is memory for it. */
  private ColumnBlock begin(int wantedWords) {
    if (sizeClass.cells() > Integer.MAX_VALUE) {
      return null;
    }
    int width = Math.max(1, Math.min(MAX_WIDTH, wantedWords));
    if (!budget.tryTake(ColumnBlock.bytesFor(sizeClass.cells(), width))) {
      return null;
    }
    ColumnBlock block = new ColumnBlock((int) sizeClass.cells(), width);
    blocks.add(block);
    view = null;
    return block;
  }

  private void discardEmptyBlocks() {
    for (ColumnBlock block : List.copyOf(closing)) {
      if (block.heldColumns() == 0) {
        closing.remove(block);
        budget.giveBack(block.bytes());
        view = null;
      }
    }
  }

  /** Whether {@link #view()} would give another view than before. */
  boolean viewIsStale() {
    return view == null;
  }

  /** What readers are to see from now on. */
  ClassView view() {
    if (view == null) {
      List<ColumnBlock> all = new ArrayList<>(blocks);
      all.addAll(closing);
      view = new ClassView(sizeClass, all.toArray(ColumnBlock[]::new), planes);
    }
    return view;
  }
}
