/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.scan;

import java.util.Arrays;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;

/**
 * A limit on the rows of a scan that is read in parts. A row may come in several results, so it is
 * counted when it begins. Rows never span parts.
 */
final class RowLimit {
  private final int limit;
  private int begun;
  private byte[] row;
  private boolean rowMayGoOn;

  /**
   * @param limit rows to give at most; no limit if not positive
   */
  RowLimit(int limit) {
    this.limit = limit;
  }

  private boolean isUnbounded() {
    return limit <= 0;
  }

  private int left() {
    return limit - begun;
  }

  /** How many of so many parts it makes sense to read at once: no more than rows are wanted. */
  int atMost(int parts) {
    return isUnbounded() ? parts : Math.min(parts, left());
  }

  /** Has a part give no more rows than are wanted. */
  void pushDown(Scan part) {
    if (!isUnbounded()) {
      part.setLimit(left());
    }
  }

  /** Whether no further row may begin. */
  boolean isReached() {
    return !isUnbounded() && left() == 0;
  }

  /** Whether all rows that are wanted have been given to their ends. */
  boolean isDone() {
    return isReached() && !rowMayGoOn;
  }

  /** Takes a result into account; false if it belongs to a row too many. */
  boolean admits(Result result) {
    if (isUnbounded() || result.isCursor() || result.isEmpty()) {
      return true;
    }
    boolean sameRow = row != null && Arrays.equals(row, result.getRow());
    if (!sameRow && isReached()) {
      return false;
    }
    rowMayGoOn = result.mayHaveMoreCellsInRow();
    if (sameRow) {
      return true;
    }
    begun++;
    row = result.getRow();
    return true;
  }

  /** The next result begins a row, whatever its key. */
  void partEnded() {
    row = null;
    rowMayGoOn = false;
  }
}
