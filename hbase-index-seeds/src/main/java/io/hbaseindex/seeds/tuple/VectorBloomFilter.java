/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.tuple;

import io.hbaseindex.core.filter.BitPlane;
import io.hbaseindex.core.filter.BloomShape;
import io.hbaseindex.core.hash.BitMixer;
import java.math.BigInteger;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A Bloom filter over whole vectors that hashes the vector anew for each of its k positions.
 *
 * <p>The published form of it (seed 001) computes {@code h = 31 h + x} over the vector, starting
 * from k random seeds. There the seed ends up in one additive term, so the k positions of a vector
 * are one position and k - 1 fixed distances: they hit or miss together and the filter errs like
 * one with a single hash. Here each step mixes all bits, so the k hashes are independent and the
 * error is that of the formula. The price, k passes over the vector, buys nothing over {@link
 * TupleBloomFilter}, which passes once and derives its positions from the one hash.
 */
@InterfaceAudience.Private
public final class VectorBloomFilter implements TupleFilter {
  private final TupleShape tuples;
  private final BloomShape shape;
  private final BitPlane plane;

  public VectorBloomFilter(int attributes, BloomShape shape, MemoryLimit limit) {
    tuples = new TupleShape(attributes);
    this.shape = shape;
    plane = new BitPlane(limit.admit("vector Bloom filter", BigInteger.valueOf(shape.bits())));
  }

  @Override
  public int attributes() {
    return tuples.attributes();
  }

  @Override
  public void insert(long[] tuple) {
    tuples.check(tuple);
    for (int i = 0; i < shape.hashes(); i++) {
      plane.set(position(tuple, i));
    }
  }

  @Override
  public boolean mightContain(long[] tuple) {
    tuples.check(tuple);
    for (int i = 0; i < shape.hashes(); i++) {
      if (!plane.get(position(tuple, i))) {
        return false;
      }
    }
    return true;
  }

  @Override
  public long memoryBits() {
    return plane.size();
  }

  private long position(long[] tuple, int ordinal) {
    return BitMixer.position(TupleHash.combine(ordinal, tuple), ordinal, shape.bits());
  }
}
