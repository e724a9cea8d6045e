/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.lifecycle;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Lists the rows of a region that may need postings: those with any stored cell in an indexed
 * family, deleted ones included, since a value that is hidden today by a delete marker may show
 * again without another write (P3).
 */
@InterfaceAudience.Private
public final class RowDiscovery implements IndexBuilder.Rows {

  /** Row keys may be long; a page of them stays below this. */
  private static final long MAX_PAGE_BYTES = 1 << 20;

  /** How many rows an estimate looks at, and how many cells if they are wide. */
  private static final int SAMPLE_ROWS = 100;

  private static final int SAMPLE_CELLS = 2_000;
  private static final int SAMPLE_BATCH = 500;

  private final Region region;
  private final Set<byte[]> families;

  /**
   * @param families the families that an index covers
   */
  public RowDiscovery(Region region, Set<byte[]> families) {
    this.region = region;
    this.families = families;
  }

  /**
   * @param rows row keys in order
   * @param next where the following page begins; empty when there is none
   */
  public record Page(List<byte[]> rows, Optional<byte[]> next) {}

  /** At most {@code limit} rows from {@code first} on. */
  @Override
  public Page from(byte[] first, int limit) throws IOException {
    Scan scan = storedCells().withStartRow(first).setFilter(new FirstKeyOnlyFilter());
    List<byte[]> rows = new ArrayList<>();
    long bytes = 0;
    try (RegionScanner scanner = region.getScanner(scan)) {
      List<Cell> cells = new ArrayList<>();
      boolean more = true;
      while (more && rows.size() < limit && bytes < MAX_PAGE_BYTES) {
        more = scanner.next(cells);
        if (!cells.isEmpty()) {
          byte[] row = CellUtil.cloneRow(cells.get(0));
          rows.add(row);
          bytes += row.length;
          cells.clear();
        }
      }
      return new Page(rows, more ? Optional.of(after(rows)) : Optional.empty());
    }
  }

  private Scan storedCells() {
    Scan scan = new Scan().setRaw(true).readAllVersions().setCacheBlocks(false);
    families.forEach(scan::addFamily);
    return scan;
  }

  /**
   * The number of stored cells, which files and memory know, by the number of cells that the first
   * rows have. Half of a file that a split has left to a daughter counts half. How many rows lie
   * before one is told by the files alone: a region that resumes a build has just been opened, and
   * has hardly anything in memory.
   */
  @Override
  public IndexBuilder.Estimate estimate(byte[] first) throws IOException {
    long unflushed = 0;
    long flushed = 0;
    double before = 0;
    for (Store store : region.getStores()) {
      if (families.contains(store.getColumnFamilyDescriptor().getName())) {
        unflushed += store.getMemStoreSize().getCellsCount();
        for (StoreFile file : store.getStorefiles()) {
          long cells = cellsOf(file);
          flushed += cells;
          before += first.length == 0 ? 0 : cells * shareBefore(file, first);
        }
      }
    }
    double perRow = cellsPerRow();
    return new IndexBuilder.Estimate(
        Math.round(before / perRow), Math.round((unflushed + flushed) / perRow));
  }

  /** How much of a file lies before a row. */
  private static double shareBefore(StoreFile file, byte[] row) throws IOException {
    if (!(file instanceof HStoreFile stored) || stored.getReader() == null) {
      return 0;
    }
    Optional<Cell> middle = stored.getReader().midKey();
    if (middle.isEmpty() || file.getFirstKey().isEmpty() || file.getLastKey().isEmpty()) {
      return 0;
    }
    return new KeyShare(
            CellUtil.cloneRow(file.getFirstKey().get()),
            CellUtil.cloneRow(middle.get()),
            CellUtil.cloneRow(file.getLastKey().get()))
        .before(row);
  }

  private static long cellsOf(StoreFile file) {
    // A file that is being closed after a compaction has no reader any more.
    if (!(file instanceof HStoreFile stored) || stored.getReader() == null) {
      return 0;
    }
    long cells = stored.getReader().getEntries();
    return stored.isReference() ? cells / 2 : cells;
  }

  private double cellsPerRow() throws IOException {
    long seen = 0;
    int rows = 0;
    try (RegionScanner scanner = region.getScanner(storedCells().setBatch(SAMPLE_BATCH))) {
      List<Cell> cells = new ArrayList<>();
      byte[] last = null;
      boolean more = true;
      while (more && rows < SAMPLE_ROWS && seen < SAMPLE_CELLS) {
        more = scanner.next(cells);
        if (!cells.isEmpty()) {
          seen += cells.size();
          if (last == null || !CellUtil.matchingRows(cells.get(0), last)) {
            last = CellUtil.cloneRow(cells.get(0));
            rows++;
          }
          cells.clear();
        }
      }
    }
    return rows == 0 ? 1 : (double) seen / rows;
  }

  private static byte[] after(List<byte[]> rows) {
    byte[] last = rows.get(rows.size() - 1);
    return Arrays.copyOf(last, last.length + 1);
  }
}
