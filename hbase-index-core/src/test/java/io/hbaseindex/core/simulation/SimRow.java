/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.simulation;

import java.util.Arrays;

/**
 * One version of a row: a value per column.
 *
 * @param order counts the writes of a run in the order in which they began
 * @param values one per column, {@link #NONE} if the row has none
 */
record SimRow(long order, int[] values) {
  static final int NONE = -1;

  static SimRow deleted(long order, int columns) {
    int[] values = new int[columns];
    Arrays.fill(values, NONE);
    return new SimRow(order, values);
  }

  /** The same value in all columns, to ask for. */
  static SimRow filledWith(int value) {
    int[] values = new int[SimWorld.COLUMNS];
    Arrays.fill(values, value);
    return new SimRow(0, values);
  }

  int value(int column) {
    return values[column];
  }
}
