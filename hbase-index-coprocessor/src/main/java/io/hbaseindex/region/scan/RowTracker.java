/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterBase;

/**
 * A filter in front of the user's own that passes every call on. From the calls it learns which row
 * the scanner is in, and when it is between two rows.
 *
 * <p>HBase asks {@link #filterRowKey} when it begins a row, or comes back to one of which it has
 * returned a part, and calls {@link #reset} when it has left one. In the middle of a row, where a
 * batch or a partial result may end, it does neither. Lives on the server only, and is never
 * serialized.
 */
final class RowTracker extends FilterBase {

  /** Learns what happens to rows. */
  interface Listener {
    /** A row is about to be read. */
    void rowBegins(byte[] row);
  }

  private final Filter users;
  private final ScanIntent intent;
  private Listener listener;
  private boolean betweenRows = true;
  private byte[] row;

  RowTracker(Filter users, ScanIntent intent) {
    this.users = users;
    this.intent = intent;
  }

  /** What the scan that this filter was put into is to do. */
  ScanIntent intent() {
    return intent;
  }

  /** Called before the first row is read, or never: without a listener nothing is followed. */
  void listen(Listener rowListener) {
    listener = rowListener;
  }

  /** Whether a row has been left and the next not begun. */
  boolean isBetweenRows() {
    return betweenRows;
  }

  /** The row begun last since somebody listens, null before the first. */
  byte[] row() {
    return row;
  }

  @Override
  public boolean filterRowKey(Cell firstInRow) throws IOException {
    if (listener != null) {
      follow(firstInRow);
    }
    return users.filterRowKey(firstInRow);
  }

  private void follow(Cell firstInRow) {
    // HBase resets no filter when a batch happens to end with its row; the row has changed all the
    // same.
    if (betweenRows || !CellUtil.matchingRows(firstInRow, row)) {
      betweenRows = false;
      row = CellUtil.cloneRow(firstInRow);
      listener.rowBegins(row);
    }
  }

  @Override
  public void reset() throws IOException {
    betweenRows = true;
    users.reset();
  }

  @Override
  public boolean filterAllRemaining() throws IOException {
    return users.filterAllRemaining();
  }

  @Override
  public ReturnCode filterCell(Cell cell) throws IOException {
    return users.filterCell(cell);
  }

  @Override
  public Cell transformCell(Cell cell) throws IOException {
    return users.transformCell(cell);
  }

  @Override
  public void filterRowCells(List<Cell> cells) throws IOException {
    users.filterRowCells(cells);
  }

  @Override
  public boolean hasFilterRow() {
    return users.hasFilterRow();
  }

  @Override
  public boolean filterRow() throws IOException {
    return users.filterRow();
  }

  @Override
  public Cell getNextCellHint(Cell cell) throws IOException {
    return users.getNextCellHint(cell);
  }

  @Override
  public boolean isFamilyEssential(byte[] family) throws IOException {
    return users.isFamilyEssential(family);
  }

  @Override
  public void setReversed(boolean reversed) {
    users.setReversed(reversed);
  }

  @Override
  public boolean isReversed() {
    return users.isReversed();
  }

  @Override
  public byte[] toByteArray() throws IOException {
    return users.toByteArray();
  }

  @Override
  public String toString() {
    return users.toString();
  }
}
