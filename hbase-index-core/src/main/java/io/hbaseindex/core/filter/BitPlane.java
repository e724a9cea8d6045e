/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.filter;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.function.LongConsumer;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A fixed number of bits with one writer at a time and any number of readers, none of which ever
 * waits.
 *
 * <p>A reader that knows, by whatever means, that a {@code set} has returned sees the bit. Single
 * reads and writes of a bit are ordered by acquire and release semantics of their own. Who reads or
 * reads many bits at a time does so by plain accesses, {@link #shifted}, which the machine may have
 * under way all at once, with one fence before all of them, {@link #beginReading}.
 *
 * <p>The words of a large plane are kept in chunks of 64 KiB. The garbage collector G1 rounds
 * arrays of more than half of one of its regions up to whole ones, which for planes of some
 * megabytes was half of the heap again.
 */
@InterfaceAudience.Private
public final class BitPlane implements SizeClass.Bits {
  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

  private static final int CHUNK_SHIFT = 13;
  private static final int CHUNK_WORDS = 1 << CHUNK_SHIFT;

  private final long size;
  private final int wordCount;
  private final long[][] chunks;
  private long cardinality;

  /** A plane of {@code size} zero bits. */
  public BitPlane(long size) {
    this(size, null);
  }

  /**
   * @param words the bits, which are copied; null for zeros
   */
  private BitPlane(long size, long[] words) {
    this.size = size;
    this.wordCount = wordsFor(size);
    this.chunks = new long[(wordCount + CHUNK_WORDS - 1) >>> CHUNK_SHIFT][];
    for (int chunk = 0; chunk < chunks.length; chunk++) {
      int first = chunk << CHUNK_SHIFT;
      int length = Math.min(CHUNK_WORDS, wordCount - first);
      chunks[chunk] =
          words == null ? new long[length] : Arrays.copyOfRange(words, first, first + length);
      cardinality += cardinality(chunks[chunk]);
    }
  }

  private BitPlane(BitPlane copied) {
    this.size = copied.size;
    this.wordCount = copied.wordCount;
    this.cardinality = copied.cardinality;
    this.chunks = new long[copied.chunks.length][];
    Arrays.setAll(chunks, chunk -> copied.chunks[chunk].clone());
  }

  private static int wordsFor(long size) {
    return Math.toIntExact((size + Long.SIZE - 1) / Long.SIZE);
  }

  private static long cardinality(long[] words) {
    long bits = 0;
    for (long word : words) {
      bits += Long.bitCount(word);
    }
    return bits;
  }

  /**
   * A plane of the bits in the given words.
   *
   * @throws IllegalArgumentException if the number of words is not what {@code size} needs, or a
   *     bit beyond {@code size} is set
   */
  public static BitPlane ofWords(long size, long[] words) {
    long needed = wordsFor(size);
    if (words.length != needed) {
      throw new IllegalArgumentException(
          "Cannot make a plane of "
              + size
              + " bits: it needs "
              + needed
              + " words, not "
              + words.length);
    }
    int used = (int) (size % Long.SIZE);
    if (used != 0 && words[words.length - 1] >>> used != 0) {
      throw new IllegalArgumentException(
          "Cannot make a plane of " + size + " bits: a bit beyond its end is set");
    }
    return new BitPlane(size, words);
  }

  /** Bytes of heap a plane of {@code size} bits takes, headers aside. */
  public static long bytesFor(long size) {
    return (size + Long.SIZE - 1) / Long.SIZE * Long.BYTES;
  }

  /** Number of bits. */
  public long size() {
    return size;
  }

  /** Number of set bits, as its writer left it. */
  public long cardinality() {
    return cardinality;
  }

  /** Whether a bit is set. */
  public boolean get(long position) {
    return (word((int) (position >>> 6)) >>> position & 1) != 0;
  }

  /** Comes before plain reads of any plane: they see what was written before the present. */
  static void beginReading() {
    VarHandle.acquireFence();
  }

  @Override
  public long shifted(long position) {
    return chunk(position)[inChunk(position)] >>> position;
  }

  /** Whether a bit from {@code from}, inclusive, to {@code to}, exclusive, is set. */
  public boolean anySet(long from, long to) {
    if (from >= to) {
      return false;
    }
    int first = (int) (from >>> 6);
    int last = (int) (to - 1 >>> 6);
    long firstMask = -1L << from;
    long lastMask = -1L >>> -to;
    if (first == last) {
      return (word(first) & firstMask & lastMask) != 0;
    }
    if ((word(first) & firstMask) != 0 || (word(last) & lastMask) != 0) {
      return true;
    }
    for (int at = first + 1; at < last; at++) {
      if (word(at) != 0) {
        return true;
      }
    }
    return false;
  }

  /** Sets a bit; writer only. Returns whether it was clear before. */
  public boolean set(long position) {
    long[] words = chunk(position);
    int at = inChunk(position);
    long before = words[at];
    long after = before | 1L << position;
    // Written whether it changes or not: a branch here would be guessed wrong half of the time.
    WORDS.setRelease(words, at, after);
    cardinality += before == after ? 0 : 1;
    return before != after;
  }

  /** Clears a bit; writer only. Returns whether it was set before. */
  public boolean clear(long position) {
    long[] words = chunk(position);
    int at = inChunk(position);
    long before = words[at];
    long after = before & ~(1L << position);
    if (before == after) {
      return false;
    }
    WORDS.setRelease(words, at, after);
    cardinality--;
    return true;
  }

  /** Number of 64-bit words. */
  public int wordCount() {
    return wordCount;
  }

  /** The word that holds bits {@code 64 * index} to {@code 64 * index + 63}, lowest first. */
  public long word(int index) {
    return (long) WORDS.getAcquire(chunks[index >>> CHUNK_SHIFT], index & CHUNK_WORDS - 1);
  }

  /** Gives 64 bits their values at once; writer only. The ones beyond the plane's end are zero. */
  public void write(int index, long word) {
    long[] words = chunks[index >>> CHUNK_SHIFT];
    int at = index & CHUNK_WORDS - 1;
    cardinality += Long.bitCount(word) - Long.bitCount(words[at]);
    WORDS.setRelease(words, at, word);
  }

  /** Calls back with each set bit, ascending. */
  public void forEachSet(LongConsumer action) {
    for (int at = 0; at < wordCount; at++) {
      for (long rest = word(at); rest != 0; rest &= rest - 1) {
        action.accept((long) at * Long.SIZE + Long.numberOfTrailingZeros(rest));
      }
    }
  }

  /** A copy that no later write changes; writer only. */
  public BitPlane copy() {
    return new BitPlane(this);
  }

  private long[] chunk(long position) {
    return chunks[(int) (position >>> 6 + CHUNK_SHIFT)];
  }

  private static int inChunk(long position) {
    return (int) (position >>> 6) & CHUNK_WORDS - 1;
  }
}
