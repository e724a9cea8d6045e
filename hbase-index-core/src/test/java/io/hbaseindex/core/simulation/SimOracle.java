/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.simulation;

import java.util.ArrayList;
import java.util.List;

/**
 * Knows which values a route must not exclude: those of the last acknowledged version of each row
 * that no later write, acknowledged or not, may have taken away.
 */
final class SimOracle {
  private static final class History {
    private SimRow acknowledged;
    private final List<SimRow> uncertain = new ArrayList<>();
  }

  private final History[] rows = new History[SimRegion.KEYS];
  private long lastOrder;

  SimOracle() {
    for (int row = 0; row < rows.length; row++) {
      rows[row] = new History();
    }
  }

  long nextOrder() {
    return ++lastOrder;
  }

  void begun(int row, SimRow version) {
    rows[row].uncertain.add(version);
  }

  /** The write has certainly not happened. */
  void failed(int row, SimRow version) {
    rows[row].uncertain.remove(version);
  }

  void acknowledged(int row, SimRow version) {
    History history = rows[row];
    if (history.acknowledged == null || history.acknowledged.order() < version.order()) {
      history.acknowledged = version;
    }
    history.uncertain.removeIf(other -> other.order() <= version.order());
  }

  /** Whether a version was acknowledged, and nothing later was tried. */
  boolean isCertain(int row, SimRow version) {
    return rows[row].acknowledged == version && rows[row].uncertain.isEmpty();
  }

  /** The values that a row certainly has, {@link SimRow#NONE} where it need not have one. */
  SimRow demanded(int row) {
    int[] values = new int[SimWorld.COLUMNS];
    for (int column = 0; column < values.length; column++) {
      values[column] = demanded(row, column);
    }
    return new SimRow(0, values);
  }

  private int demanded(int row, int column) {
    History history = rows[row];
    if (history.acknowledged == null) {
      return SimRow.NONE;
    }
    int value = history.acknowledged.value(column);
    for (SimRow other : history.uncertain) {
      if (other.value(column) != value) {
        return SimRow.NONE;
      }
    }
    return value;
  }
}
