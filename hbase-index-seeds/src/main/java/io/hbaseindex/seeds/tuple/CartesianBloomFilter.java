/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.tuple;

import io.hbaseindex.core.filter.BitPlane;
import io.hbaseindex.core.filter.BloomShape;
import io.hbaseindex.core.hash.BitMixer;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The bit matrix over whole tuples only (Cartesian-join Bloom filter): no marker positions; a query
 * that leaves attributes open looks whether any cell along their axes is set.
 *
 * <p>A marker cell of {@link BloomFilterMatrix} is set exactly if one of the cells along its open
 * axes is, so with equal axes both give equal answers. This one does without the markers, m^d bits
 * instead of (m + 1)^d, and an insert sets k cells instead of k 2^d. The price is the query, which
 * reads up to k m^o cells for o open attributes.
 */
@InterfaceAudience.Private
public final class CartesianBloomFilter implements PartialMatchFilter {
  private final TupleShape tuples;
  private final long axisLength;
  private final int hashes;
  private final RowMajorGrid grid;
  private final BitPlane plane;

  /**
   * @param axisLength positions on each axis
   * @param hashes positions per attribute on its axis
   */
  public CartesianBloomFilter(int attributes, long axisLength, int hashes, MemoryLimit limit) {
    tuples = new TupleShape(attributes);
    BloomShape.checkHashes(hashes);
    MatrixLayout.checkAxisLength(axisLength);
    this.axisLength = axisLength;
    this.hashes = hashes;
    grid = new RowMajorGrid(tuples, axisLength, "Cartesian Bloom filter", limit);
    plane = new BitPlane(grid.size());
  }

  @Override
  public int attributes() {
    return tuples.attributes();
  }

  @Override
  public void insert(long[] tuple) {
    tuples.check(tuple);
    for (int hash = 0; hash < hashes; hash++) {
      long cell = 0;
      for (int attribute = 0; attribute < tuple.length; attribute++) {
        cell += step(tuple, attribute, hash);
      }
      plane.set(cell);
    }
  }

  @Override
  public boolean mightMatch(AttributeSet given, long[] values) {
    tuples.check(given, values);
    for (int hash = 0; hash < hashes; hash++) {
      if (!anySet(given, values, hash, 0, 0)) {
        return false;
      }
    }
    return true;
  }

  /** Whether a cell from {@code start} on agrees with the values given on this and later axes. */
  private boolean anySet(AttributeSet given, long[] values, int hash, int axis, long start) {
    if (given.bits() >>> axis == 0) {
      return plane.anySet(start, start + grid.cellsFrom(axis));
    }
    if (given.contains(axis)) {
      return anySet(given, values, hash, axis + 1, start + step(values, axis, hash));
    }
    for (long position = 0; position < axisLength; position++) {
      if (anySet(given, values, hash, axis + 1, start + position * grid.stride(axis))) {
        return true;
      }
    }
    return false;
  }

  @Override
  public long memoryBits() {
    return plane.size();
  }

  private long step(long[] values, int attribute, int hash) {
    return BitMixer.position(values[attribute], hash, axisLength) * grid.stride(attribute);
  }
}
