/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.seeds.directory;

import io.hbaseindex.core.filter.BloomShape;

/** Error rates and search costs that the paper measures but does not derive. */
final class SearchFormulas {
  private final BloomShape shape;
  private final int keys;

  /**
   * @param shape of the filter
   * @param keys in it
   */
  SearchFormulas(BloomShape shape, int keys) {
    this.shape = shape;
    this.keys = keys;
  }

  /** Positions that may coincide: the random filter, and RR. */
  double repeatable() {
    return shape.expectedError(keys);
  }

  /** Positions that differ: Bloom, BB and BR. */
  double distinct() {
    return Math.pow(fill(), shape.hashes());
  }

  /**
   * The minimum-hash filter: an absent key with smallest position j passes if some key is filed
   * under j, which also sets bit j, and its other bits are set.
   */
  double minimumHash() {
    double sum = 0;
    for (long j = 0; j < shape.bits(); j++) {
      sum += minimumIs(j) * filed(j);
    }
    return sum * Math.pow(fill(), shape.hashes() - 1);
  }

  /** Keys compared on average when a false positive is looked up in the directory. */
  double comparisons() {
    double entries = 0;
    double compared = 0;
    for (long j = 0; j < shape.bits(); j++) {
      double p = minimumIs(j);
      entries += p * filed(j);
      compared += p * p * keys;
    }
    return compared / entries;
  }

  /** Share of bits that are set when each key sets different ones. */
  private double fill() {
    return 1 - Math.pow(1 - (double) shape.hashes() / shape.bits(), keys);
  }

  /** Probability that at least one key has this smallest position. */
  private double filed(long position) {
    return 1 - Math.pow(1 - minimumIs(position), keys);
  }

  /** Probability that the smallest of k different positions is this one. */
  private double minimumIs(long position) {
    return allFrom(position) - allFrom(position + 1);
  }

  private double allFrom(long position) {
    double probability = 1;
    for (int i = 0; i < shape.hashes(); i++) {
      probability *= Math.max(0, shape.bits() - position - i) / (double) (shape.bits() - i);
    }
    return probability;
  }
}
