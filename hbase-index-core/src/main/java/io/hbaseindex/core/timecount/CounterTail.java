package io.hbaseindex.core.timecount;

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
 *
 * <p>The number of hashes belongs to the window and must be the same in all calls.
 */
final class CounterTail {
  private static final int FIRST_LENGTH = 8;

  private final int counters;
  private final int highest;

  /** Element b is the number of counters above b; zero from the length on. Never increases in b. */
  private int[] above;

  /** Remembered while no counter changes; NaN when unknown. */
  private double meanExcess = Double.NaN;

  /** The tail of {@code counters} zeros, none of which will ever be above {@code highest}. */
  CounterTail(int counters, int highest) {
    this.counters = counters;
    this.highest = Math.max(1, highest);
    this.above = new int[Math.min(FIRST_LENGTH, this.highest)];
  }

  static CounterTail of(PackedCounters counters, int highest) {
    CounterTail tail = new CounterTail(counters.size(), highest);
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

  /** Probability that {@code hashes} random counters are all above zero. */
  double probabilityOfAny(int hashes) {
    return Math.pow((double) above[0] / counters, hashes);
  }

  /**
   * The smallest b such that {@code hashes} random counters are all above b with probability of at
   * most {@code probability}.
   */
  int excessAt(double probability, int hashes) {
    double allowed = counters * Math.pow(probability, 1.0 / hashes);
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

  /** The mean of the least of {@code hashes} random counters. */
  double meanExcess(int hashes) {
    if (Double.isNaN(meanExcess)) {
      double sum = 0;
      for (int b = 0; b < above.length && above[b] > 0; b++) {
        sum += Math.pow((double) above[b] / counters, hashes);
      }
      meanExcess = sum;
    }
    return meanExcess;
  }

  private void reserve(int length) {
    if (length > above.length) {
      int doubled = (int) Math.min(highest, 2L * above.length);
      above = Arrays.copyOf(above, Math.max(length, doubled));
    }
  }
}
