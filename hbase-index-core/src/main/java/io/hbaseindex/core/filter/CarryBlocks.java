/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.filter;

import io.hbaseindex.core.memory.MemoryBlock;
import io.hbaseindex.core.memory.PagedMemory;
import java.nio.LongBuffer;
import java.util.BitSet;
import java.util.Optional;

/**
 * The upper digits of counters whose lower digit is a cell of two bits. It serves segments whose
 * elements have a few copies each, so that many counters are above three.
 *
 * <p>A counter above zero is {@code 3 * carry + digit}, with a digit from one to three: a cell is
 * zero only if its counter is. Counting up from a digit of three begins again at one and adds to
 * the carry; counting down from one takes from the carry, if there is any.
 *
 * <p>The carries of {@value #CELLS} cells are one string of bits: for each cell above zero, in
 * order, as many zeros as its carry, and a one. Behind the last one are zeros.
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
 * <p><b>Cost.</b> Of elements with r copies each, N in a cell, the string of the cell is one bit
 * and a third of r·N, rounded. With two or three copies that comes to N or less, which is 0.69 bits
 * for each cell of a half full segment. The strings of a segment all have the same number of words,
 * {@value #FIRST_WIDTH} at first; when one is full, all get more room. Seven words, 0.875 bits for
 * each cell, are five standard deviations above what three copies need.
 *
 * <p>A block whose string finds no room, because it has {@value #MOST_WIDTH} words or there is no
 * memory, is <em>stuck</em>: its cells are never counted down again.
 *
 * <p>For the writer only, but for the cells, each change of which is the write of one word.
 */
final class CarryBlocks {
  /** Cells of a block. */
  static final int CELLS = 512;

  /** Words that the string of a block has at first. */
  static final int FIRST_WIDTH = 5;

  /** Words that the string of a block has at most: four bits for each cell. */
  static final int MOST_WIDTH = 32;

  private static final int BASE = CellCounters.TOP;
  private static final int BLOCK_SHIFT = 9;
  private static final int CELL_WORDS_SHIFT = 4;
  private static final int CELL_WORDS = 1 << CELL_WORDS_SHIFT;
  private static final int INVERSE_SHIFT = 40;

  private final MemoryBlock cells;
  private final long blocks;
  private final BitSet stuckBlocks = new BitSet();
  private MemoryBlock strings;
  private int width;

  /** Blocks whose strings are in one page of memory, and 2^40 divided by that, rounded up. */
  private int perPage;

  private long perPageInverse;

  /** The string that was {@linkplain #open opened} last. */
  private LongBuffer string;

  private int stringAt;
  private long stuckCells;
  private boolean atItsBound;

  private CarryBlocks(MemoryBlock cells, long blocks, MemoryBlock strings) {
    this.cells = cells;
    this.blocks = blocks;
    this.strings = strings;
    setWidth(FIRST_WIDTH);
  }

  private void setWidth(int words) {
    width = words;
    perPage = PagedMemory.PAGE_WORDS / words;
    perPageInverse = (1L << INVERSE_SHIFT) / perPage + 1;
  }

  /** Words of memory for all strings: none of them is in two pages. */
  private static long wordsFor(long blocks, int width) {
    int perPage = PagedMemory.PAGE_WORDS / width;
    return (blocks + perPage - 1) / perPage * PagedMemory.PAGE_WORDS;
  }

  private static long start(long block, int width, int perPage, long page) {
    return page * PagedMemory.PAGE_WORDS + (block - page * perPage) * width;
  }

  private void open(long block) {
    long start = start(block, width, perPage, block * perPageInverse >>> INVERSE_SHIFT);
    string = strings.buffer(start);
    stringAt = strings.offset(start);
  }

  /**
   * Takes over cells that stay at three where a table has the rest of their counts; they are to be
   * written by this object alone from now on. Empty if there is no memory for it.
   */
  static Optional<CarryBlocks> takingOver(
      PagedMemory memory, MemoryBlock cells, ExcessTable excesses) {
    long blocks = (cells.words() + CELL_WORDS - 1) / CELL_WORDS;
    Optional<CarryBlocks> made =
        memory
            .allocate(wordsFor(blocks, FIRST_WIDTH))
            .map(strings -> new CarryBlocks(cells, blocks, strings));
    made.ifPresent(carries -> carries.takeOver(excesses));
    return made;
  }

  private void takeOver(ExcessTable excesses) {
    for (long block = 0; block < blocks; block++) {
      long first = block << CELL_WORDS_SHIFT;
      long[] digits = new long[(int) Math.min(CELL_WORDS, cells.words() - first)];
      long[] bits = new long[MOST_WIDTH];
      int length = encode(first, excesses, digits, bits);
      while (length <= MOST_WIDTH * Long.SIZE && length > width * Long.SIZE && widen()) {
        // until it fits
      }
      if (length > width * Long.SIZE) {
        stickBlock(block);
        continue;
      }
      open(block);
      for (int word = 0; word < width; word++) {
        string.put(stringAt + word, bits[word]);
      }
      for (int word = 0; word < digits.length; word++) {
        cells.set(first + word, digits[word]);
      }
    }
  }

  /** Finds the digits and the string of a block; returns the length of the string. */
  private int encode(long first, ExcessTable excesses, long[] digits, long[] bits) {
    int at = 0;
    for (int word = 0; word < digits.length; word++) {
      long former = cells.get(first + word);
      digits[word] = former;
      long inUse = (former | former >>> 1) & CellCounters.LOW_BITS;
      for (; inUse != 0; inUse &= inUse - 1) {
        int shift = Long.numberOfTrailingZeros(inUse);
        int count = (int) (former >>> shift) & CellCounters.TOP;
        if (count == CellCounters.TOP) {
          long position = (first + word) * CellCounters.CELLS_PER_WORD + shift / 2;
          count += excesses.get(position);
          digits[word] = with(digits[word], shift, 1 + (count - 1) % BASE);
        }
        at += (count - 1) / BASE;
        if (at >= MOST_WIDTH * Long.SIZE) {
          return Integer.MAX_VALUE;
        }
        bits[at >>> 6] |= 1L << at;
        at++;
      }
    }
    return at;
  }

  /** Bytes of memory in use, without the cells. */
  long bytes() {
    return strings.bytes();
  }

  /** Number of counters that are never counted down again. */
  long stuck() {
    return stuckCells;
  }

  /** Whether the counter at a position is never counted down again. */
  boolean isStuck(long position) {
    return stuckBlocks.get((int) (position >>> BLOCK_SHIFT));
  }

  /** The count at a position: exact, or too low if it is stuck. */
  int get(long position) {
    int digit = cell(position);
    if (digit == 0 || isStuck(position)) {
      return digit;
    }
    open(position >>> BLOCK_SHIFT);
    return BASE * carryBefore(one(rank(position))) + digit;
  }

  /** A word of cells as counts up to three: a cell whose counter has a carry is three. */
  long upToThree(long index) {
    long word = cells.get(index);
    long rest = (word | word >>> 1) & CellCounters.LOW_BITS;
    long first = index << 5;
    if (isStuck(first)) {
      return word | rest | rest << 1;
    }
    open(first >>> BLOCK_SHIFT);
    int before = rank(first);
    for (int at = before == 0 ? 0 : one(before - 1) + 1; rest != 0; rest &= rest - 1) {
      int end = oneFrom(at);
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
      raise(position, 1);
    }
    return digit == 0;
  }

  private void begin(long position) {
    long block = position >>> BLOCK_SHIFT;
    if (hasRoom(block)) {
      int rank = rank(position);
      insert(rank == 0 ? 0 : one(rank - 1) + 1, 1);
    } else {
      stuckCells++;
    }
    setCell(position, 1);
  }

  /** Counts a counter above zero up by so much; what there is no room for sticks. */
  void raise(long position, int by) {
    long block = position >>> BLOCK_SHIFT;
    int above = cell(position) - 1 + by;
    if (above >= BASE * Long.SIZE * MOST_WIDTH) {
      stickBlock(block);
      return;
    }
    for (int carry = above / BASE; carry > 0; carry--) {
      if (!hasRoom(block)) {
        return;
      }
      insert(one(rank(position)), 0);
    }
    setCell(position, 1 + above % BASE);
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
    open(position >>> BLOCK_SHIFT);
    int end = one(rank(position));
    boolean carries = carryBefore(end) > 0;
    remove(carries ? end - 1 : end);
    setCell(position, carries ? BASE : 0);
    return !carries;
  }

  /** The counter at a position, and others beside it, are never counted down again. */
  void stick(long position) {
    stickBlock(position >>> BLOCK_SHIFT);
  }

  /** No counter is ever counted down again. */
  void stickAll() {
    for (long block = 0; block < blocks; block++) {
      stickBlock(block);
    }
  }

  /** The memory of the strings; the cells are left. */
  void free() {
    strings.free();
  }

  // ---- room ----

  /** Opens a block that has room for one more bit, or is given it; if not, it is stuck. */
  private boolean hasRoom(long block) {
    if (stuckBlocks.get((int) block)) {
      return false;
    }
    open(block);
    if (string(width - 1) >= 0) {
      return true;
    }
    if (!widen()) {
      stickBlock(block);
      return false;
    }
    open(block);
    return true;
  }

  private void stickBlock(long block) {
    if (!stuckBlocks.get((int) block)) {
      stuckBlocks.set((int) block);
      long first = block << CELL_WORDS_SHIFT;
      stuckCells += inUse(first, Math.min(first + CELL_WORDS, cells.words()));
    }
  }

  /** Gives all strings more words, in place, from the last one to the first. */
  private boolean widen() {
    int wider = Math.min(MOST_WIDTH, width + Math.max(1, width / 4));
    if (atItsBound || wider == width) {
      return false;
    }
    Optional<MemoryBlock> more = strings.extended(wordsFor(blocks, wider));
    if (more.isEmpty()) {
      atItsBound = true; // it is not tried again, for every further write would
      return false;
    }
    strings = more.get();
    int widerPerPage = PagedMemory.PAGE_WORDS / wider;
    for (long block = blocks - 1; block >= 0; block--) {
      long from = start(block, width, perPage, block / perPage);
      long to = start(block, wider, widerPerPage, block / widerPerPage);
      for (int word = wider - 1; word >= 0; word--) {
        strings.set(to + word, word < width ? strings.get(from + word) : 0);
      }
    }
    setWidth(wider);
    return true;
  }

  // ---- the string of the block that is open ----

  private long string(int word) {
    return string.get(stringAt + word);
  }

  /** Where the one is that so many ones come before. */
  private int one(int before) {
    int rest = before;
    int word = 0;
    long bits = string(0);
    for (int ones = Long.bitCount(bits); ones <= rest; ones = Long.bitCount(bits)) {
      rest -= ones;
      bits = string(++word);
    }
    int at = 0;
    for (int half = Long.SIZE / 2; half > 0; half /= 2) {
      int ones = Long.bitCount(bits >>> at & (1L << half) - 1);
      if (ones <= rest) {
        rest -= ones;
        at += half;
      }
    }
    return word << 6 | at;
  }

  /** Where the first one is from a place on. */
  private int oneFrom(int place) {
    int word = place >>> 6;
    long bits = string(word) & -1L << place;
    while (bits == 0) {
      bits = string(++word);
    }
    return word << 6 | Long.numberOfTrailingZeros(bits);
  }

  /** Number of zeros right before a place. */
  private int carryBefore(int end) {
    int word = end >>> 6;
    int bits = end & 63;
    int zeros = 0;
    while (true) {
      long before = bits == 0 ? 0 : string(word) << Long.SIZE - bits;
      if (before != 0) {
        return zeros + Long.numberOfLeadingZeros(before);
      }
      zeros += bits;
      if (word-- == 0) {
        return zeros;
      }
      bits = Long.SIZE;
    }
  }

  /** Puts a bit at a place; those from there on move up by one. */
  private void insert(int at, long bit) {
    int word = at >>> 6;
    long bits = string(word);
    long below = bits & (1L << at) - 1;
    string.put(stringAt + word, below | bit << at | (bits & -1L << at) << 1);
    // To the end of the string: a word of zeros may be in the middle of a long carry.
    for (long carried = bits >>> 63; ++word < width; carried = bits >>> 63) {
      bits = string(word);
      string.put(stringAt + word, bits << 1 | carried);
    }
  }

  /** Takes the bit at a place away; those behind it move down by one. */
  private void remove(int at) {
    int word = at >>> 6;
    long bits = string(word);
    long kept = bits & (1L << at) - 1 | bits >>> 1 & -1L << at;
    while (++word < width) {
      bits = string(word);
      string.put(stringAt + word - 1, kept | bits << 63);
      kept = bits >>> 1;
    }
    string.put(stringAt + word - 1, kept);
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
