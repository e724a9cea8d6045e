/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.timecount.filter;

import java.util.Arrays;

/**
 * How many of a window's counters lie above each value: what the error of an answer is read from.
 *
 * <p>The positions of an element are drawn independently of everyone else's. So, given the counters
 * that all <em>other</em> elements have produced, the element's k counters all carry more than b
 * occurrences of others with probability exactly {@code (share of counters above b)^k}; and that
 * share can only grow by the element's own occurrences. {@link #excessAt} inverts this and {@link
 * #meanExcess} adds it up: no assumption about the distribution of the elements is needed, and a
 * window that is half empty or full of repetitions gets the small bound it deserves, where the
 * paper has one worst case for all.
 */
final class CounterTail {
  private static final int FIRST_LENGTH = 8;

  private final int counters;
  private final int hashes;
  private final int highest;

  /** Element b is the number of counters above b; zero from the length on. Never increases in b. */
  private int[] above;

  /** Remembered while no counter changes; NaN when unknown. */
  private double meanExcess = Double.NaN;

  private double excessProbability = Double.NaN;

  /**
   * The tail of zeros.
   *
   * @param counters number of counters
   * @param hashes number of counters drawn for an element
   * @param highest what no counter will ever be above
   */
  CounterTail(int counters, int hashes, int highest) {
    this.counters = counters;
    this.hashes = hashes;
    this.highest = Math.max(1, highest);
    this.above = new int[Math.min(FIRST_LENGTH, this.highest)];
  }

  static CounterTail of(PackedCounters counters, int hashes, int highest) {
    CounterTail tail = new CounterTail(counters.size(), hashes, highest);
    for (int i = 0; i < counters.size(); i++) {
      int value = counters.get(i);
      if (value > 0) {
        tail.reserve(value);
        tail.above[value - 1]++;
      }
    }
    // So far each counter is noted at its own value only; above b are all from b on.
    for (int b = tail.above.length - 2; b >= 0; b--) {
      tail.above[b] += tail.above[b + 1];
    }
    return tail;
  }

  /** Bytes a tail takes at most when no counter is above {@code highest}. */
  static long maxBytes(int highest) {
    return (long) highest * Integer.BYTES;
  }

  long bytes() {
    return (long) above.length * Integer.BYTES;
  }

  /** Notes that a counter went from {@code value} to {@code value + 1}. */
  void raisedFrom(int value) {
    reserve(value + 1);
    above[value]++;
    meanExcess = Double.NaN;
  }

  /** Probability that the counters of an absent element are all above zero. */
  double excessProbability() {
    sumUp();
    return excessProbability;
  }

  /** The mean of the least counter of an absent element. */
  double meanExcess() {
    sumUp();
    return meanExcess;
  }

  /**
   * The share of counters that may be above b for {@code hashes} random counters to be all above b
   * with at most the given probability; for {@link #excessAt}.
   */
  static double shareFor(double probability, int hashes) {
    return Math.pow(probability, 1.0 / hashes);
  }

  /** The smallest b such that at most the given share of the counters is above b. */
  int excessAt(double share) {
    double allowed = counters * share;
    int low = 0;
    int high = above.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (above[middle] <= allowed) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  private void sumUp() {
    if (!Double.isNaN(meanExcess)) {
      return;
    }
    excessProbability = Math.pow((double) above[0] / counters, hashes);
    double sum = excessProbability;
    for (int b = 1; b < above.length && above[b] > 0; b++) {
      sum += Math.pow((double) above[b] / counters, hashes);
    }
    meanExcess = sum;
  }

  private void reserve(int length) {
    if (length > above.length) {
      int doubled = (int) Math.min(highest, 2L * above.length);
      above = Arrays.copyOf(above, Math.max(length, doubled));
    }
  }
}
