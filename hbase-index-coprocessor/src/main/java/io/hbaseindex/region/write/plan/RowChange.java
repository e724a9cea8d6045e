/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.write.plan;

import java.util.ArrayList;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What one batch does to the indexed columns of one row, in the order of the batch. Not safe for
 * use by several threads.
 */
@InterfaceAudience.Private
public final class RowChange {
  private final byte[] row;
  private final IndexedColumns columns;
  private final List<Step> steps = new ArrayList<>(2);
  private final boolean[] touched;
  private final boolean[] deletedFrom;

  private record Step(int family, int column, Version version) {}

  public RowChange(byte[] row, IndexedColumns columns) {
    this.row = row;
    this.columns = columns;
    this.touched = new boolean[columns.size()];
    this.deletedFrom = new boolean[columns.size()];
  }

  public byte[] row() {
    return row;
  }

  /** Notes a put to, or a delete from, one column. */
  public void add(int family, int column, Version version) {
    steps.add(new Step(family, column, version));
    touched[column] = true;
    deletedFrom[column] |= !version.isPut();
  }

  /** Notes a marker that concerns every indexed column of a family. */
  public void addToFamily(int family, Version marker) {
    steps.add(new Step(family, IndexedColumns.NONE, marker));
    for (int column : columns.columnsOf(family)) {
      touched[column] = true;
      deletedFrom[column] = true;
    }
  }

  /** Whether the change concerns a column of the index, or one that it includes. */
  public boolean touches(RowPostings index) {
    for (int column : index.allColumns()) {
      if (touched[column]) {
        return true;
      }
    }
    return false;
  }

  boolean deletesFrom(int column) {
    return deletedFrom[column];
  }

  /**
   * Whether the newest stored put of each column, as each memstore segment and file has it, and the
   * markers above it are all that has to be read to plan this change.
   *
   * <p>A file may be left out if its latest cell is older than the newest puts of all columns: it
   * has none of these, nor a marker that hides one.
   *
   * <p>Cells of a column are stored newest first, and markers before puts of their time. So the
   * newest of these puts is the newest of all, and no marker that hides it, or anything newer, is
   * missing. Where nothing hides the newest put, before the change and after it, what lies below
   * cannot show: {@link ColumnVersions#showable} ends its search there, however many versions the
   * family keeps. A column without a put has been read as a whole. A delete needs everything, for
   * what it exposes.
   */
  public boolean isDecidedBy(RowVersions newest) {
    return !deletes() && newest.areDecidedByNewest() && applyTo(newest).areDecidedByNewest();
  }

  public boolean deletes() {
    for (boolean deleted : deletedFrom) {
      if (deleted) {
        return true;
      }
    }
    return false;
  }

  /** The values put to a column, in the order of the batch. */
  List<byte[]> valuesPut(int column) {
    List<byte[]> values = new ArrayList<>(1);
    for (Step step : steps) {
      if (step.column == column && step.version.isPut()) {
        values.add(step.version.value());
      }
    }
    return values;
  }

  /** What is stored once this change has been written over {@code stored}. */
  RowVersions applyTo(RowVersions stored) {
    RowVersions after = stored.copy();
    for (Step step : steps) {
      if (step.column == IndexedColumns.NONE) {
        after.addToFamily(step.family, step.version);
      } else {
        after.add(step.column, step.version);
      }
    }
    return after;
  }
}
