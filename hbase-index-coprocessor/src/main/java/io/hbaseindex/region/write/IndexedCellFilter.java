package io.hbaseindex.region.write;

import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Passes the cells that decide what indexed columns show: their puts and markers, and the markers
 * of their families. A raw scan cannot be told its columns, so this skips from one indexed column
 * to the next; a row of thousands of columns costs no more than one of a few. Lives and dies on the
 * server.
 */
final class IndexedCellFilter extends FilterBase {
  private final IndexedColumns columns;
  private byte[] nextQualifier;

  IndexedCellFilter(IndexedColumns columns) {
    this.columns = columns;
  }

  @Override
  public ReturnCode filterCell(Cell cell) {
    int family = columns.familyNumber(cell);
    if (family == IndexedColumns.NONE) {
      return ReturnCode.NEXT_ROW;
    }
    if (Versions.kindOf(cell).isFamilyWide()) {
      return ReturnCode.INCLUDE;
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
        return ReturnCode.INCLUDE;
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
