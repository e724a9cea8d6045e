package io.hbaseindex.region.write;

/**
 * The versions of all indexed columns of one row, as far as they were asked for. Not safe for use
 * by several threads.
 */
final class RowVersions {
  private final IndexedColumns columns;
  private final ColumnVersions[] byColumn;

  RowVersions(IndexedColumns columns) {
    this.columns = columns;
    this.byColumn = new ColumnVersions[columns.size()];
  }

  RowVersions copy() {
    RowVersions copy = new RowVersions(columns);
    for (int column = 0; column < byColumn.length; column++) {
      copy.byColumn[column] = byColumn[column] == null ? null : byColumn[column].copy();
    }
    return copy;
  }

  void add(int column, Version version) {
    at(column).add(version);
  }

  /** Adds a marker that concerns every indexed column of a family. */
  void addToFamily(int family, Version marker) {
    for (int column : columns.columnsOf(family)) {
      at(column).add(marker);
    }
  }

  /** The versions of a column; null if there is nothing. */
  ColumnVersions column(int column) {
    return byColumn[column];
  }

  private ColumnVersions at(int column) {
    if (byColumn[column] == null) {
      byColumn[column] = new ColumnVersions();
    }
    return byColumn[column];
  }
}
