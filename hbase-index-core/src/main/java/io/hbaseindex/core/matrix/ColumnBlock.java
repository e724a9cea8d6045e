/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.matrix;

import io.hbaseindex.core.filter.BitPlane;
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
 * Rows are contiguous, so a row costs a cache miss or two and then streams.
 *
 * <p><b>Life of a column.</b> <em>Free</em>; then written while not live, unseen by readers; then
 * <em>live</em> by one bit; then <em>retired</em>: no longer live, but a reader may have read the
 * live row before; and after a grace period free again. So a column never changes its owner under a
 * reader. A column that was used before still holds its old bits and is overwritten row by row when
 * it is taken again; one never used holds zeros.
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

  private static final int BYTES_PER_COLUMN = Integer.BYTES + Long.BYTES;
  private static final int BITMAPS = 4;

  private final int cells;
  private final int width;
  private final long[] bits;
  private final long[] live;
  private final int[] owners;

  private final SegmentSlot[] slots;
  private final long[] free;
  private final long[] retired;
  private final long[] written;
  private int freeColumns;
  private int retiredColumns;

  ColumnBlock(int cells, int width) {
    this.cells = cells;
    this.width = width;
    this.bits = new long[Math.multiplyExact(cells, width)];
    this.live = new long[width];
    this.owners = new int[columns()];
    this.slots = new SegmentSlot[columns()];
    this.free = new long[width];
    this.retired = new long[width];
    this.written = new long[width];
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

  int width() {
    return width;
  }

  int columns() {
    return width * Long.SIZE;
  }

  int freeColumns() {
    return freeColumns;
  }

  int retiredColumns() {
    return retiredColumns;
  }

  /** Number of columns that hold a segment. */
  int usedColumns() {
    return columns() - freeColumns - retiredColumns;
  }

  /** The segments of this block, in column order, nulls between them. */
  SegmentSlot[] slots() {
    return slots;
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
    for (int position : positions) {
      int at = position * width + word;
      a &= bits[at];
      b &= bits[at + 1];
      c &= bits[at + 2];
      d &= bits[at + 3];
      e &= bits[at + 4];
      f &= bits[at + 5];
      g &= bits[at + 6];
      h &= bits[at + 7];
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

  private void collectWord(int[] positions, int word, OwnerSet into) {
    long matches = live(word);
    for (int position : positions) {
      matches &= bits[position * width + word];
      if (matches == 0) {
        return;
      }
    }
    addOwners(matches, word, into);
  }

  private long live(int word) {
    return (long) LIVE.getAcquire(live, word);
  }

  private void addOwners(long matches, int word, OwnerSet into) {
    for (long rest = matches; rest != 0; rest &= rest - 1) {
      into.add(owners[word << 6 | Long.numberOfTrailingZeros(rest)]);
    }
  }

  /**
   * Moves a segment into a free column and makes it live.
   *
   * @param plane the segment's bits, or null for none
   */
  void take(SegmentSlot slot, BitPlane plane) {
    int column = firstFree();
    int word = column >>> 6;
    free[word] &= ~(1L << column);
    freeColumns--;
    if ((written[word] >>> column & 1) != 0) {
      overwrite(column, plane);
    } else if (plane != null) {
      plane.forEachSet(position -> set(column, position));
    }
    written[word] |= 1L << column;
    slots[column] = slot;
    owners[column] = slot.owner();
    LIVE.setRelease(live, word, live[word] | 1L << column);
    slot.moveTo(this, column);
  }

  private int firstFree() {
    for (int word = 0; word < width; word++) {
      if (free[word] != 0) {
        return word << 6 | Long.numberOfTrailingZeros(free[word]);
      }
    }
    throw new IllegalStateException("Cannot take a column: none of " + columns() + " was free");
  }

  private void overwrite(int column, BitPlane plane) {
    long mask = 1L << column;
    int at = column >>> 6;
    for (int position = 0; position < cells; position++, at += width) {
      if (plane != null && plane.get(position)) {
        bits[at] |= mask;
      } else {
        bits[at] &= ~mask;
      }
    }
  }

  /** Takes a segment away from the readers; its column is free after {@link #reclaim}. */
  void retire(int column) {
    int word = column >>> 6;
    LIVE.setRelease(live, word, live[word] & ~(1L << column));
    slots[column] = null;
    retired[word] |= 1L << column;
    retiredColumns++;
  }

  /** Frees the retired columns; no reader that saw one of them live may be left. */
  void reclaim() {
    for (int word = 0; word < width; word++) {
      free[word] |= retired[word];
      retired[word] = 0;
    }
    freeColumns += retiredColumns;
    retiredColumns = 0;
  }

  void set(int column, long position) {
    bits[word(column, position)] |= 1L << column;
  }

  void clear(int column, long position) {
    bits[word(column, position)] &= ~(1L << column);
  }

  private int word(int column, long position) {
    return (int) position * width + (column >>> 6);
  }

  /** A copy of the bits of one column. */
  BitPlane plane(int column) {
    BitPlane plane = new BitPlane(cells);
    int at = column >>> 6;
    for (int position = 0; position < cells; position++, at += width) {
      if ((bits[at] >>> column & 1) != 0) {
        plane.set(position);
      }
    }
    return plane;
  }

  /**
   * A copy of this block with more words per row. The segments move to the copy; this block stays
   * as it is for readers that still have it. Retired columns are free in the copy, where no reader
   * ever saw them live.
   */
  ColumnBlock widened(int newWidth) {
    ColumnBlock copy = new ColumnBlock(cells, newWidth);
    for (int position = 0; position < cells; position++) {
      System.arraycopy(bits, position * width, copy.bits, position * newWidth, width);
    }
    System.arraycopy(live, 0, copy.live, 0, width);
    System.arraycopy(owners, 0, copy.owners, 0, columns());
    System.arraycopy(written, 0, copy.written, 0, width);
    for (int column = 0; column < columns(); column++) {
      if (slots[column] != null) {
        copy.adopt(slots[column], column);
      }
    }
    return copy;
  }

  /**
   * A copy of this block with fewer words per row, the segments moved together to its first
   * columns. This block stays as it is for readers that still have it.
   */
  ColumnBlock narrowed(int newWidth) {
    ColumnBlock copy = new ColumnBlock(cells, newWidth);
    int[] from = new int[usedColumns()];
    int used = 0;
    for (int column = 0; column < columns(); column++) {
      if (slots[column] != null) {
        from[used] = column;
        copy.adopt(slots[column], used);
        copy.owners[used] = owners[column];
        copy.live[used >>> 6] |= 1L << used;
        copy.written[used >>> 6] |= 1L << used;
        used++;
      }
    }
    for (int position = 0; position < cells; position++) {
      int row = position * width;
      int copyRow = position * newWidth;
      for (int column = 0; column < used; column++) {
        long bit = bits[row + (from[column] >>> 6)] >>> from[column] & 1;
        copy.bits[copyRow + (column >>> 6)] |= bit << column;
      }
    }
    return copy;
  }

  /** Notes that a column whose bits, owner and live bit are in place belongs to a segment. */
  private void adopt(SegmentSlot slot, int column) {
    slots[column] = slot;
    free[column >>> 6] &= ~(1L << column);
    freeColumns--;
    slot.moveTo(this, column);
  }
}
