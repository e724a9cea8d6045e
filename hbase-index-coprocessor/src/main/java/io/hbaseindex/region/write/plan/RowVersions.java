/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.write.plan;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * The versions of all indexed columns of one row, as far as they were asked for. Not safe for use
 * by several threads.
 */
@InterfaceAudience.Private
public final class RowVersions {
  private final IndexedColumns columns;
  private final ColumnVersions[] byColumn;

  /** Which columns this owns and may change; the others are shared with what it was copied from. */
  private final boolean[] own;

  public RowVersions(IndexedColumns columns) {
    this(columns, new ColumnVersions[columns.size()]);
  }

  private RowVersions(IndexedColumns columns, ColumnVersions[] byColumn) {
    this.columns = columns;
    this.byColumn = byColumn;
    this.own = new boolean[byColumn.length];
  }

  /** A copy that may be changed; this one must not be changed any more. */
  RowVersions copy() {
    return new RowVersions(columns, byColumn.clone());
  }

  public void add(int column, Version version) {
    at(column).add(version);
  }

  /** Adds a marker that concerns every indexed column of a family. */
  public void addToFamily(int family, Version marker) {
    for (int column : columns.columnsOf(family)) {
      at(column).add(marker);
    }
  }

  /** The versions of a column; null if there is nothing. */
  public ColumnVersions column(int column) {
    return byColumn[column];
  }

  /**
   * The lowest timestamp among the newest puts of a family's indexed columns; 0 while one of these
   * has none.
   */
  public long newestPutsFrom(int family) {
    long lowest = Long.MAX_VALUE;
    for (int column : columns.columnsOf(family)) {
      ColumnVersions versions = byColumn[column];
      if (versions == null || versions.isEmpty()) {
        return 0;
      }
      lowest = Math.min(lowest, versions.newestTimestamp());
    }
    return Math.max(0, lowest);
  }

  /** Whether {@link ColumnVersions#isDecidedByNewest} holds for all columns. */
  public boolean areDecidedByNewest() {
    for (ColumnVersions column : byColumn) {
      if (column != null && !column.isDecidedByNewest()) {
        return false;
      }
    }
    return true;
  }

  private ColumnVersions at(int column) {
    if (!own[column]) {
      ColumnVersions shared = byColumn[column];
      byColumn[column] = shared == null ? new ColumnVersions() : shared.copy();
      own[column] = true;
    }
    return byColumn[column];
  }
}
