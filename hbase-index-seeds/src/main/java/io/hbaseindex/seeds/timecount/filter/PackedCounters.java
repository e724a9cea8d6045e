/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.timecount.filter;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * A fixed number of counters of {@code width} bits each, packed without gaps: counter i occupies
 * bits {@code i * width} to {@code i * width + width - 1}, and may straddle two words.
 */
@InterfaceAudience.Private
public final class PackedCounters {
  private final int size;
  private final int width;
  private final int mask;
  private final long[] words;

  public PackedCounters(int size, int width) {
    this(size, width, new long[wordsFor(size, width)]);
  }

  /** Counters over the given words, which they own from now on. */
  public PackedCounters(int size, int width, long[] words) {
    if (words.length != wordsFor(size, width)) {
      throw new IllegalArgumentException(
          "Cannot pack "
              + size
              + " counters of "
              + width
              + " bits into "
              + words.length
              + " words");
    }
    this.size = size;
    this.width = width;
    this.mask = (int) ((1L << width) - 1);
    this.words = words;
  }

  public static int wordsFor(int size, int width) {
    return Math.toIntExact(((long) size * width + Long.SIZE - 1) / Long.SIZE);
  }

  static long bytesFor(int size, int width) {
    return ((long) size * width + Long.SIZE - 1) / Long.SIZE * Long.BYTES;
  }

  int size() {
    return size;
  }

  public int wordCount() {
    return words.length;
  }

  public long word(int index) {
    return words[index];
  }

  int get(int index) {
    long bit = (long) index * width;
    int at = (int) (bit >>> 6);
    int shift = (int) (bit & 63);
    long value = words[at] >>> shift;
    if (shift + width > Long.SIZE) {
      value |= words[at + 1] << (Long.SIZE - shift);
    }
    return (int) value & mask;
  }

  void set(int index, int value) {
    if (value < 0 || (value & ~mask) != 0) {
      throw new IllegalArgumentException(
          "Cannot store " + value + ": counters have " + width + " bits");
    }
    long bit = (long) index * width;
    int at = (int) (bit >>> 6);
    int shift = (int) (bit & 63);
    long ones = mask & 0xFFFF_FFFFL;
    words[at] = words[at] & ~(ones << shift) | (long) value << shift;
    if (shift + width > Long.SIZE) {
      int low = Long.SIZE - shift;
      words[at + 1] = words[at + 1] & ~(ones >>> low) | (long) value >>> low;
    }
  }

  /** The counter-wise sum, in counters of {@code width} bits. */
  static PackedCounters sum(PackedCounters one, PackedCounters other, int width) {
    PackedCounters sum = new PackedCounters(one.size, width);
    for (int i = 0; i < one.size; i++) {
      sum.set(i, one.get(i) + other.get(i));
    }
    return sum;
  }
}
