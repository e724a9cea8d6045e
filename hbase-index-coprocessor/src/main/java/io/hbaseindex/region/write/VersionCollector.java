/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.write;

import io.hbaseindex.region.write.plan.IndexedColumns;
import io.hbaseindex.region.write.plan.RowChange;
import io.hbaseindex.region.write.plan.RowVersions;
import io.hbaseindex.region.write.plan.Version;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Collects from the cells of one row and family what decides what its indexed columns show: their
 * puts and markers, and the markers of the family. It leads from one indexed column to the next, so
 * a row of thousands of columns costs no more than one of a few. It can also be told to take no
 * more of a column than its newest put and what lies above that, so that a row that is written all
 * the time costs no more than any other; {@link RowChange#isDecidedBy} says when that is enough.
 */
final class VersionCollector implements StoreCursor.RowCollector {
  private final IndexedColumns columns;
  private final int family;
  private final RowVersions versions;
  private final boolean newestOnly;

  VersionCollector(IndexedColumns columns, int family, RowVersions versions, boolean newestOnly) {
    this.columns = columns;
    this.family = family;
    this.versions = versions;
    this.newestOnly = newestOnly;
  }

  @Override
  public boolean take(Cell cell) {
    if (Versions.kindOf(cell).isFamilyWide()) {
      versions.addToFamily(family, Versions.stored(cell));
      return true;
    }
    int column = CellColumns.columnOf(columns, family, cell);
    boolean indexed = column != IndexedColumns.NONE;
    Version version = indexed ? Versions.stored(cell) : null;
    if (indexed) {
      versions.add(column, version);
    }
    // Markers of the family have an empty qualifier, and lie among the puts of that column.
    return cell.getQualifierLength() == 0 || indexed && !(newestOnly && version.isPut());
  }

  /** Below the newest puts of all columns nothing decides, if these do. */
  @Override
  public long countsFrom() {
    return newestOnly ? versions.newestPutsFrom(family) : 0;
  }

  @Override
  public Cell nextColumn(Cell cell) {
    for (int column : columns.columnsOf(family)) {
      byte[] qualifier = columns.qualifier(column);
      int order =
          Bytes.compareTo(
              qualifier,
              0,
              qualifier.length,
              cell.getQualifierArray(),
              cell.getQualifierOffset(),
              cell.getQualifierLength());
      if (order > 0) {
        return PrivateCellUtil.createFirstOnRow(
            CellUtil.cloneRow(cell), columns.family(family), qualifier);
      }
    }
    return null;
  }
}
