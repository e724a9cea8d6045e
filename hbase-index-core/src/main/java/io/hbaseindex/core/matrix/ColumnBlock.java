/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.matrix;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * The planes of up to {@code 64 * width} segments of one size class side by side, one segment per
 * column. A block can be made wider while it is in use.
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
 * Rows are contiguous, so a row costs a cache miss or two and then streams: one wide block is asked
 * much faster than many narrow ones, each of which has its row in another page of memory. Rows are
 * kept in chunks of up to 256, each of which is allocated when it is first written: a block of
 * large segments is many gigabits, and making it at once would stop everybody.
 *
 * <p><b>Life of a column.</b> <em>Free</em>; then <em>reserved</em>: written step by step, unseen
 * by readers; then <em>live</em> by one bit; then <em>retired</em>: no longer live, but a reader
 * may have read the live row before; and after a grace period free again. So a column never changes
 * its owner under a reader. A column that was used before still holds its old bits; every word of
 * it is written before it is live.
 *
 * <p><b>Getting wider.</b> Each chunk is replaced by a wider copy of itself, a few at a time, and
 * tells its width by its length. A reader that still has the former chunk sees the bits of the
 * moment it was replaced; only bits set after that reader began can be missing there. When all
 * chunks are wide, the new columns are offered, and not before.
 *
 * <p><b>Threads.</b> {@link #collect} may run at any time; everything else belongs to the updater.
 * Bits of live columns change under the readers by plain writes: readers need no more than that
 * each bit is read as it was before or after, which holds even where a 64-bit read is torn. The
 * order of sets and clears is the caller's, by grace periods. The live row is written with release
 * and read with acquire semantics, so whoever sees a column live sees its owner and its bits; so
 * are the places of the chunks, whose contents others must see with them.
 */
final class ColumnBlock {
  private static final VarHandle LIVE = MethodHandles.arrayElementVarHandle(long[].class);
  private static final VarHandle CHUNK = MethodHandles.arrayElementVarHandle(long[][].class);

  /** Words that a lookup carries through the rows together; a cache line. */
  private static final int GROUP = 8;

  /** Rows that a lookup of a single word fetches before it looks at what they leave. */
  private static final int FETCHED = 4;

  /** Chunks have 2^8 rows, or fewer where that would leave a good part of the last one empty. */
  private static final int MOST_SHIFT = 8;

  private static final int CHUNKS_SHIFT = 4;
  private static final int BYTES_PER_COLUMN = Integer.BYTES + Long.BYTES;
  private static final int BITMAPS = 2;

  /** Its header, and the reference to it. */
  private static final int BYTES_PER_CHUNK = 16 + 8;

  private final int cells;
  private final int shift;
  private final long[][] chunks;
  private volatile Heads heads;

  private SegmentSlot[] slots;
  private long[] free;
  private int freeColumns;
  private int heldColumns;

  /** What readers need to know of the columns. */
  private record Heads(long[] live, int[] owners) {
    Heads(int width) {
      this(new long[width], new int[width * Long.SIZE]);
    }

    long live(int word) {
      return (long) LIVE.getAcquire(live, word);
    }

    void setLive(int word, long columns) {
      LIVE.setRelease(live, word, columns);
    }

    void addOwners(long matches, int word, OwnerSet into) {
      for (long rest = matches; rest != 0; rest &= rest - 1) {
        into.add(owners[word << 6 | Long.numberOfTrailingZeros(rest)]);
      }
    }

    Heads widened(int width) {
      return new Heads(Arrays.copyOf(live, width), Arrays.copyOf(owners, width * Long.SIZE));
    }
  }

  ColumnBlock(int cells, int width) {
    this.cells = cells;
    this.shift = shift(cells);
    this.chunks = new long[(cells - 1 >>> shift) + 1][];
    this.heads = new Heads(width);
    this.slots = new SegmentSlot[columns()];
    this.free = new long[width];
    Arrays.fill(free, -1L);
    this.freeColumns = columns();
  }

  /** Bytes of heap a block takes, a few object headers aside. */
  static long bytesFor(long cells, int width) {
    long chunks = (cells - 1 >>> shift(cells)) + 1;
    long rows = chunks << shift(cells);
    return Long.BYTES * width * (rows + BITMAPS)
        + (long) BYTES_PER_COLUMN * Long.SIZE * width
        + BYTES_PER_CHUNK * chunks;
  }

  private static int shift(long cells) {
    int digits = Long.SIZE - 1 - Long.numberOfLeadingZeros(cells);
    return Math.max(0, Math.min(MOST_SHIFT, digits - CHUNKS_SHIFT));
  }

  long bytes() {
    return bytesFor(cells, width());
  }

  int width() {
    return heads.live.length;
  }

  int cells() {
    return cells;
  }

  int columns() {
    return width() * Long.SIZE;
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
    Heads seen = heads;
    int word = 0;
    for (; word + GROUP <= seen.live.length; word += GROUP) {
      collectGroup(positions, word, seen, into);
    }
    for (; word < seen.live.length; word++) {
      collectWord(positions, word, seen, into);
    }
  }

  private void collectGroup(int[] positions, int word, Heads seen, OwnerSet into) {
    long a = seen.live(word);
    long b = seen.live(word + 1);
    long c = seen.live(word + 2);
    long d = seen.live(word + 3);
    long e = seen.live(word + 4);
    long f = seen.live(word + 5);
    long g = seen.live(word + 6);
    long h = seen.live(word + 7);
    if ((a | b | c | d | e | f | g | h) == 0) {
      return; // then the rows may not have been written at all
    }
    for (int position : positions) {
      long[] chunk = chunk(position);
      int at = at(position, chunk) + word;
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
    seen.addOwners(a, word, into);
    seen.addOwners(b, word + 1, into);
    seen.addOwners(c, word + 2, into);
    seen.addOwners(d, word + 3, into);
    seen.addOwners(e, word + 4, into);
    seen.addOwners(f, word + 5, into);
    seen.addOwners(g, word + 6, into);
    seen.addOwners(h, word + 7, into);
  }

  /**
   * Fetches several rows before each branch: the machine has their cache misses under way at once.
   */
  private void collectWord(int[] positions, int word, Heads seen, OwnerSet into) {
    long matches = seen.live(word);
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
    seen.addOwners(matches, word, into);
  }

  private long row(int position, int word) {
    long[] chunk = chunk(position);
    return chunk[at(position, chunk) + word];
  }

  private long[] chunk(int position) {
    return (long[]) CHUNK.getAcquire(chunks, position >>> shift);
  }

  /** Where the row of a position begins in its chunk, whose rows are as wide as it is long. */
  private int at(int position, long[] chunk) {
    return (position & (1 << shift) - 1) * (chunk.length >>> shift);
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
    for (int word = 0; word < free.length; word++) {
      if (free[word] != 0) {
        return reserve(slot, word);
      }
    }
    throw new IllegalStateException("Cannot take a column: none of " + columns() + " was free");
  }

  /** Reserves a free column of a word that has one. */
  Column reserve(SegmentSlot slot, int word) {
    int number = word << 6 | Long.numberOfTrailingZeros(free[word]);
    free[word] &= ~(1L << number);
    freeColumns--;
    heldColumns++;
    heads.owners[number] = slot.owner();
    return new Column(number);
  }

  /** The word that has the most free columns. */
  int roomiestWord() {
    int roomiest = 0;
    for (int word = 1; word < free.length; word++) {
      if (freeColumns(word) > freeColumns(roomiest)) {
        roomiest = word;
      }
    }
    return roomiest;
  }

  int freeColumns(int word) {
    return Long.bitCount(free[word]);
  }

  /**
   * Gives 64 cells of several columns of one word their values at once.
   *
   * @param columns which columns of the word
   * @param bits for each column of the word its 64 cells; overwritten
   */
  void write(int word, long columns, int index, long[] bits) {
    turnOver(bits);
    int first = index << 6;
    int last = last(first);
    for (int position = first; position <= last; position++) {
      long[] chunk = chunk(position);
      if (chunk == null) {
        chunk = allocate(position);
      }
      int at = at(position, chunk) + word;
      chunk[at] = chunk[at] & ~columns | bits[position - first] & columns;
    }
  }

  /** Makes rows of 64 bits columns, by exchanging ever smaller squares across the diagonal. */
  private static void turnOver(long[] bits) {
    long low = 0xFFFF_FFFFL;
    for (int side = Integer.SIZE; side != 0; side >>>= 1, low ^= low << side) {
      for (int row = 0; row < Long.SIZE; row = row + side + 1 & ~side) {
        long differ = (bits[row] >>> side ^ bits[row + side]) & low;
        bits[row] ^= differ << side;
        bits[row + side] ^= differ;
      }
    }
  }

  private int last(int first) {
    return (int) Math.min((long) first + Long.SIZE, cells) - 1;
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
      heads.setLive(word, heads.live(word) | 1L << number);
    }

    /** The segment has another place; readers may still look at this one. */
    void leave() {
      slots[number] = null;
    }

    /** Takes the column away from the readers; it is free after {@link #release}. */
    void hide() {
      slots[number] = null;
      int word = number >>> 6;
      heads.setLive(word, heads.live(word) & ~(1L << number));
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
      long[] chunk = chunk((int) position);
      if (chunk != null) {
        chunk[word((int) position, chunk)] |= 1L << number;
      }
    }

    @Override
    public void clear(long position) {
      long[] chunk = chunk((int) position);
      if (chunk != null) {
        chunk[word((int) position, chunk)] &= ~(1L << number);
      }
    }

    @Override
    public long word(int index) {
      int first = index << 6;
      long word = 0;
      for (int position = last(first); position >= first; position--) {
        long[] chunk = chunk(position);
        word = word << 1 | chunk[word(position, chunk)] >>> number & 1;
      }
      return word;
    }

    @Override
    public void write(int index, long word) {
      int first = index << 6;
      int last = last(first);
      long bit = 1L << number;
      long rest = word;
      for (int position = first; position <= last; position++, rest >>>= 1) {
        long[] chunk = chunk(position);
        if (chunk == null) {
          chunk = allocate(position);
        }
        int at = word(position, chunk);
        chunk[at] = chunk[at] & ~bit | -(rest & 1) & bit;
      }
    }

    private int word(int position, long[] chunk) {
      return at(position, chunk) + (number >>> 6);
    }
  }

  private long[] allocate(int position) {
    long[] chunk = new long[width() << shift];
    CHUNK.setRelease(chunks, position >>> shift, chunk);
    return chunk;
  }

  /** Begins to make the block wider; no column may be written anew until that is done. */
  Widening widen(int newWidth) {
    return new Widening(newWidth);
  }

  /** The way to more columns, in steps. */
  final class Widening {
    private final int newWidth;
    private int next;

    private Widening(int newWidth) {
      this.newWidth = newWidth;
    }

    /** Replaces chunks until about so many words are written; returns how many were. */
    int step(int most) {
      int words = 0;
      while (next < chunks.length && words < most) {
        words += replace(next);
        next++;
      }
      if (isComplete()) {
        offerColumns();
      }
      return words;
    }

    boolean isComplete() {
      return next == chunks.length;
    }

    private int replace(int index) {
      long[] narrow = chunks[index];
      if (narrow == null) {
        return 1;
      }
      int oldWidth = narrow.length >>> shift;
      long[] wide = new long[newWidth << shift];
      for (int row = 0; row < 1 << shift; row++) {
        System.arraycopy(narrow, row * oldWidth, wide, row * newWidth, oldWidth);
      }
      CHUNK.setRelease(chunks, index, wide);
      return wide.length;
    }

    private void offerColumns() {
      int oldWidth = width();
      slots = Arrays.copyOf(slots, newWidth * Long.SIZE);
      free = Arrays.copyOf(free, newWidth);
      Arrays.fill(free, oldWidth, newWidth, -1L);
      freeColumns += (newWidth - oldWidth) * Long.SIZE;
      heads = heads.widened(newWidth);
    }
  }
}
