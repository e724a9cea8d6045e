/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.tuple;

import io.hbaseindex.core.filter.BloomFilter;
import io.hbaseindex.core.filter.BloomShape;
import java.math.BigInteger;
import java.util.Arrays;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * One Bloom filter per attribute (MDBF): a query passes if each given value occurs in some tuple.
 *
 * <p>Nothing records which values stood together, so a tuple recombined from the values of
 * different stored tuples always passes, however large the filter is.
 */
@InterfaceAudience.Private
public final class MultiDimensionalBloomFilter implements PartialMatchFilter {
  private final TupleShape tuples;
  private final BloomFilter[] filters;

  /**
   * @param shape the shape of each attribute's filter
   */
  public MultiDimensionalBloomFilter(int attributes, BloomShape shape, MemoryLimit limit) {
    tuples = new TupleShape(attributes);
    limit.admit(
        "multi-dimensional Bloom filter",
        BigInteger.valueOf(shape.bits()).multiply(BigInteger.valueOf(attributes)));
    filters = new BloomFilter[attributes];
    Arrays.setAll(filters, attribute -> new BloomFilter(shape));
  }

  @Override
  public int attributes() {
    return tuples.attributes();
  }

  @Override
  public void insert(long[] tuple) {
    tuples.check(tuple);
    for (int attribute = 0; attribute < tuple.length; attribute++) {
      filters[attribute].insert(tuple[attribute]);
    }
  }

  @Override
  public boolean mightMatch(AttributeSet given, long[] values) {
    tuples.check(given, values);
    for (int rest = given.bits(); rest != 0; rest &= rest - 1) {
      int attribute = Integer.numberOfTrailingZeros(rest);
      if (!filters[attribute].mightContain(values[attribute])) {
        return false;
      }
    }
    return true;
  }

  @Override
  public long memoryBits() {
    return filters[0].shape().bits() * filters.length;
  }
}
