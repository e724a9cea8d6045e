/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.tuple;

import io.hbaseindex.core.filter.BloomFilter;
import io.hbaseindex.core.filter.BloomShape;
import io.hbaseindex.core.hash.BitMixer;
import io.hbaseindex.seeds.tuple.AttributeSet;
import io.hbaseindex.seeds.tuple.PartialMatchFilter;

/**
 * The yardstick for the matrices, which no paper compares with: a plain Bloom filter of its own for
 * every attribute combination, all of the same size.
 */
final class CombinationBloomFilters implements PartialMatchFilter {
  private final int attributes;

  /** By the bits of the combination; there is none for the empty one. */
  private final BloomFilter[] filters;

  CombinationBloomFilters(int attributes, long bits, int hashes) {
    this.attributes = attributes;
    filters = new BloomFilter[1 << attributes];
    BloomShape shape = new BloomShape(bitsEach(attributes, bits), hashes);
    for (int combination = 1; combination < filters.length; combination++) {
      filters[combination] = new BloomFilter(shape);
    }
  }

  static long bitsEach(int attributes, long bits) {
    return bits / ((1 << attributes) - 1);
  }

  @Override
  public int attributes() {
    return attributes;
  }

  @Override
  public void insert(long[] tuple) {
    for (int combination = 1; combination < filters.length; combination++) {
      filters[combination].insert(hash(combination, tuple));
    }
  }

  @Override
  public boolean mightMatch(AttributeSet given, long[] values) {
    return given.equals(AttributeSet.NONE)
        || filters[given.bits()].mightContain(hash(given.bits(), values));
  }

  @Override
  public long memoryBits() {
    return filters[1].shape().bits() * (filters.length - 1);
  }

  private static long hash(int combination, long[] values) {
    long hash = 0;
    for (int rest = combination; rest != 0; rest &= rest - 1) {
      int attribute = Integer.numberOfTrailingZeros(rest);
      hash = BitMixer.derive(hash ^ values[attribute], attribute);
    }
    return hash;
  }
}
