/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.write;

import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparatorImpl;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;

/**
 * Reads single rows of one store, in ascending order, with one set of scanners for all of them.
 *
 * <p>Opening scanners costs several times what reading a small row costs, and a batch of a thousand
 * rows would open a thousand sets. Each row still asks the Bloom filter of each file, as a get
 * would, so files that do not hold the row are not touched. Nothing is merged, masked or limited on
 * the way: the stored cells of the row arrive as they are, file by file. Files that a flush or
 * compaction replaces meanwhile stay readable until this is closed.
 */
final class StoreCursor implements AutoCloseable {
  /** Takes the cells of one row, store file by store file. */
  interface RowCollector {
    /** Takes the cell if it counts; returns whether the one behind it may count as well. */
    boolean take(Cell cell);

    /**
     * Where behind a cell, if not right behind it, the next one is that may count; null if none.
     */
    Cell nextColumn(Cell cell);

    /** Cells of the row with a lower timestamp do not count any more, as far as it is known. */
    default long countsFrom() {
      return 0;
    }
  }

  /**
   * A step costs less than a seek, and the next column that counts is often the next cell, or the
   * one behind it.
   */
  private static final int STEPS_BEFORE_SEEK = 2;

  /** The memstore, then files; what is found in one may leave nothing to look for in the next. */
  private static final Comparator<KeyValueScanner> NEWEST_FIRST =
      Comparator.comparing(KeyValueScanner::isFileScanner)
          .thenComparing(KeyValueScanner::getScannerOrder, Comparator.reverseOrder());

  private final HStore store;
  private final long readPoint;
  private final Scan get = new Scan();
  private List<KeyValueScanner> scanners;
  private boolean[] started;
  private boolean[] exhausted;
  private boolean hasFiles;
  private boolean mayHaveHalves;
  private byte[] latest;

  StoreCursor(HStore store, long readPoint) throws IOException {
    this.store = store;
    this.readPoint = readPoint;
    open();
  }

  private void open() throws IOException {
    // Asked first: a compaction may replace the half files that a split has left.
    mayHaveHalves = store.hasReferences();
    scanners =
        store.getScanners(
            true,
            true,
            false,
            null,
            HConstants.EMPTY_START_ROW,
            true,
            HConstants.EMPTY_END_ROW,
            false,
            readPoint,
            false);
    scanners.sort(NEWEST_FIRST);
    started = new boolean[scanners.size()];
    exhausted = new boolean[scanners.size()];
    hasFiles = scanners.stream().anyMatch(KeyValueScanner::isFileScanner);
  }

  /** Begins anew, since scanners go on forwards only. */
  private void restart() throws IOException {
    if (mayHaveHalves) {
      // HBase's scanner of a lower half, once it has met its end, cannot be sought back.
      close();
      open();
    } else {
      Arrays.fill(started, false);
      Arrays.fill(exhausted, false);
    }
  }

  /**
   * Hands the stored cells of {@code row} to the collector, which may skip some. The row is the one
   * before, read again, or follows it.
   */
  void read(byte[] row, RowCollector collector) throws IOException {
    if (Arrays.equals(row, latest)) {
      restart();
    }
    if (hasFiles) {
      get.withStartRow(row, true).withStopRow(row, true);
    }
    latest = row;
    Cell first = PrivateCellUtil.createFirstOnRow(row, 0, (short) row.length);
    for (int i = 0; i < scanners.size(); i++) {
      KeyValueScanner scanner = scanners.get(i);
      boolean maySkip =
          exhausted[i] || scanner.isFileScanner() && !mayHold(scanner, collector.countsFrom());
      if (!maySkip && moveTo(first, i)) {
        exhausted[i] = !collectRow(row, scanner, collector);
      }
    }
  }

  /** Whether a file may have cells of the row, by its Bloom filter, that are not too old. */
  private boolean mayHold(KeyValueScanner file, long fromTimestamp) throws IOException {
    if (fromTimestamp != get.getTimeRange().getMin()) {
      get.setTimeRange(fromTimestamp, Long.MAX_VALUE);
    }
    return file.shouldUseScanner(get, store, Long.MIN_VALUE);
  }

  private boolean moveTo(Cell cell, int i) throws IOException {
    boolean found = started[i] ? scanners.get(i).reseek(cell) : scanners.get(i).seek(cell);
    started[i] = true;
    exhausted[i] = !found;
    return found;
  }

  /** Returns whether the scanner has more to give for later rows. */
  static boolean collectRow(byte[] row, KeyValueScanner scanner, RowCollector collector)
      throws IOException {
    Cell cell = scanner.peek();
    while (cell != null && CellUtil.matchingRows(cell, row)) {
      if (collector.take(cell)) {
        scanner.next();
      } else {
        Cell nextColumn = collector.nextColumn(cell);
        if (nextColumn == null) {
          return true;
        }
        moveOn(scanner, nextColumn);
      }
      cell = scanner.peek();
    }
    return cell != null;
  }

  /** Goes on to a cell that is ahead: by steps while it may be near, which seeks are not for. */
  private static void moveOn(KeyValueScanner scanner, Cell target) throws IOException {
    for (int step = 0; step < STEPS_BEFORE_SEEK; step++) {
      scanner.next();
      Cell cell = scanner.peek();
      if (cell == null || CellComparatorImpl.COMPARATOR.compare(cell, target) >= 0) {
        return;
      }
    }
    scanner.reseek(target);
  }

  @Override
  public void close() {
    scanners.forEach(KeyValueScanner::close);
  }
}
