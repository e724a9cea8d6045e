/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.seeds.splitcounting;

import io.hbaseindex.core.filter.SizeClass;
import io.hbaseindex.core.hash.BitMixer;
import java.util.SplittableRandom;

/** How likely a counter of a half full filter reaches a value: bounds, exact tails, simulation. */
final class CounterOverflow {
  private static final int LARGEST = 64;

  private CounterOverflow() {}

  /** The bound as it is derived: (e ln 2 / j)^j / sqrt(2 pi j). */
  static double bound(int j) {
    return Math.pow(Math.E * Math.log(2) / j, j) / Math.sqrt(2 * Math.PI * j);
  }

  /** The bound without its factor e, which is what the published numbers are. */
  static double boundWithoutE(int j) {
    return Math.pow(Math.log(2) / j, j) / Math.sqrt(2 * Math.PI * j);
  }

  /** P(X >= j) for a Poisson variable, summed from the small end so that nothing cancels. */
  static double poissonTail(double mean, int j) {
    double tail = 0;
    for (int value = LARGEST; value >= j; value--) {
      tail += Math.exp(-mean + value * Math.log(mean) - logFactorial(value));
    }
    return tail;
  }

  /** P(X >= j) for a binomial variable with the given number of trials. */
  static double binomialTail(long trials, double probability, int j) {
    double tail = 0;
    for (int value = LARGEST; value >= j; value--) {
      double logChoose = 0;
      for (int factor = 0; factor < value; factor++) {
        logChoose += Math.log(trials - factor);
      }
      tail +=
          Math.exp(
              logChoose
                  - logFactorial(value)
                  + value * Math.log(probability)
                  + (trials - value) * Math.log1p(-probability));
    }
    return tail;
  }

  /**
   * Counts how many cells reach j when {@code elements} elements are inserted, k hashes each, over
   * many filters.
   *
   * @param split whether each hash has a slice of its own, or all share all cells
   * @return the share of cells with a count of at least j, for each asked j
   */
  static double[] measured(SizeClass shape, long elements, boolean split, int filters, int[] js) {
    SplittableRandom random = new SplittableRandom(split ? 1 : 2);
    int cells = Math.toIntExact(shape.cells());
    long[] reached = new long[js.length];
    for (int filter = 0; filter < filters; filter++) {
      byte[] counts = new byte[cells];
      for (long element = 0; element < elements; element++) {
        long hash = random.nextLong();
        for (int slice = 0; slice < shape.slices(); slice++) {
          long position =
              split ? shape.position(hash, slice) : BitMixer.position(hash, slice, cells);
          counts[(int) position]++;
        }
      }
      for (byte count : counts) {
        for (int at = 0; at < js.length; at++) {
          if (count >= js[at]) {
            reached[at]++;
          }
        }
      }
    }
    double[] shares = new double[js.length];
    for (int at = 0; at < js.length; at++) {
      shares[at] = (double) reached[at] / ((double) cells * filters);
    }
    return shares;
  }

  private static double logFactorial(int value) {
    double sum = 0;
    for (int factor = 2; factor <= value; factor++) {
      sum += Math.log(factor);
    }
    return sum;
  }
}
