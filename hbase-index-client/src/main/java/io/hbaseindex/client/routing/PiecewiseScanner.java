package io.hbaseindex.client.routing;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;

/**
 * One scan after another, the next one opened when the one before has no more results. Not safe for
 * use by several threads at once, like any scanner.
 */
final class PiecewiseScanner implements ResultScanner {
  private final Table table;
  private final Deque<Scan> pieces;
  private final int limit;
  private int rows;
  private ResultScanner current;
  private ScanMetrics metrics;
  private boolean closed;

  /**
   * @param pieces parts of one scan, in key order, without overlaps
   * @param limit how many rows the whole scan returns at most; none if not positive
   */
  PiecewiseScanner(Table table, List<Scan> pieces, int limit) {
    this.table = table;
    this.pieces = new ArrayDeque<>(pieces);
    this.limit = limit;
  }

  @Override
  public Result next() throws IOException {
    while (!closed) {
      if (current == null) {
        if (pieces.isEmpty() || limit > 0 && rows >= limit) {
          return null;
        }
        Scan piece = pieces.remove();
        if (limit > 0) {
          piece.setLimit(limit - rows);
        }
        current = table.getScanner(piece);
      }
      Result result = current.next();
      if (result != null) {
        // Parts of one row count as one; only the last one says that nothing follows.
        rows += result.mayHaveMoreCellsInRow() ? 0 : 1;
        return result;
      }
      closeCurrent();
    }
    return null;
  }

  @Override
  public boolean renewLease() {
    return current != null && current.renewLease();
  }

  @Override
  public ScanMetrics getScanMetrics() {
    return current == null ? metrics : current.getScanMetrics();
  }

  @Override
  public void close() {
    closed = true;
    closeCurrent();
  }

  private void closeCurrent() {
    if (current != null) {
      metrics = current.getScanMetrics();
      current.close();
      current = null;
    }
  }
}
