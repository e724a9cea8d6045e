/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.directory;

import io.hbaseindex.core.filter.BitPlane;
import io.hbaseindex.core.filter.BloomShape;
import io.hbaseindex.core.filter.InsertableFilter;
import io.hbaseindex.core.hash.BitMixer;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A Bloom filter over a square of bits: an element's i-th bit lies where its i-th row and its i-th
 * column meet. An inserted element is always reported.
 *
 * <p>Rows and columns come from two independent hashes, each with or without repetitions, which
 * gives the three filters of the literature: RR, BB and BR. The paper does not say how rows and
 * columns are combined; pairing them one by one is the reading under which an element sets k bits
 * in each filter and the filters can be compared. Read so, a square of N × N bits is a Bloom filter
 * of N² bits in all but the wording.
 */
@InterfaceAudience.Private
public final class TwoDimensionalFilter implements InsertableFilter {
  /** Apart from all ordinals that positions are drawn with, so columns do not follow rows. */
  private static final int COLUMN_HASH = Integer.MAX_VALUE;

  private final int side;
  private final int hashes;
  private final Positions rows;
  private final Positions columns;
  private final BitPlane plane;

  private TwoDimensionalFilter(int side, int hashes, Positions rows, Positions columns) {
    BloomShape.checkHashes(hashes);
    if (side < 1) {
      throw new IllegalArgumentException(
          "Cannot shape a two-dimensional filter: its side was %d; it must be at least 1"
              .formatted(side));
    }
    long bits = new BloomShape((long) side * side, hashes).bits();
    rows.requireRange(hashes, side);
    columns.requireRange(hashes, side);
    this.side = side;
    this.hashes = hashes;
    this.rows = rows;
    this.columns = columns;
    this.plane = new BitPlane(bits);
  }

  /** Rows and columns may both repeat. */
  public static TwoDimensionalFilter rr(int side, int hashes) {
    return new TwoDimensionalFilter(side, hashes, Positions.REPEATABLE, Positions.REPEATABLE);
  }

  /** Neither rows nor columns repeat: no two bits of an element share a line. */
  public static TwoDimensionalFilter bb(int side, int hashes) {
    return new TwoDimensionalFilter(side, hashes, Positions.DISTINCT, Positions.DISTINCT);
  }

  /** Columns may repeat, rows do not. */
  public static TwoDimensionalFilter br(int side, int hashes) {
    return new TwoDimensionalFilter(side, hashes, Positions.DISTINCT, Positions.REPEATABLE);
  }

  @Override
  public void insert(long element) {
    for (long cell : cellsOf(element)) {
      plane.set(cell);
    }
  }

  @Override
  public boolean mightContain(long element) {
    for (long cell : cellsOf(element)) {
      if (!plane.get(cell)) {
        return false;
      }
    }
    return true;
  }

  /** Number of bits. */
  public long bits() {
    return plane.size();
  }

  private long[] cellsOf(long element) {
    long[] cells = rows.draw(element, hashes, side);
    long[] column = columns.draw(BitMixer.derive(element, COLUMN_HASH), hashes, side);
    for (int i = 0; i < hashes; i++) {
      cells[i] = cells[i] * side + column[i];
    }
    return cells;
  }
}
