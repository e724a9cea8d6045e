package io.hbaseindex.region.write;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.KeyValueHeap;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Reads what is stored of the indexed columns of a row: every version and every delete marker,
 * whether readers may see them yet or not. Cells of a batch that failed after it reached the
 * memstore are real although its client was told otherwise (rule P2).
 *
 * <p>It reads memstore and store files themselves, below HBase's scanners. Those pass on only the
 * newest of several puts with one timestamp, in raw scans too and before any filter is asked; but
 * the older one is still stored, and a flush or compaction that drops the newer one shows it again.
 */
final class StoredRows {
  /** Also what no reader may see yet. */
  private static final long EVERYTHING = Long.MAX_VALUE;

  private final HRegion region;
  private final IndexedColumns columns;

  StoredRows(Region region, IndexedColumns columns) {
    this.region = (HRegion) region;
    this.columns = columns;
  }

  /**
   * Reads one row.
   *
   * @param families which families to read; the columns of others stay empty
   */
  RowVersions read(byte[] row, boolean[] families) throws IOException {
    return readAt(EVERYTHING, row, families);
  }

  /** Reads what of one row is visible at a read point, which someone keeps from being forgotten. */
  RowVersions readAt(long readPoint, byte[] row, boolean[] families) throws IOException {
    RowVersions versions = new RowVersions(columns);
    // Stores must not be closed under their scanners.
    region.startRegionOperation();
    try {
      for (int family = 0; family < families.length; family++) {
        if (families[family]) {
          HStore store = region.getStore(columns.family(family));
          try (KeyValueHeap cells = open(store, row, readPoint)) {
            collect(cells, row, family, versions);
          }
        }
      }
    } finally {
      region.closeRegionOperation();
    }
    return versions;
  }

  private static KeyValueHeap open(HStore store, byte[] row, long readPoint) throws IOException {
    Scan get = new Scan().withStartRow(row, true).withStopRow(row, true);
    Cell first = PrivateCellUtil.createFirstOnRow(row, 0, (short) row.length);
    List<KeyValueScanner> sought = new ArrayList<>();
    for (KeyValueScanner scanner :
        store.getScanners(true, true, false, null, row, true, row, true, readPoint, false)) {
      // Files whose Bloom filter or key range rules the row out are not read at all.
      if (scanner.shouldUseScanner(get, store, Long.MIN_VALUE)) {
        scanner.seek(first);
        sought.add(scanner);
      } else {
        scanner.close();
      }
    }
    return new KeyValueHeap(sought, store.getComparator());
  }

  /**
   * Goes through the cells of a row in one family, from one indexed column to the next: a row of
   * thousands of columns costs no more than one of a few.
   */
  private void collect(KeyValueHeap cells, byte[] row, int family, RowVersions versions)
      throws IOException {
    for (Cell cell = cells.peek();
        cell != null && CellUtil.matchingRows(cell, row);
        cell = cells.peek()) {
      if (Versions.kindOf(cell).isFamilyWide()) {
        versions.addToFamily(family, Versions.stored(cell));
        cells.next();
      } else {
        int column = firstColumnFrom(cell, family);
        if (column == IndexedColumns.NONE) {
          return;
        }
        if (CellUtil.matchingQualifier(cell, columns.qualifier(column))) {
          versions.add(column, Versions.stored(cell));
          cells.next();
        } else {
          cells.reseek(firstOf(row, family, column));
        }
      }
    }
  }

  /** The indexed column of the family that a cell is in, or else the next one behind it. */
  private int firstColumnFrom(Cell cell, int family) {
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
      if (order >= 0) {
        return column;
      }
    }
    return IndexedColumns.NONE;
  }

  private Cell firstOf(byte[] row, int family, int column) {
    byte[] name = columns.family(family);
    byte[] qualifier = columns.qualifier(column);
    return PrivateCellUtil.createFirstOnRow(
        row, 0, (short) row.length, name, 0, (byte) name.length, qualifier, 0, qualifier.length);
  }
}
