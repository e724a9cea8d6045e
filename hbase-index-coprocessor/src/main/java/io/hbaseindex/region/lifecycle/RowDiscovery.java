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
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Lists the rows of a region that may need postings: those with any stored cell in an indexed
 * family, deleted ones included, since a value that is hidden today by a delete marker may show
 * again without another write (P3).
 */
@InterfaceAudience.Private
public final class RowDiscovery {

  /** Row keys may be long; a page of them stays below this. */
  private static final long MAX_PAGE_BYTES = 1 << 20;

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
  public Page from(byte[] first, int limit) throws IOException {
    Scan scan =
        new Scan()
            .withStartRow(first)
            .setRaw(true)
            .readAllVersions()
            .setCacheBlocks(false)
            .setFilter(new FirstKeyOnlyFilter());
    families.forEach(scan::addFamily);
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

  private static byte[] after(List<byte[]> rows) {
    byte[] last = rows.get(rows.size() - 1);
    return Arrays.copyOf(last, last.length + 1);
  }
}
