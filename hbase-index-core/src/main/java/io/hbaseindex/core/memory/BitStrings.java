/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.memory;

import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Up to {@value #MOST} strings of bits that all have the same number of words and get more of them
 * without being moved: bits are put in and taken out anywhere, and ones are found by how many come
 * before.
 *
 * <p>The first words of all strings lie side by side, behind them the second words, and so on:
 *
 * <pre>
 *   │ word 0 of string 0 │ word 0 of string 1 │ … │ word 0 of string 511 │
 *   │ word 1 of string 0 │ word 1 of string 1 │ … │ word 1 of string 511 │
 *   │ …                                    four pages more: one word more for each
 * </pre>
 *
 * <p>A string is {@linkplain #open opened} before it is read or written. It ends with zeros. For
 * one thread at a time.
 */
@InterfaceAudience.Private
public final class BitStrings {
  /** Strings that belong together at most: one word of each fills a few pages. */
  public static final int MOST = 512;

  /** Bits of a string at most. */
  public static final int MOST_BITS = 32 * Long.SIZE;

  private final int strings;
  private MemoryBlock words;
  private int width = 1;

  /** The string that was opened last. */
  private int open;

  private BitStrings(int strings, MemoryBlock words) {
    this.strings = strings;
    this.words = words;
  }

  /** So many strings, all zeros; empty if there is no memory for them. */
  public static Optional<BitStrings> within(PagedMemory memory, int strings) {
    return memory.allocate(strings).map(words -> new BitStrings(strings, words));
  }

  /** Bytes of memory in use. */
  public long bytes() {
    return words.bytes();
  }

  /** The string that the other methods are about from now on. */
  public void open(int string) {
    open = string;
  }

  /** Makes room for so many bits in each string; false if there is no memory for that. */
  public boolean makeRoom(int bits) {
    while (bits > width * Long.SIZE) {
      Optional<MemoryBlock> more =
          bits > MOST_BITS ? Optional.empty() : words.extended((width + 1L) * strings);
      if (more.isEmpty()) {
        return false;
      }
      words = more.get();
      width++;
    }
    return true;
  }

  /** Makes room for one more bit in the open string; false if there is no memory for that. */
  public boolean makeRoom() {
    return get(width - 1) >= 0 || makeRoom(width * Long.SIZE + 1);
  }

  /** Writes the open string, which there is room for. */
  public void write(long[] bits) {
    for (int word = 0; word < width; word++) {
      set(word, bits[word]);
    }
  }

  /** Where the one is that so many ones come before. */
  public int one(int before) {
    int rest = before;
    int word = 0;
    long bits = get(0);
    for (int ones = Long.bitCount(bits); ones <= rest; ones = Long.bitCount(bits)) {
      rest -= ones;
      bits = get(++word);
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
  public int oneFrom(int place) {
    int word = place >>> 6;
    long bits = get(word) & -1L << place;
    while (bits == 0) {
      bits = get(++word);
    }
    return word << 6 | Long.numberOfTrailingZeros(bits);
  }

  /** Number of zeros right before a place. */
  public int zerosBefore(int end) {
    int word = end >>> 6;
    int bits = end & 63;
    int zeros = 0;
    while (true) {
      long before = bits == 0 ? 0 : get(word) << Long.SIZE - bits;
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
  public void insert(int at, long bit) {
    int word = at >>> 6;
    long bits = get(word);
    long below = bits & (1L << at) - 1;
    set(word, below | bit << at | (bits & -1L << at) << 1);
    // To the end of the string: a word of zeros may be in the middle.
    for (long carried = bits >>> 63; ++word < width; carried = bits >>> 63) {
      bits = get(word);
      set(word, bits << 1 | carried);
    }
  }

  /** Takes the bit at a place away; those behind it move down by one. */
  public void remove(int at) {
    int word = at >>> 6;
    long bits = get(word);
    long kept = bits & (1L << at) - 1 | bits >>> 1 & -1L << at;
    while (++word < width) {
      bits = get(word);
      set(word - 1, kept | bits << 63);
      kept = bits >>> 1;
    }
    set(word - 1, kept);
  }

  /** Gives the memory back. */
  public void free() {
    words.free();
  }

  private long get(int word) {
    return words.get((long) word * strings + open);
  }

  private void set(int word, long bits) {
    words.set((long) word * strings + open, bits);
  }
}
