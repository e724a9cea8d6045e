/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan.order;

import io.hbaseindex.common.query.OrderedRows;
import io.hbaseindex.common.query.RowOrder;
import io.hbaseindex.common.query.RowOrder.Place;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The first rows in the order that a scan asks for, of all that are offered. Keeps no more than are
 * asked for, and no more than {@value #MAX_BYTES} bytes of them but for one row: then fewer are
 * told, and the client asks again. Not thread-safe: a scan is not.
 */
@InterfaceAudience.Private
public final class FirstRows {
  static final long MAX_BYTES = 8L << 20;

  private final OrderedRows.Request request;
  private final TreeMap<Place, List<Cell>> rows;
  private int most;
  private long bytes;
  private boolean more;

  public FirstRows(OrderedRows.Request request) {
    this.request = request;
    this.rows = new TreeMap<>(request.order());
    this.most = request.rows();
  }

  RowOrder order() {
    return request.order();
  }

  /** How many there are by now. */
  public int size() {
    return rows.size();
  }

  /** Whether a row is known already, or lies before those that are asked for. */
  boolean isPast(Place place) {
    return rows.containsKey(place)
        || request.after().isPresent() && order().compare(place, request.after().get()) <= 0;
  }

  /** Whether there are enough rows before this one. */
  boolean isBehind(Place place) {
    return isFull() && order().compare(place, rows.lastKey()) > 0;
  }

  /** Whether there are enough rows of lower values, or higher ones if these come first. */
  boolean isBehindValue(byte[] value) {
    return isFull() && order().compareValues(value, rows.lastKey().value()) > 0;
  }

  private boolean isFull() {
    return rows.size() >= most;
  }

  /**
   * Takes a row if it is one of the first.
   *
   * @param row cells that nobody else changes: HBase's own point into blocks that it may use for
   *     others once a call is over
   * @throws DoNotRetryIOException if it lacks the column, which the condition of every such scan
   *     asks for: then a filter has hidden the cell
   */
  public void offer(List<Cell> row) throws DoNotRetryIOException {
    byte[] key = CellUtil.cloneRow(row.get(0));
    Place place = new Place(valueIn(row, order()).orElseThrow(() -> placeless(key)), key);
    if (isPast(place)) {
      return;
    }
    if (isBehind(place)) {
      more = true;
      return;
    }
    rows.put(place, row);
    bytes += sizeOf(row);
    while (rows.size() > most || bytes > MAX_BYTES && rows.size() > 1) {
      bytes -= sizeOf(rows.pollLastEntry().getValue());
      more = true;
      most = Math.min(most, Math.max(rows.size(), 1));
    }
  }

  private DoNotRetryIOException placeless(byte[] key) {
    return new DoNotRetryIOException(
        "Cannot order rows by %s: row %s met the scan's condition and did not show the column; have the condition ask for the column, and use no filter that hides it"
            .formatted(order().column(), Bytes.toStringBinary(key)));
  }

  /** The newest value of the column in a row; empty if it has none. */
  static Optional<byte[]> valueIn(List<Cell> row, RowOrder order) {
    for (Cell cell : row) {
      if (CellUtil.matchingColumn(cell, order.column().family(), order.column().qualifier())) {
        return Optional.of(CellUtil.cloneValue(cell));
      }
    }
    return Optional.empty();
  }

  private static long sizeOf(List<Cell> cells) {
    return cells.stream().mapToLong(Cell::heapSize).sum();
  }

  /** Takes note that there may be rows behind these. */
  void endHere() {
    more = true;
  }

  /** Forgets everything, to begin anew. */
  public void reset() {
    rows.clear();
    bytes = 0;
    more = false;
    most = request.rows();
  }

  /** Up to where all rows are told; empty if there are no others. */
  public Optional<Place> complete() {
    return more && !rows.isEmpty() ? Optional.of(rows.lastKey()) : Optional.empty();
  }

  /** The rows by rising keys. */
  public List<List<Cell>> byKey() {
    return rows.entrySet().stream()
        .sorted(Map.Entry.comparingByKey(Comparator.comparing(Place::row, Arrays::compareUnsigned)))
        .map(Map.Entry::getValue)
        .toList();
  }
}
