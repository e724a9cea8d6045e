/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.tuple;

import io.hbaseindex.core.filter.BloomShape;
import java.math.BigInteger;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * One Bloom filter per attribute and one over the whole tuple (CMDBF): full tuples are confirmed by
 * the latter, so recombined values are caught; partial queries see the former only and are answered
 * as by {@link MultiDimensionalBloomFilter}.
 */
@InterfaceAudience.Private
public final class CombinedMultiDimensionalBloomFilter implements PartialMatchFilter {
  private final MultiDimensionalBloomFilter perAttribute;
  private final TupleBloomFilter whole;

  /**
   * @param shape the shape of each attribute's filter and of the one over the tuple
   */
  public CombinedMultiDimensionalBloomFilter(int attributes, BloomShape shape, MemoryLimit limit) {
    limit.admit(
        "combined multi-dimensional Bloom filter",
        BigInteger.valueOf(shape.bits()).multiply(BigInteger.valueOf(attributes + 1L)));
    perAttribute = new MultiDimensionalBloomFilter(attributes, shape, limit);
    whole = new TupleBloomFilter(attributes, shape, limit);
  }

  @Override
  public int attributes() {
    return perAttribute.attributes();
  }

  @Override
  public void insert(long[] tuple) {
    perAttribute.insert(tuple);
    whole.insert(tuple);
  }

  @Override
  public boolean mightMatch(AttributeSet given, long[] values) {
    return perAttribute.mightMatch(given, values)
        && (given.size() < attributes() || whole.mightContain(values));
  }

  @Override
  public long memoryBits() {
    return perAttribute.memoryBits() + whole.memoryBits();
  }
}
