package io.hbaseindex.region.write;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.IsolationLevel;
import org.apache.hadoop.hbase.client.PackagePrivateFieldAccessor;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionScanner;

/**
 * Reads what is stored of the indexed columns of a row: every version and every delete marker,
 * whether readers may see them yet or not. Cells of a batch that failed after it reached the
 * memstore are real although its client was told otherwise (rule P2).
 */
final class StoredRows {
  private final Region region;
  private final IndexedColumns columns;

  StoredRows(Region region, IndexedColumns columns) {
    this.region = region;
    this.columns = columns;
  }

  /**
   * Reads one row.
   *
   * @param families which families to read; the columns of others stay empty
   */
  RowVersions read(byte[] row, boolean[] families) throws IOException {
    RowVersions versions = new RowVersions(columns);
    collect(scanOf(row, families, versions).setIsolationLevel(IsolationLevel.READ_UNCOMMITTED));
    return versions;
  }

  /** Reads what of one row is visible at a read point, which someone keeps from being forgotten. */
  RowVersions readAt(long readPoint, byte[] row, boolean[] families) throws IOException {
    RowVersions versions = new RowVersions(columns);
    Scan scan = scanOf(row, families, versions);
    PackagePrivateFieldAccessor.setMvccReadPoint(scan, readPoint);
    collect(scan);
    return versions;
  }

  private void collect(Scan scan) throws IOException {
    List<Cell> nothing = new ArrayList<>(0);
    try (RegionScanner scanner = region.getScanner(scan)) {
      boolean more;
      do {
        more = scanner.nextRaw(nothing);
      } while (more);
    }
  }

  private Scan scanOf(byte[] row, boolean[] families, RowVersions versions) {
    Scan scan =
        new Scan()
            .withStartRow(row, true)
            .withStopRow(row, true)
            .setRaw(true)
            .readAllVersions()
            .setFilter(new VersionCollector(columns, versions));
    for (int family = 0; family < families.length; family++) {
      if (families[family]) {
        scan.addFamily(columns.family(family));
      }
    }
    return scan;
  }
}
