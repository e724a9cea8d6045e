/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.tuple;

import io.hbaseindex.core.filter.BitPlane;
import io.hbaseindex.core.filter.BloomShape;
import io.hbaseindex.core.hash.BitMixer;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A Bloom filter for every attribute combination that is asked for (CBFM): whoever asks with some
 * attributes given is answered from what was recorded about these attributes together, not apart.
 *
 * <p>An insert hashes each attribute to k positions on its axis and sets, for each of the k, one
 * cell in the block of every kept combination. A query whose combination was kept reads k cells. A
 * query that contains a cut combination is split into the largest kept ones within it, and all must
 * hold; what stood together across the split is lost, so values recombined across it pass.
 *
 * <p>Memory is the sum over the kept combinations of the product of their axes ({@link
 * MatrixLayout}): exponential in the largest combination. The matrix pays only where few attributes
 * are asked for together or the axes can be short, that is, for small domains. An insert costs k
 * times the number of kept combinations, a query k times the number of parts.
 *
 * <p>With axes of different lengths this is the weighted form (WCBFM); without cuts it answers as
 * {@link BloomFilterMatrix} does.
 *
 * <p>References: Wang, Yun, Wang, Wang, "CBFM: cutted Bloom filter matrix for multi-dimensional
 * membership query", Journal on Communications 37 (2016).
 */
@InterfaceAudience.Private
public final class CutBloomFilterMatrix implements PartialMatchFilter {
  private final MatrixLayout layout;
  private final UncutCombinations combinations;
  private final int hashes;
  private final BitPlane plane;

  /** Scratch of the one writer. */
  private final long[] cells;

  /**
   * @param hashes positions per attribute on its axis
   */
  public CutBloomFilterMatrix(MatrixLayout layout, int hashes, MemoryLimit limit) {
    BloomShape.checkHashes(hashes);
    this.layout = layout;
    this.combinations = layout.combinations();
    this.hashes = hashes;
    plane = new BitPlane(limit.admit("cut Bloom filter matrix", layout.bits()));
    cells = new long[layout.combinationCount()];
  }

  @Override
  public int attributes() {
    return layout.attributes();
  }

  @Override
  public void insert(long[] tuple) {
    combinations.tuples().check(tuple);
    long[] positions = new long[tuple.length];
    for (int hash = 0; hash < hashes; hash++) {
      for (int attribute = 0; attribute < tuple.length; attribute++) {
        positions[attribute] = position(tuple, attribute, hash);
      }
      layout.cells(positions, cells);
      for (long cell : cells) {
        plane.set(cell);
      }
    }
  }

  @Override
  public boolean mightMatch(AttributeSet given, long[] values) {
    combinations.tuples().check(given, values);
    int[] parts = combinations.split(given);
    long[] positions = new long[values.length];
    for (int hash = 0; hash < hashes; hash++) {
      for (int rest = given.bits(); rest != 0; rest &= rest - 1) {
        int attribute = Integer.numberOfTrailingZeros(rest);
        positions[attribute] = position(values, attribute, hash);
      }
      for (int part : parts) {
        if (!plane.get(layout.cell(part, positions))) {
          return false;
        }
      }
    }
    return true;
  }

  @Override
  public long memoryBits() {
    return plane.size();
  }

  private long position(long[] values, int attribute, int hash) {
    return BitMixer.position(values[attribute], hash, layout.axisLength(attribute));
  }
}
