/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.directory;

import io.hbaseindex.core.filter.BitPlane;
import io.hbaseindex.core.filter.BloomShape;
import io.hbaseindex.core.filter.InsertableFilter;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A Bloom filter in which every element has k different positions. An inserted element is always
 * reported.
 *
 * <p>The paper holds the standard filter, whose positions may coincide, to err less. In a filter of
 * more than a few hundred bits the two cannot be told apart (docs/SEEDS.md).
 */
@InterfaceAudience.Private
public final class DistinctBloomFilter implements InsertableFilter {
  private final BloomShape shape;
  private final BitPlane plane;

  public DistinctBloomFilter(BloomShape shape) {
    Positions.DISTINCT.requireRange(shape.hashes(), shape.bits());
    this.shape = shape;
    this.plane = new BitPlane(shape.bits());
  }

  @Override
  public void insert(long element) {
    setAll(positionsOf(element));
  }

  @Override
  public boolean mightContain(long element) {
    return holdsAll(positionsOf(element));
  }

  long[] positionsOf(long element) {
    return Positions.DISTINCT.draw(element, shape.hashes(), shape.bits());
  }

  void setAll(long[] positions) {
    for (long position : positions) {
      plane.set(position);
    }
  }

  boolean holdsAll(long[] positions) {
    for (long position : positions) {
      if (!plane.get(position)) {
        return false;
      }
    }
    return true;
  }

  /** Length of the bit vector and positions per element. */
  public BloomShape shape() {
    return shape;
  }
}
