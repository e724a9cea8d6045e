/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.filter;

import io.hbaseindex.core.memory.MemoryBlock;
import io.hbaseindex.core.memory.PagedMemory;
import java.lang.invoke.VarHandle;
import java.nio.LongBuffer;
import java.util.Optional;

/**
 * The counters of a segment: two bits for each cell, and what is above three in a side table. A
 * counter is exact, or <em>stuck</em>: then it is never counted down again.
 *
 * <pre>
 *   63                                              7 6 5 4 3 2 1 0
 *   ┌───┬───┬───┬ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─┬───┬───┬───┬───┐   word 0: cells 0 to 31
 *   │ 0 │ 1 │ 0 │                                │ 0 │ 3 │ 2 │ 1 │   cell 2 is 3 or more
 *   └───┴───┴───┴ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─┴───┴─┬─┴───┴───┘
 *                                                      └─► excess of cell 2: none → 3, e → 3 + e
 * </pre>
 *
 * <p><b>No plane.</b> The bit that lookups ask for is "the counter is above zero". It is not stored
 * once more: {@link #shifted} finds it in the two bits, {@link #word} gathers 64 of them.
 *
 * <p><b>Cost.</b> In a half full segment of elements that were inserted once, counters are Poisson
 * distributed with mean ln 2: one cell in 30 is three, one in 179 is more and has an excess. The
 * table for those, {@link ExcessTable}, adds a quarter of a bit to each cell. Elements with a few
 * copies each need more. When the table is full, {@link CarryBlocks} take the cells over, one block
 * after another: from then on a cell is the lower digit of its counter, and what is above takes
 * less than a bit for each.
 *
 * <p><b>Why it is exact.</b> A counter above three leaves its cell at three until the table says
 * that no excess is left. If there is no room for an excess in the table, nor memory for the block
 * to carry, the block is stuck: counters may be too high, never too low. Too high costs precision,
 * and a rebuild mends it.
 *
 * <p>One writer at a time. Any number of readers call {@link #shifted} without waiting, after
 * {@link BitPlane#beginReading}; a cell that stays above zero is never seen as zero, because each
 * change of a cell is the write of one word.
 */
final class CellCounters implements SizeClass.Bits {
  /** The highest value of a cell. */
  static final int TOP = 3;

  /** Cells that share a word. */
  static final int CELLS_PER_WORD = 32;

  /** The lower bit of each cell of a word. */
  static final long LOW_BITS = 0x5555_5555_5555_5555L;

  private final long size;
  private final PagedMemory memory;
  private final MemoryBlock cells;
  private final ExcessTable excess;

  /** What counts in place of the table, in more and more blocks; null until that was full. */
  private CarryBlocks carries;

  private long inUse;

  private CellCounters(long size, PagedMemory memory, MemoryBlock cells, ExcessTable excess) {
    this.size = size;
    this.memory = memory;
    this.cells = cells;
    this.excess = excess;
  }

  /** So many counters, all zero; empty if there is no memory for them. */
  static Optional<CellCounters> within(PagedMemory memory, long size) {
    Optional<MemoryBlock> cells = memory.allocate(wordsFor(size));
    Optional<ExcessTable> excess = cells.flatMap(block -> ExcessTable.within(memory, size));
    if (excess.isEmpty()) {
      cells.ifPresent(MemoryBlock::free);
      return Optional.empty();
    }
    return Optional.of(new CellCounters(size, memory, cells.get(), excess.get()));
  }

  /** Bytes that so many counters take when they are made. */
  static long bytesFor(long size) {
    return PagedMemory.bytesFor(wordsFor(size)) + ExcessTable.bytesFor(size);
  }

  private static long wordsFor(long size) {
    return (size + CELLS_PER_WORD - 1) / CELLS_PER_WORD;
  }

  long size() {
    return size;
  }

  /** Bytes of memory in use. */
  long bytes() {
    long tables = carries == null ? 0 : carries.bytes();
    return cells.bytes() + tables + (isTableDone() ? 0 : excess.bytes());
  }

  /** Number of counters above zero. */
  long inUse() {
    return inUse;
  }

  /** Number of counters that are never counted down again. */
  long stuck() {
    return excess.stuck() + (carries == null ? 0 : carries.stuck());
  }

  /** The count at a position: exact, or too low if it is stuck. */
  int get(long position) {
    if (isCarrying(position)) {
      return carries.get(position);
    }
    int cell = (int) (cells.get(position >>> 5) >>> shift(position)) & TOP;
    return cell < TOP ? cell : TOP + excess.get(position);
  }

  /** Whether the counter at a position is never counted down again, and may be too low. */
  boolean isStuck(long position) {
    return isCarrying(position)
        ? carries.isStuck(position)
        : excess.get(position) == ExcessTable.STUCK;
  }

  /**
   * Whether some cells are digits: then {@link #up} and {@link #down} count. Until then they are
   * left alone, for {@link #increment} and {@link #decrement} are faster.
   */
  boolean isCarrying() {
    return carries != null;
  }

  private boolean isCarrying(long position) {
    return carries != null && carries.isCarrying(position);
  }

  /** Whether all cells are digits, and the table is given back. */
  boolean isTableDone() {
    return carries != null && carries.isComplete();
  }

  /** Counts up by one, in whatever way; returns whether the counter was zero. */
  boolean up(long position) {
    if (isCarrying(position)) {
      return carries.up(position);
    }
    int before = increment(position);
    if (before == TOP) {
      overflow(position);
    }
    return before == 0;
  }

  /** Counts a counter above zero down by one; returns whether it has become zero. */
  boolean down(long position) {
    if (isCarrying(position)) {
      return carries.down(position);
    }
    int before = decrement(position);
    if (before == TOP) {
      underflow(position);
    }
    return before == 1;
  }

  /**
   * Counts a cell up by one, unless it is at its top, and returns its former value; free of
   * branches. A cell that was at its top is to be told to {@link #overflow}.
   */
  int increment(long position) {
    LongBuffer buffer = cells.buffer(position >>> 5);
    int at = cells.offset(position >>> 5);
    long word = buffer.get(at);
    int before = (int) (word >>> shift(position)) & TOP;
    buffer.put(at, word + ((long) (before + 1 >>> 2 ^ 1) << shift(position)));
    return before;
  }

  /**
   * Counts up the cells that an element has in a small patch, as {@link #increment} does, but finds
   * each page once for all slices that have their cells in it. No cell is a digit.
   *
   * @param inUseOfSlice is counted up, too, where cells rise from zero
   * @return the slices in which the cell was zero
   */
  long incrementPatch(long patch, long mixed, long[] inUseOfSlice) {
    long risen = 0;
    long topped = 0;
    for (int slice = 0; slice < inUseOfSlice.length; ) {
      long first = firstWord(patch, slice);
      LongBuffer page = cells.buffer(first);
      int start = cells.offset(first);
      int behind = Math.min(inUseOfSlice.length, slice + slicesInPageFrom(first));
      for (; slice < behind; slice++, start += SizeClass.PATCH_WORDS) {
        int slot = SizeClass.slotInPatch(mixed, slice);
        int at = start + (slot >>> 5);
        long word = page.get(at);
        // Of a shift the lowest six bits count: twice the slot modulo 32.
        long cell = word >>> (slot << 1);
        long isTop = cell & cell >>> 1 & 1;
        long isZero = ~(cell | cell >>> 1) & 1;
        page.put(at, word + ((isTop ^ 1) << (slot << 1)));
        inUseOfSlice[slice] += isZero;
        risen |= isZero << slice;
        topped |= isTop << slice;
      }
    }
    for (long rest = topped; rest != 0; rest &= rest - 1) {
      overflow(position(patch, mixed, Long.numberOfTrailingZeros(rest)));
    }
    return risen;
  }

  /**
   * Counts down the cells, all above zero and no digits, that an element has in a small patch.
   *
   * @param inUseOfSlice is counted down, too, where cells fall to zero
   * @return the slices in which the cell has become zero
   */
  long decrementPatch(long patch, long mixed, long[] inUseOfSlice) {
    long fallen = 0;
    long topped = 0;
    for (int slice = 0; slice < inUseOfSlice.length; ) {
      long first = firstWord(patch, slice);
      LongBuffer page = cells.buffer(first);
      int start = cells.offset(first);
      int behind = Math.min(inUseOfSlice.length, slice + slicesInPageFrom(first));
      for (; slice < behind; slice++, start += SizeClass.PATCH_WORDS) {
        int slot = SizeClass.slotInPatch(mixed, slice);
        int at = start + (slot >>> 5);
        long word = page.get(at);
        long cell = word >>> (slot << 1);
        long isTop = cell & cell >>> 1 & 1;
        long isOne = cell & ~(cell >>> 1) & 1;
        page.put(at, word - ((isTop ^ 1) << (slot << 1)));
        inUseOfSlice[slice] -= isOne;
        fallen |= isOne << slice;
        topped |= isTop << slice;
      }
    }
    for (long rest = topped; rest != 0; rest &= rest - 1) {
      underflow(position(patch, mixed, Long.numberOfTrailingZeros(rest)));
    }
    return fallen;
  }

  /** Whether all cells that an element has in a small patch are above zero; writer only. */
  boolean holdsPatch(long patch, long mixed, int slices) {
    long all = 1;
    for (int slice = 0; slice < slices; ) {
      long first = firstWord(patch, slice);
      LongBuffer page = cells.buffer(first);
      int start = cells.offset(first);
      int behind = Math.min(slices, slice + slicesInPageFrom(first));
      for (; slice < behind; slice++, start += SizeClass.PATCH_WORDS) {
        int slot = SizeClass.slotInPatch(mixed, slice);
        long cell = page.get(start + (slot >>> 5)) >>> (slot << 1);
        all &= cell | cell >>> 1;
      }
    }
    return all != 0;
  }

  private static long firstWord(long patch, int slice) {
    return (patch >>> 5) + (long) slice * SizeClass.PATCH_WORDS;
  }

  /** Slices that have their cells in the rest of a page: each slice has them in one. */
  private static int slicesInPageFrom(long word) {
    int inPage = (int) word & PagedMemory.PAGE_WORDS - 1;
    return (PagedMemory.PAGE_WORDS - inPage) / SizeClass.PATCH_WORDS;
  }

  private static long position(long patch, long mixed, int slice) {
    return patch
        + (long) slice * SizeClass.PATCH_WORDS * CELLS_PER_WORD
        + SizeClass.slotInPatch(mixed, slice);
  }

  /** The cell at a position: its count up to {@link #TOP}, unless it is a digit. */
  int cell(long position) {
    return (int) (cells.get(position >>> 5) >>> shift(position)) & TOP;
  }

  /** A cell that was at its top was to be counted up. */
  void overflow(long position) {
    if (isCarrying(position) || !excess.add(position)) {
      carry(position);
      carries.raise(position);
    }
  }

  /** Makes the block of a position carry, if it does not yet. */
  private void carry(long position) {
    if (carries == null) {
      carries = new CarryBlocks(memory, cells, excess);
    }
    if (!carries.isCarrying(position)) {
      carries.carry(position);
    }
  }

  /**
   * Counts a cell that is above zero down by one, unless it is at its top, and returns its former
   * value; free of branches. A cell that was at its top is to be told to {@link #underflow}.
   */
  int decrement(long position) {
    LongBuffer buffer = cells.buffer(position >>> 5);
    int at = cells.offset(position >>> 5);
    long word = buffer.get(at);
    int before = (int) (word >>> shift(position)) & TOP;
    buffer.put(at, word - ((long) (before + 1 >>> 2 ^ 1) << shift(position)));
    return before;
  }

  /** A cell that is at its top was to be counted down. */
  void underflow(long position) {
    if (!excess.take(position)) {
      cells.set(position >>> 5, cells.get(position >>> 5) - (1L << shift(position)));
    }
  }

  /**
   * Comes after an element was counted, and makes readers see it.
   *
   * @param moreInUse by how many more cells, or fewer, are above zero
   */
  void endWriting(int moreInUse) {
    inUse += moreInUse;
    carryOn();
    VarHandle.releaseFence();
  }

  /** One step towards a segment that needs no table, once there are blocks that carry. */
  private void carryOn() {
    if (carries != null && !carries.isComplete()) {
      carries.carryOn();
      if (carries.isComplete()) {
        excess.free();
      }
    }
  }

  @Override
  public long shifted(long position) {
    long cell = cells.get(position >>> 5) >>> shift(position);
    return cell | cell >>> 1;
  }

  /** Number of words that the cells take, 32 to a word. */
  long wordCount() {
    return cells.words();
  }

  /** Counts up to {@link #TOP} of the cells from 32 * index on, the first in the lowest bits. */
  long cellWord(long index) {
    return isCarrying(index * CELLS_PER_WORD) ? carries.upToThree(index) : cells.get(index);
  }

  /** What the cell at a position has above {@link #TOP}, {@link ExcessTable#STUCK} for ever. */
  int excess(long position) {
    if (!isCarrying(position)) {
      return excess.get(position);
    }
    return carries.isStuck(position)
        ? ExcessTable.STUCK
        : Math.min(Math.max(0, carries.get(position) - TOP), ExcessTable.STUCK);
  }

  /** Sets cells that are zero; {@link #restoreExcesses} of their block is to follow. */
  void restoreWord(long index, long word) {
    inUse += inUse(word);
    cells.set(index, word);
  }

  /** Number of cells of a word that are above zero. */
  static int inUse(long word) {
    return Long.bitCount((word | word >>> 1) & LOW_BITS);
  }

  /**
   * Sets what the cells of a block have above {@link #TOP}, once all of them are set; what there is
   * no room for sticks.
   *
   * @param firstWord the first word of the block
   * @param excesses of each of its cells; {@link ExcessTable#STUCK} for ever
   */
  void restoreExcesses(long firstWord, int[] excesses) {
    long first = firstWord * CELLS_PER_WORD;
    if (carries == null && fitTable(first, excesses)) {
      return;
    }
    if (carries == null) {
      carries = new CarryBlocks(memory, cells, excess);
    }
    carries.restore(first, excesses);
    carryOn();
  }

  private boolean fitTable(long first, int[] excesses) {
    for (int cell = 0; cell < excesses.length; cell++) {
      if (excesses[cell] > 0 && !excess.restore(first + cell, excesses[cell])) {
        return false;
      }
    }
    return true;
  }

  /** The bits "above zero" of all counters, as they are now; writer only. */
  BitPlane plane() {
    BitPlane plane = new BitPlane(size);
    for (int at = 0; at < plane.wordCount(); at++) {
      plane.write(at, word(at));
    }
    return plane;
  }

  /** The bits "above zero" of the counters 64 * index to 64 * index + 63, lowest first. */
  long word(int index) {
    long high = 2L * index + 1 < cells.words() ? gathered(cells.get(2L * index + 1)) : 0;
    return gathered(cells.get(2L * index)) | high << CELLS_PER_WORD;
  }

  /** The bits "above zero" of the 32 cells in a word, in the lower half of the result. */
  private static long gathered(long word) {
    long bits = (word | word >>> 1) & LOW_BITS;
    bits = (bits | bits >>> 1) & 0x3333_3333_3333_3333L;
    bits = (bits | bits >>> 2) & 0x0F0F_0F0F_0F0F_0F0FL;
    bits = (bits | bits >>> 4) & 0x00FF_00FF_00FF_00FFL;
    bits = (bits | bits >>> 8) & 0x0000_FFFF_0000_FFFFL;
    return (bits | bits >>> 16) & 0x0000_0000_FFFF_FFFFL;
  }

  /** Gives the memory back; nobody writes any more. */
  void free() {
    cells.free();
    excess.free();
    if (carries != null) {
      carries.free();
    }
  }

  private static int shift(long position) {
    return (int) (position & (CELLS_PER_WORD - 1)) << 1;
  }
}
