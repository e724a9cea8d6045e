/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.tuple;

import io.hbaseindex.core.filter.BloomFilter;
import io.hbaseindex.core.filter.BloomShape;
import java.math.BigInteger;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * One standard Bloom filter over whole tuples (SBF): the smallest filter for full tuples, and blind
 * to any question that leaves an attribute open.
 */
@InterfaceAudience.Private
public final class TupleBloomFilter implements TupleFilter {
  private static final long HASH_SEED = 1;

  private final TupleShape tuples;
  private final BloomFilter filter;

  public TupleBloomFilter(int attributes, BloomShape shape, MemoryLimit limit) {
    tuples = new TupleShape(attributes);
    limit.admit("tuple Bloom filter", BigInteger.valueOf(shape.bits()));
    filter = new BloomFilter(shape);
  }

  @Override
  public int attributes() {
    return tuples.attributes();
  }

  @Override
  public void insert(long[] tuple) {
    tuples.check(tuple);
    filter.insert(TupleHash.combine(HASH_SEED, tuple));
  }

  @Override
  public boolean mightContain(long[] tuple) {
    tuples.check(tuple);
    return filter.mightContain(TupleHash.combine(HASH_SEED, tuple));
  }

  @Override
  public long memoryBits() {
    return filter.shape().bits();
  }
}
