/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.matrix;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The planes of up to {@code 64 * width} segments of one size class side by side, one segment per
 * column.
 *
 * <pre>
 *                 word 0            word 1        …  word width-1
 *   position 0    columns 0 … 63    columns 64 …
 *   position 1    columns 0 … 63    columns 64 …
 *   …
 *   live          columns 0 … 63    columns 64 …       which columns readers may look at
 *   owners        one id per column
 * </pre>
 *
 * <p>A lookup reads one row per slice of the element and ANDs them, starting from the live row.
 * Rows are contiguous, so a row costs a cache miss or two and then streams. Rows are kept in chunks
 * of about a mebibyte, each of which is allocated when it is first written: a block of large
 * segments is many gigabits, and making it at once would stop everybody.
 *
 * <p><b>Life of a column.</b> <em>Free</em>; then <em>reserved</em>: written step by step, unseen
 * by readers; then <em>live</em> by one bit; then <em>retired</em>: no longer live, but a reader
 * may have read the live row before; and after a grace period free again. So a column never changes
 * its owner under a reader. A column that was used before still holds its old bits; every word of
 * it is written before it is live.
 *
 * <p><b>Threads.</b> {@link #collect} may run at any time; everything else belongs to the updater.
 * Bits of live columns change under the readers by plain writes: readers need no more than that
 * each bit is read as it was before or after, which holds even where a 64-bit read is torn. The
 * order of sets and clears is the caller's, by grace periods. The live row is written with release
 * and read with acquire semantics, so whoever sees a column live sees its owner and its bits.
 */
final class ColumnBlock {
  private static final VarHandle LIVE = MethodHandles.arrayElementVarHandle(long[].class);

  /** Words that a lookup carries through the rows together; a cache line. */
  private static final int GROUP = 8;

  /** Rows that a lookup of a single word fetches before it looks at what they leave. */
  private static final int FETCHED = 4;

  private static final int CHUNK_WORDS = 1 << 17;
  private static final int BYTES_PER_COLUMN = Integer.BYTES + Long.BYTES;
  private static final int BITMAPS = 2;

  private final int width;
  private final int shift;
  private final int mask;
  private final int cells;
  private final long[][] chunks;
  private final long[] live;
  private final int[] owners;

  private final SegmentSlot[] slots;
  private final long[] free;
  private int freeColumns;
  private int heldColumns;

  ColumnBlock(int cells, int width) {
    this.cells = cells;
    this.width = width;
    this.shift = Long.SIZE - 1 - Long.numberOfLeadingZeros(Math.max(1, CHUNK_WORDS / width));
    this.mask = (1 << shift) - 1;
    this.chunks = new long[(cells - 1 >>> shift) + 1][];
    this.live = new long[width];
    this.owners = new int[columns()];
    this.slots = new SegmentSlot[columns()];
    this.free = new long[width];
    for (int word = 0; word < width; word++) {
      free[word] = -1L;
    }
    this.freeColumns = columns();
  }

  /** Bytes of heap a block takes, a few object headers aside. */
  static long bytesFor(long cells, int width) {
    return Long.BYTES * width * (cells + BITMAPS) + (long) BYTES_PER_COLUMN * Long.SIZE * width;
  }

  long bytes() {
    return bytesFor(cells, width);
  }

  int cells() {
    return cells;
  }

  int columns() {
    return width * Long.SIZE;
  }

  int freeColumns() {
    return freeColumns;
  }

  /** Number of columns that hold a segment, or are reserved for one. */
  int heldColumns() {
    return heldColumns;
  }

  /**
   * Adds to a set the owners of all columns whose bits are set at every given position.
   *
   * @param positions the element's position in each slice
   */
  void collect(int[] positions, OwnerSet into) {
    int word = 0;
    for (; word + GROUP <= width; word += GROUP) {
      collectGroup(positions, word, into);
    }
    for (; word < width; word++) {
      collectWord(positions, word, into);
    }
  }

  private void collectGroup(int[] positions, int word, OwnerSet into) {
    long a = live(word);
    long b = live(word + 1);
    long c = live(word + 2);
    long d = live(word + 3);
    long e = live(word + 4);
    long f = live(word + 5);
    long g = live(word + 6);
    long h = live(word + 7);
    if ((a | b | c | d | e | f | g | h) == 0) {
      return; // then the rows may not have been written at all
    }
    for (int position : positions) {
      long[] chunk = chunks[position >>> shift];
      int at = (position & mask) * width + word;
      a &= chunk[at];
      b &= chunk[at + 1];
      c &= chunk[at + 2];
      d &= chunk[at + 3];
      e &= chunk[at + 4];
      f &= chunk[at + 5];
      g &= chunk[at + 6];
      h &= chunk[at + 7];
      if ((a | b | c | d | e | f | g | h) == 0) {
        return;
      }
    }
    addOwners(a, word, into);
    addOwners(b, word + 1, into);
    addOwners(c, word + 2, into);
    addOwners(d, word + 3, into);
    addOwners(e, word + 4, into);
    addOwners(f, word + 5, into);
    addOwners(g, word + 6, into);
    addOwners(h, word + 7, into);
  }

  /**
   * Fetches several rows before each branch: the machine has their cache misses under way at once.
   */
  private void collectWord(int[] positions, int word, OwnerSet into) {
    long matches = live(word);
    int next = 0;
    for (; matches != 0 && next + FETCHED <= positions.length; next += FETCHED) {
      matches &=
          row(positions[next], word)
              & row(positions[next + 1], word)
              & row(positions[next + 2], word)
              & row(positions[next + 3], word);
    }
    for (; matches != 0 && next < positions.length; next++) {
      matches &= row(positions[next], word);
    }
    addOwners(matches, word, into);
  }

  private long row(int position, int word) {
    return chunks[position >>> shift][(position & mask) * width + word];
  }

  private long live(int word) {
    return (long) LIVE.getAcquire(live, word);
  }

  private void addOwners(long matches, int word, OwnerSet into) {
    for (long rest = matches; rest != 0; rest &= rest - 1) {
      into.add(owners[word << 6 | Long.numberOfTrailingZeros(rest)]);
    }
  }

  /** The first segment that has a live column here, or null. */
  SegmentSlot anySegment() {
    for (SegmentSlot slot : slots) {
      if (slot != null) {
        return slot;
      }
    }
    return null;
  }

  /** Reserves a free column for a segment. */
  Column reserve(SegmentSlot slot) {
    for (int word = 0; word < width; word++) {
      if (free[word] != 0) {
        int number = word << 6 | Long.numberOfTrailingZeros(free[word]);
        free[word] &= ~(1L << number);
        freeColumns--;
        heldColumns++;
        owners[number] = slot.owner();
        return new Column(number);
      }
    }
    throw new IllegalStateException("Cannot take a column: none of " + columns() + " was free");
  }

  /** One column, from its reservation to its release. */
  final class Column implements Place {
    private final int number;

    private Column(int number) {
      this.number = number;
    }

    ColumnBlock block() {
      return ColumnBlock.this;
    }

    int number() {
      return number;
    }

    /** Lets readers see the column of a segment, every word of which has been written. */
    void show(SegmentSlot slot) {
      slots[number] = slot;
      int word = number >>> 6;
      LIVE.setRelease(live, word, live[word] | 1L << number);
    }

    /** The segment has another place; readers may still look at this one. */
    void leave() {
      slots[number] = null;
    }

    /** Takes the column away from the readers; it is free after {@link #release}. */
    void hide() {
      slots[number] = null;
      int word = number >>> 6;
      LIVE.setRelease(live, word, live[word] & ~(1L << number));
      heldColumns--;
    }

    /** Lets the column be taken again; no reader that saw it live may be left. */
    void release() {
      free[number >>> 6] |= 1L << number;
      freeColumns++;
    }

    /** Gives the column back before any reader has seen it. */
    void cancel() {
      heldColumns--;
      release();
    }

    @Override
    public void set(long position) {
      long[] chunk = chunk(position);
      if (chunk != null) {
        chunk[at(position)] |= 1L << number;
      }
    }

    @Override
    public void clear(long position) {
      long[] chunk = chunk(position);
      if (chunk != null) {
        chunk[at(position)] &= ~(1L << number);
      }
    }

    @Override
    public long word(int index) {
      long first = (long) index << 6;
      long word = 0;
      for (long position = Math.min(first + Long.SIZE, cells) - 1; position >= first; position--) {
        word = word << 1 | chunk(position)[at(position)] >>> number & 1;
      }
      return word;
    }

    @Override
    public void write(int index, long word) {
      long first = (long) index << 6;
      long end = Math.min(first + Long.SIZE, cells);
      long bit = 1L << number;
      long rest = word;
      for (long position = first; position < end; position++, rest >>>= 1) {
        long[] chunk = chunk(position);
        if (chunk == null) {
          chunk = allocate(position);
        }
        int at = at(position);
        chunk[at] = chunk[at] & ~bit | -(rest & 1) & bit;
      }
    }

    private long[] chunk(long position) {
      return chunks[(int) position >>> shift];
    }

    private int at(long position) {
      return ((int) position & mask) * width + (number >>> 6);
    }
  }

  private long[] allocate(long position) {
    int index = (int) position >>> shift;
    int rows = Math.min(1 << shift, cells - (index << shift));
    chunks[index] = new long[rows * width];
    return chunks[index];
  }
}
