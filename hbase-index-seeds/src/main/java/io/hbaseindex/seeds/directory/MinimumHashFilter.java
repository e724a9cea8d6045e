/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.directory;

import io.hbaseindex.core.filter.BitPlane;
import io.hbaseindex.core.filter.BloomShape;
import io.hbaseindex.core.filter.InsertableFilter;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A Bloom filter that also notes which positions are the smallest of some element, and reports an
 * element only if its own smallest position is among them. An inserted element is always reported.
 *
 * <p>The second test rejects part of what the first lets through, at the price of a second bit per
 * position. A plain Bloom filter that gets this bit as well errs less (docs/SEEDS.md has the
 * numbers): as a filter alone this one is not worth its memory. Its worth is that the smallest
 * position is also an address, see {@link MinimumHashDirectory}.
 */
@InterfaceAudience.Private
public final class MinimumHashFilter implements InsertableFilter {
  /** Instead of an address: one of the element's bits is not set. */
  static final long BIT_CLEAR = -1;

  /** Instead of an address: the element's smallest position is nobody's. */
  static final long NO_SUCH_MINIMUM = -2;

  private final DistinctBloomFilter bloom;
  private final BitPlane minima;

  public MinimumHashFilter(BloomShape shape) {
    this.bloom = new DistinctBloomFilter(shape);
    this.minima = new BitPlane(shape.bits());
  }

  @Override
  public void insert(long element) {
    insertAndAddress(element);
  }

  @Override
  public boolean mightContain(long element) {
    return addressOf(element) >= 0;
  }

  /** Inserts an element and returns its smallest position. */
  long insertAndAddress(long element) {
    long[] positions = bloom.positionsOf(element);
    bloom.setAll(positions);
    long minimum = smallest(positions);
    minima.set(minimum);
    return minimum;
  }

  /**
   * The smallest position of an element that may be present, else {@link #BIT_CLEAR} or {@link
   * #NO_SUCH_MINIMUM}.
   */
  long addressOf(long element) {
    long[] positions = bloom.positionsOf(element);
    if (!bloom.holdsAll(positions)) {
      return BIT_CLEAR;
    }
    long minimum = smallest(positions);
    return minima.get(minimum) ? minimum : NO_SUCH_MINIMUM;
  }

  /** Number of positions that are the smallest of some element. */
  public long minima() {
    return minima.cardinality();
  }

  private static long smallest(long[] positions) {
    long smallest = positions[0];
    for (long position : positions) {
      smallest = Math.min(smallest, position);
    }
    return smallest;
  }
}
