/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.write;

import io.hbaseindex.region.write.plan.IndexedColumns;
import org.apache.hadoop.hbase.Cell;

/** Finds the indexed column that an HBase cell belongs to. */
final class CellColumns {
  private CellColumns() {}

  /** The number of the cell's family, or {@link IndexedColumns#NONE}. */
  static int familyOf(IndexedColumns columns, Cell cell) {
    return columns.familyNumber(
        cell.getFamilyArray(), cell.getFamilyOffset(), cell.getFamilyLength());
  }

  /** The number of the cell's column in a family, or {@link IndexedColumns#NONE}. */
  static int columnOf(IndexedColumns columns, int family, Cell cell) {
    return columns.columnNumber(
        family, cell.getQualifierArray(), cell.getQualifierOffset(), cell.getQualifierLength());
  }

  /** Whether the cell changes what an indexed column of a family shows. */
  static boolean concerns(IndexedColumns columns, int family, Cell cell) {
    return Versions.kindOf(cell).isFamilyWide()
        || columnOf(columns, family, cell) != IndexedColumns.NONE;
  }
}
