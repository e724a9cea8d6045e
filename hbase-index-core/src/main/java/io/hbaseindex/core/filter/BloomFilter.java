/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.filter;

import io.hbaseindex.core.hash.BitMixer;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The standard Bloom filter: one bit vector, k positions per element anywhere in it, which may
 * coincide. An inserted element is always reported; an absent one with the probability of {@link
 * BloomShape#expectedError}.
 *
 * <p>One writer at a time; readers never wait and see every insert that has returned.
 */
@InterfaceAudience.Private
public final class BloomFilter implements InsertableFilter {
  private final BloomShape shape;
  private final BitPlane plane;

  public BloomFilter(BloomShape shape) {
    this.shape = shape;
    this.plane = new BitPlane(shape.bits());
  }

  @Override
  public void insert(long element) {
    for (int i = 0; i < shape.hashes(); i++) {
      plane.set(BitMixer.position(element, i, shape.bits()));
    }
  }

  @Override
  public boolean mightContain(long element) {
    for (int i = 0; i < shape.hashes(); i++) {
      if (!plane.get(BitMixer.position(element, i, shape.bits()))) {
        return false;
      }
    }
    return true;
  }

  /** Length of the bit vector and positions per element. */
  public BloomShape shape() {
    return shape;
  }

  /** Share of bits that are set. */
  public double fill() {
    return (double) plane.cardinality() / plane.size();
  }
}
