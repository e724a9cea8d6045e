/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.write;

import io.hbaseindex.region.write.plan.IndexedColumns;
import io.hbaseindex.region.write.plan.RowChange;
import io.hbaseindex.region.write.plan.RowVersions;
import java.io.IOException;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.Region;

/**
 * Reads what is stored of the indexed columns of rows: every version and every delete marker,
 * whether readers may see them yet or not. Cells of a batch that failed after it reached the
 * memstore are real although its client was told otherwise (rule P2). Only what cannot matter to a
 * change that is being planned is left out, so that a row which is written all the time does not
 * cost more with each write.
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

  /** Begins to read the rows of a batch that is being written; to be closed by the caller. */
  Cursor open() {
    return new Cursor(EVERYTHING);
  }

  /** Begins to read rows as of a read point; to be closed by the caller. */
  Cursor openAt(long readPoint) {
    return new Cursor(readPoint);
  }

  /** Reads rows in ascending order. */
  final class Cursor implements AutoCloseable {
    private final long readPoint;
    private final StoreCursor[] stores = new StoreCursor[columns.familyCount()];

    private Cursor(long readPoint) {
      this.readPoint = readPoint;
    }

    /**
     * Reads one row, which follows the row before.
     *
     * @param families which families to read; the columns of others stay empty
     */
    RowVersions read(byte[] row, boolean[] families) throws IOException {
      return read(row, families, false);
    }

    /** Reads as much of a row, which follows the row before, as it takes to plan a change of it. */
    RowVersions readFor(RowChange change, boolean[] families) throws IOException {
      if (change.deletes()) {
        return read(change.row(), families);
      }
      RowVersions newest = read(change.row(), families, true);
      return change.isDecidedBy(newest) ? newest : read(change.row(), families);
    }

    private RowVersions read(byte[] row, boolean[] families, boolean newestOnly)
        throws IOException {
      RowVersions versions = new RowVersions(columns);
      for (int family = 0; family < families.length; family++) {
        if (families[family]) {
          store(family).read(row, new VersionCollector(columns, family, versions, newestOnly));
        }
      }
      return versions;
    }

    private StoreCursor store(int family) throws IOException {
      if (stores[family] == null) {
        stores[family] = new StoreCursor(region.getStore(columns.family(family)), readPoint);
      }
      return stores[family];
    }

    @Override
    public void close() {
      for (StoreCursor store : stores) {
        if (store != null) {
          store.close();
        }
      }
    }
  }
}
