/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan.candidates;

import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.entry.IndexRowKeys;
import io.hbaseindex.core.entry.MalformedPostingException;
import io.hbaseindex.core.entry.PostingCertainty;
import io.hbaseindex.core.entry.PostingState;
import io.hbaseindex.region.metrics.IndexCounter;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.Shipper;

/** Reads postings, live and dead, in the order of their keys. */
final class PostingCursor implements Closeable {
  /**
   * After so many postings HBase may free the blocks behind them. It would otherwise hold them
   * until the scanner closes, since nobody ships these cells to a client.
   */
  private static final int SHIP_EVERY = 64;

  /**
   * Postings that are read at a time at most; the first times take fewer, as scans may be short.
   */
  private static final int MOST_AHEAD = 64;

  private static final byte[] NO_VALUE = {};

  private final OneMoment moment;
  private final RegionScanner scanner;
  private final IndexRowKeys keys;
  private final int columns;
  private final long certainAfter;
  private final long now;
  private final boolean keepsValues;
  private final ScanTally tally;
  private final String access;
  private final Deque<Cell> ahead = new ArrayDeque<>();
  private int readAhead = 1;
  private boolean more = true;
  private int unshipped;
  private byte[] key;
  private int rowOffset;
  private boolean live;
  private boolean certain;
  private byte[] value = NO_VALUE;

  /**
   * @param moment which is shown
   * @param scan of the postings
   * @param access what it reads, in words
   */
  PostingCursor(
      OneMoment moment,
      Scan scan,
      IndexRowKeys keys,
      IndexDefinition index,
      Certainty certainty,
      ScanTally tally,
      Supplier<String> access)
      throws IOException {
    this.moment = moment;
    this.scanner = moment.open(scan);
    this.keys = keys;
    this.columns = index.columns().size();
    this.certainAfter = certainty.after(index.id());
    this.now = certainty.now();
    this.keepsValues = certainty.cells() && index.carriesCells();
    this.tally = tally;
    this.access = tally.isTraced() ? access.get() : "";
  }

  /** From now on all postings up to the end are wanted, or nearly all. */
  void readsOn() {
    readAhead = MOST_AHEAD;
  }

  /** Moves to the next posting; false if there is none. */
  boolean next() throws IOException {
    if (ahead.isEmpty()) {
      readOn();
    }
    Cell cell = ahead.poll();
    if (cell == null) {
      key = null;
      return false;
    }
    take(cell);
    return true;
  }

  private void readOn() throws IOException {
    if (unshipped >= SHIP_EVERY && scanner instanceof Shipper shipper) {
      shipper.shipped();
      unshipped = 0;
    }
    while (more && ahead.isEmpty()) {
      more = moment.read(scanner, readAhead, ahead);
    }
    unshipped += ahead.size();
    readAhead = Math.min(MOST_AHEAD, 2 * readAhead);
  }

  /** Makes {@link #next} continue with the first posting at or after {@code indexRow}. */
  void reseek(byte[] indexRow) throws IOException {
    while (!ahead.isEmpty() && isBefore(ahead.peek(), indexRow)) {
      ahead.poll();
    }
    if (ahead.isEmpty()) {
      more = more && scanner.reseek(indexRow);
      readAhead = 1;
    }
  }

  private static boolean isBefore(Cell posting, byte[] indexRow) {
    return CellComparator.getInstance().compareRows(posting, indexRow, 0, indexRow.length) < 0;
  }

  private void take(Cell cell) throws IOException {
    tally.count(IndexCounter.POSTINGS_READ);
    key = CellUtil.cloneRow(cell);
    try {
      rowOffset = keys.dataRowOffset(key, 0, key.length, columns);
      byte[] array = cell.getValueArray();
      int offset = cell.getValueOffset();
      int length = cell.getValueLength();
      live = PostingState.parse(array, offset, length) == PostingState.LIVE;
      certain =
          cell.getTimestamp() > certainAfter
              && PostingCertainty.until(array, offset, length) >= now;
      value = keepsValues && certain ? CellUtil.cloneValue(cell) : NO_VALUE;
    } catch (MalformedPostingException e) {
      throw new IOException(
          "Cannot use the index: the posting with key "
              + CellUtil.getCellKeyAsString(cell)
              + " was unreadable; check and repair the index",
          e);
    }
    if (live) {
      tally.live(access);
    }
  }

  /** The index row key of the posting moved to. */
  byte[] key() {
    return key;
  }

  /** Where in {@link #key} the data row key begins. */
  int rowOffset() {
    return rowOffset;
  }

  byte[] row() {
    return Arrays.copyOfRange(key, rowOffset, key.length);
  }

  int compareRow(byte[] row) {
    return Arrays.compareUnsigned(key, rowOffset, key.length, row, 0, row.length);
  }

  boolean isLive() {
    return live;
  }

  /** Whether the row surely shows the values of the posting. */
  boolean isCertain() {
    return certain;
  }

  /** The value of the posting; empty if the row is to be asked, or the cells are not wanted. */
  byte[] value() {
    return value;
  }

  @Override
  public void close() throws IOException {
    moment.close(scanner);
  }
}
