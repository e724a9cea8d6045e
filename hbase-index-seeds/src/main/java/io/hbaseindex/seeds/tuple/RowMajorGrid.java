/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.tuple;

import java.math.BigInteger;

/** The cells of a full box of d axes of equal length, the last axis running fastest. */
final class RowMajorGrid {
  /** Cells of the axes from i on: their number, and the stride of the axis before. */
  private final long[] cellsFrom;

  /**
   * A grid with as many axes as the tuples have attributes.
   *
   * @throws IllegalArgumentException if it has more cells than the limit admits
   */
  RowMajorGrid(TupleShape tuples, long axisLength, String structure, MemoryLimit limit) {
    limit.admit(structure, BigInteger.valueOf(axisLength).pow(tuples.attributes()));
    cellsFrom = new long[tuples.attributes() + 1];
    cellsFrom[tuples.attributes()] = 1;
    for (int axis = tuples.attributes() - 1; axis >= 0; axis--) {
      cellsFrom[axis] = cellsFrom[axis + 1] * axisLength;
    }
  }

  /** Number of cells. */
  long size() {
    return cellsFrom[0];
  }

  /** Number of cells that agree on the positions of all axes before this one. */
  long cellsFrom(int axis) {
    return cellsFrom[axis];
  }

  /** Distance between two neighbours along an axis. */
  long stride(int axis) {
    return cellsFrom[axis + 1];
  }
}
