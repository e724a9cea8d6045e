/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.filter;

import io.hbaseindex.core.memory.BitStrings;
import io.hbaseindex.core.memory.MemoryBlock;
import io.hbaseindex.core.memory.PagedMemory;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;
import java.util.function.IntUnaryOperator;

/**
 * The upper digits of counters whose lower digit is a cell of two bits. It serves segments whose
 * elements have a few copies each, so that many counters are above three.
 *
 * <p>A counter above zero is {@code 3 * carry + digit}, with a digit from one to three: a cell is
 * zero only if its counter is. Counting up from a digit of three begins again at one and adds to
 * the carry; counting down from one takes from the carry, if there is any.
 *
 * <p>The carries of a block of {@value #CELLS} cells are one string of bits: for each cell above
 * zero, in order, as many zeros as its carry, and a one. Behind the last one are zeros.
 *
 * <pre>
 *   counters     2      0   7        0   3      4
 *   cells        2      0   1        0   3      1
 *   carries      0          2            0      1
 *   string       1          0 0 1        1      0 1      0 0 0 …
 * </pre>
 *
 * <p>The string of a cell is found by the number of cells above zero before it, which is the number
 * of ones to pass: both are counted by words.
 *
 * <p><b>One block after another.</b> A block <em>carries</em> from the moment on that a counter of
 * it found no room in the table of excesses; what the table had for it moves into the string. Once
 * there is one such block, each write makes the next one carry, too, in order, until the table is
 * not needed any more. So no write waits for more than a few blocks.
 *
 * <p><b>Cost.</b> Of elements with r copies each, N in a cell, the string of the cell is one bit
 * and a third of r·N, rounded. With two or three copies that comes to N or less, which is 0.69 bits
 * for each cell of a half full segment. The strings of {@value BitStrings#MOST} blocks have the
 * same number of words; when one is full, all of these get one more. Seven words, 0.875 bits for
 * each cell, are five standard deviations above what three copies need.
 *
 * <p>A block whose string finds no room, because it is too long or there is no memory, is
 * <em>stuck</em>: its cells are never counted down again.
 *
 * <p>For the writer only, but for the cells, each change of which is the write of one word.
 */
final class CarryBlocks {
  /** Cells of a block. */
  static final int CELLS = 512;

  /** Words of the cells of a block. */
  static final int CELL_WORDS = 16;

  private static final int BASE = CellCounters.TOP;
  private static final int BLOCK_SHIFT = 9;
  private static final int CELL_WORDS_SHIFT = 4; // CELL_WORDS

  private final PagedMemory memory;
  private final MemoryBlock cells;
  private final ExcessTable excesses;
  private final int blocks;
  private final BitStrings[] groups;
  private final BitSet carrying = new BitSet();
  private final BitSet stuckBlocks = new BitSet();

  /** All blocks before it carry. */
  private int next;

  /** Whether there was no memory for the next block that carries without need. */
  private boolean halted;

  private long stuckCells;

  /** No block carries yet: cells stay at three where the table has the rest of their counts. */
  CarryBlocks(PagedMemory memory, MemoryBlock cells, ExcessTable excesses) {
    this.memory = memory;
    this.cells = cells;
    this.excesses = excesses;
    this.blocks = Math.toIntExact((cells.words() + CELL_WORDS - 1) / CELL_WORDS);
    this.groups = new BitStrings[(blocks + BitStrings.MOST - 1) / BitStrings.MOST];
  }

  /** Bytes of memory in use, without the cells. */
  long bytes() {
    return Arrays.stream(groups).filter(Objects::nonNull).mapToLong(BitStrings::bytes).sum();
  }

  /** Number of counters that are never counted down again, of blocks that carry. */
  long stuck() {
    return stuckCells;
  }

  /** Whether the block of a position carries: then its cells are written by this object alone. */
  boolean isCarrying(long position) {
    return next == blocks || carrying.get(block(position));
  }

  /** Whether all blocks carry, and the table is empty. */
  boolean isComplete() {
    return next == blocks;
  }

  /** Makes the next block carry, if there is memory for that. */
  void carryOn() {
    if (next < blocks && !halted) {
      halted = !carrying.get(next) && !convert(next, tabled(next));
      next = carrying.nextClearBit(next);
    }
  }

  /** Makes the block of a position carry; it is stuck if there is no room. */
  void carry(long position) {
    carry(block(position), tabled(block(position)));
  }

  /**
   * Makes a block carry whose cells were set to counts up to three, whether it did so before or
   * not.
   *
   * @param position of its first cell
   * @param excessOf what each of its cells has above three
   */
  void restore(long position, int[] excessOf) {
    carry(block(position), cell -> excessOf[cell]);
  }

  private void carry(int block, IntUnaryOperator excessOf) {
    if (convert(block, excessOf)) {
      halted = false;
    } else {
      stickBlock(block);
    }
  }

  /** What the table has for the cells of a block. */
  private IntUnaryOperator tabled(int block) {
    return cell -> excesses.get(((long) block << BLOCK_SHIFT) + cell);
  }

  /** Moves what is above three into the block's string, unless there is no room. */
  private boolean convert(int block, IntUnaryOperator excessOf) {
    long first = (long) block << CELL_WORDS_SHIFT;
    long[] digits = new long[(int) Math.min(CELL_WORDS, cells.words() - first)];
    long[] bits = new long[BitStrings.MOST_BITS / Long.SIZE];
    int length = encode(first, digits, bits, excessOf);
    if (length > BitStrings.MOST_BITS) {
      stickBlock(block);
      return true;
    }
    if (!makeRoom(block, length)) {
      return false;
    }
    open(block).write(bits);
    forgetExcesses(block);
    for (int word = 0; word < digits.length; word++) {
      cells.set(first + word, digits[word]);
    }
    carrying.set(block);
    return true;
  }

  /** Finds the digits and the string of a block; returns the length of the string. */
  private int encode(long first, long[] digits, long[] bits, IntUnaryOperator excessOf) {
    int at = 0;
    for (int word = 0; word < digits.length; word++) {
      long former = cells.get(first + word);
      digits[word] = former;
      long inUse = (former | former >>> 1) & CellCounters.LOW_BITS;
      for (; inUse != 0; inUse &= inUse - 1) {
        int shift = Long.numberOfTrailingZeros(inUse);
        int count = (int) (former >>> shift) & CellCounters.TOP;
        if (count == CellCounters.TOP) {
          count += excessOf.applyAsInt(word << 5 | shift / 2);
          digits[word] = with(digits[word], shift, 1 + (count - 1) % BASE);
        }
        at += (count - 1) / BASE;
        if (at >= BitStrings.MOST_BITS) {
          return Integer.MAX_VALUE;
        }
        bits[at >>> 6] |= 1L << at;
        at++;
      }
    }
    return at;
  }

  private void forgetExcesses(int block) {
    long first = (long) block << CELL_WORDS_SHIFT;
    long end = Math.min(first + CELL_WORDS, cells.words());
    for (long word = first; word < end; word++) {
      long tops = cells.get(word) & cells.get(word) >>> 1 & CellCounters.LOW_BITS;
      for (; tops != 0; tops &= tops - 1) {
        excesses.forget(word << 5 | Long.numberOfTrailingZeros(tops) / 2);
      }
    }
  }

  /** Whether the counter at a position is never counted down again. */
  boolean isStuck(long position) {
    return stuckBlocks.get(block(position));
  }

  /** The count at a position: exact, or too low if it is stuck. */
  int get(long position) {
    int digit = cell(position);
    if (digit == 0 || isStuck(position)) {
      return digit;
    }
    BitStrings string = open(block(position));
    return BASE * string.zerosBefore(string.one(rank(position))) + digit;
  }

  /** A word of cells as counts up to three: a cell whose counter has a carry is three. */
  long upToThree(long index) {
    long word = cells.get(index);
    long rest = (word | word >>> 1) & CellCounters.LOW_BITS;
    long first = index << 5;
    if (isStuck(first)) {
      return word | rest | rest << 1;
    }
    BitStrings string = open(block(first));
    int before = rank(first);
    for (int at = before == 0 ? 0 : string.one(before - 1) + 1; rest != 0; rest &= rest - 1) {
      int end = string.oneFrom(at);
      if (end > at) {
        word |= (long) CellCounters.TOP << Long.numberOfTrailingZeros(rest);
      }
      at = end + 1;
    }
    return word;
  }

  /** Counts up by one; returns whether the counter was zero. */
  boolean up(long position) {
    int digit = cell(position);
    if (digit == 0) {
      begin(position);
    } else {
      raise(position);
    }
    return digit == 0;
  }

  private void begin(long position) {
    if (hasRoom(block(position))) {
      BitStrings string = open(block(position));
      int rank = rank(position);
      string.insert(rank == 0 ? 0 : string.one(rank - 1) + 1, 1);
    } else {
      stuckCells++;
    }
    setCell(position, 1);
  }

  /** Counts a counter above zero up by one; if there is no room for that, its block sticks. */
  void raise(long position) {
    int digit = cell(position);
    if (digit < BASE) {
      setCell(position, digit + 1);
    } else if (hasRoom(block(position))) {
      BitStrings string = open(block(position));
      string.insert(string.one(rank(position)), 0);
      setCell(position, 1);
    }
  }

  /** Counts a counter above zero down by one; returns whether it has become zero. */
  boolean down(long position) {
    if (isStuck(position)) {
      return false;
    }
    int digit = cell(position);
    if (digit > 1) {
      setCell(position, digit - 1);
      return false;
    }
    BitStrings string = open(block(position));
    int end = string.one(rank(position));
    boolean carries = string.zerosBefore(end) > 0;
    string.remove(carries ? end - 1 : end);
    setCell(position, carries ? BASE : 0);
    return !carries;
  }

  /** The memory of the strings; the cells are left. */
  void free() {
    Arrays.stream(groups).filter(Objects::nonNull).forEach(BitStrings::free);
  }

  // ---- strings ----

  private BitStrings open(int block) {
    BitStrings group = groups[block / BitStrings.MOST];
    group.open(block % BitStrings.MOST);
    return group;
  }

  /** Whether a block that carries has room for one more bit, or is given it; if not, it sticks. */
  private boolean hasRoom(int block) {
    if (!stuckBlocks.get(block) && !open(block).makeRoom()) {
      stickBlock(block);
    }
    return !stuckBlocks.get(block);
  }

  /** Makes room for a string of so many bits, with memory for its group if that has none yet. */
  private boolean makeRoom(int block, int bits) {
    int group = block / BitStrings.MOST;
    if (groups[group] == null) {
      int others = blocks - group * BitStrings.MOST;
      groups[group] = BitStrings.within(memory, Math.min(BitStrings.MOST, others)).orElse(null);
    }
    return groups[group] != null && groups[group].makeRoom(bits);
  }

  private void stickBlock(int block) {
    if (!stuckBlocks.get(block)) {
      stuckBlocks.set(block);
      if (!carrying.get(block)) {
        forgetExcesses(block);
        carrying.set(block);
      }
      long first = (long) block << CELL_WORDS_SHIFT;
      stuckCells += inUse(first, Math.min(first + CELL_WORDS, cells.words()));
    }
  }

  // ---- cells ----

  /** Number of cells above zero that a block has before a position. */
  private int rank(long position) {
    long word = position >>> 5;
    long first = position >>> BLOCK_SHIFT << CELL_WORDS_SHIFT;
    LongBuffer buffer = cells.buffer(first); // a block is in one page
    int at = cells.offset(first);
    int last = at + (int) (word - first);
    int inUse = CellCounters.inUse(buffer.get(last) & (1L << shift(position)) - 1);
    for (; at < last; at++) {
      inUse += CellCounters.inUse(buffer.get(at));
    }
    return inUse;
  }

  private int inUse(long firstWord, long endWord) {
    int inUse = 0;
    for (long word = firstWord; word < endWord; word++) {
      inUse += CellCounters.inUse(cells.get(word));
    }
    return inUse;
  }

  private static int block(long position) {
    return (int) (position >>> BLOCK_SHIFT);
  }

  private int cell(long position) {
    return (int) (cells.get(position >>> 5) >>> shift(position)) & CellCounters.TOP;
  }

  private void setCell(long position, long digit) {
    cells.set(position >>> 5, with(cells.get(position >>> 5), shift(position), digit));
  }

  /** A word of cells with another digit in one of them. */
  private static long with(long word, int shift, long digit) {
    return word & ~((long) CellCounters.TOP << shift) | digit << shift;
  }

  private static int shift(long position) {
    return (int) position << 1 & 63;
  }
}
