/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.filter;

/**
 * Four-bit counters that stick at their maximum: a counter that has reached 15 no longer knows its
 * true value and is never counted down again.
 *
 * <p>Sixteen counters share a 64-bit word, the first in its lowest bits. Touched by the writer
 * only.
 */
final class CounterArray {
  /** The value at which a counter sticks. */
  static final int STUCK = 15;

  private static final int PER_WORD = 16;

  private final long size;
  private final long[] words;
  private long stuck;

  CounterArray(long size) {
    this.size = size;
    this.words = new long[Math.toIntExact((size + PER_WORD - 1) / PER_WORD)];
  }

  /** Bytes of heap that {@code size} counters take, headers aside. */
  static long bytesFor(long size) {
    return (size + PER_WORD - 1) / PER_WORD * Long.BYTES;
  }

  long size() {
    return size;
  }

  /** Number of counters that have stuck. */
  long stuck() {
    return stuck;
  }

  int get(long position) {
    return (int) (words[(int) (position >>> 4)] >>> shift(position)) & STUCK;
  }

  /** Counts up by one, unless stuck, and returns the former value; free of branches. */
  int increment(long position) {
    int before = get(position);
    words[(int) (position >>> 4)] += (before == STUCK ? 0L : 1L) << shift(position);
    stuck += before == STUCK - 1 ? 1 : 0;
    return before;
  }

  /**
   * Counts down by one, unless stuck, and returns the former value; free of branches. The counter
   * is not zero.
   */
  int decrement(long position) {
    int before = get(position);
    words[(int) (position >>> 4)] -= (before == STUCK ? 0L : 1L) << shift(position);
    return before;
  }

  /** Restores a counter that is zero to a stored value. */
  void restore(long position, int value) {
    words[(int) (position >>> 4)] |= (long) value << shift(position);
    if (value == STUCK) {
      stuck++;
    }
  }

  private static int shift(long position) {
    return (int) (position & (PER_WORD - 1)) << 2;
  }
}
