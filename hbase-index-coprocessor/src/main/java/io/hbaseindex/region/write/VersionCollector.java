package io.hbaseindex.region.write;

import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Collects, as a filter of a raw scan, what decides what the indexed columns of a row show: their
 * puts and markers, and the markers of their families. The scan itself returns nothing.
 *
 * <p>It is a filter because only a filter sees every stored cell: of several puts with one
 * timestamp the scanner passes on the last one. And since a raw scan cannot be told its columns,
 * the filter skips from one indexed column to the next; a row of thousands of columns costs no more
 * than one of a few. Lives and dies on the server.
 */
final class VersionCollector extends FilterBase {
  private final IndexedColumns columns;
  private final RowVersions versions;
  private byte[] nextQualifier;

  VersionCollector(IndexedColumns columns, RowVersions versions) {
    this.columns = columns;
    this.versions = versions;
  }

  @Override
  public ReturnCode filterCell(Cell cell) {
    int family = columns.familyNumber(cell);
    if (family == IndexedColumns.NONE) {
      return ReturnCode.NEXT_ROW;
    }
    if (Versions.kindOf(cell).isFamilyWide()) {
      versions.addToFamily(family, Versions.stored(cell));
      return ReturnCode.SKIP;
    }
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
      if (order == 0) {
        versions.add(column, Versions.stored(cell));
        return ReturnCode.SKIP;
      }
      if (order > 0) {
        nextQualifier = qualifier;
        return ReturnCode.SEEK_NEXT_USING_HINT;
      }
    }
    return ReturnCode.NEXT_ROW;
  }

  @Override
  public Cell getNextCellHint(Cell cell) {
    return PrivateCellUtil.createFirstOnRow(
        cell.getRowArray(),
        cell.getRowOffset(),
        cell.getRowLength(),
        cell.getFamilyArray(),
        cell.getFamilyOffset(),
        cell.getFamilyLength(),
        nextQualifier,
        0,
        nextQualifier.length);
  }
}
