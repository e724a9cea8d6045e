/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.tuple;

import io.hbaseindex.core.filter.BitPlane;
import io.hbaseindex.core.filter.BloomShape;
import io.hbaseindex.core.hash.BitMixer;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The bit matrix over all attribute combinations (BFM): a full box whose axes have one position
 * more than the attribute's filter, the marker for "attribute left open".
 *
 * <p>An insert sets, for each of k hashes, the cells of all 2^d combinations; a query reads k
 * cells. The (m + 1)^d bits go almost all to the combination of all attributes; single attributes
 * have m each. {@link CutBloomFilterMatrix} without cuts gives the same answers; this is the
 * original arrangement, kept for comparison with it.
 */
@InterfaceAudience.Private
public final class BloomFilterMatrix implements PartialMatchFilter {
  private static final long MARKER = 0;

  private final TupleShape tuples;
  private final long axisLength;
  private final int hashes;
  private final RowMajorGrid grid;
  private final BitPlane plane;

  /** Scratch of the one writer: the cell of each combination. */
  private final long[] cells;

  /**
   * @param axisLength positions on each axis, the marker not counted
   * @param hashes positions per attribute on its axis
   */
  public BloomFilterMatrix(int attributes, long axisLength, int hashes, MemoryLimit limit) {
    tuples = new TupleShape(attributes);
    BloomShape.checkHashes(hashes);
    MatrixLayout.checkAxisLength(axisLength);
    this.axisLength = axisLength;
    this.hashes = hashes;
    grid = new RowMajorGrid(tuples, axisLength + 1, "Bloom filter matrix", limit);
    plane = new BitPlane(grid.size());
    cells = new long[1 << attributes];
  }

  @Override
  public int attributes() {
    return tuples.attributes();
  }

  @Override
  public void insert(long[] tuple) {
    tuples.check(tuple);
    for (int hash = 0; hash < hashes; hash++) {
      for (int combination = 0; combination < cells.length; combination++) {
        cells[combination] = cell(combination, tuple, hash);
        plane.set(cells[combination]);
      }
    }
  }

  /** The cell of a combination, from that of the combination without its lowest attribute. */
  private long cell(int combination, long[] tuple, int hash) {
    if (combination == 0) {
      return MARKER;
    }
    int attribute = Integer.numberOfTrailingZeros(combination);
    return cells[combination & combination - 1] + step(tuple, attribute, hash);
  }

  @Override
  public boolean mightMatch(AttributeSet given, long[] values) {
    tuples.check(given, values);
    for (int hash = 0; hash < hashes; hash++) {
      long cell = MARKER;
      for (int rest = given.bits(); rest != 0; rest &= rest - 1) {
        cell += step(values, Integer.numberOfTrailingZeros(rest), hash);
      }
      if (!plane.get(cell)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public long memoryBits() {
    return plane.size();
  }

  /** How far a value lies from the marker along its axis. */
  private long step(long[] values, int attribute, int hash) {
    return (1 + BitMixer.position(values[attribute], hash, axisLength)) * grid.stride(attribute);
  }
}
