/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region;

import io.hbaseindex.core.definition.IndexFamily;
import io.hbaseindex.region.context.PostingPages;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.IsolationLevel;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.Store;

/** Finds the highest timestamp a region has given to a posting, for its clock to start above. */
final class PostingTimestamps {
  private static final long NONE = -1;

  private PostingTimestamps() {}

  /** The highest timestamp in the hidden family, negative if it is empty. */
  static long highestIn(Region region) throws IOException {
    Store store = region.getStore(IndexFamily.bytes());
    long highest = PostingPages.latestInFiles(store).orElse(NONE);
    // HBase flushes what it has replayed before the region opens, so this is usually empty.
    return store.getMemStoreSize().getCellsCount() == 0
        ? highest
        : Math.max(highest, highestByScan(region));
  }

  private static long highestByScan(Region region) throws IOException {
    Scan scan =
        new Scan()
            .addFamily(IndexFamily.bytes())
            .setIsolationLevel(IsolationLevel.READ_UNCOMMITTED)
            .setCacheBlocks(false);
    long highest = NONE;
    List<Cell> cells = new ArrayList<>();
    try (RegionScanner scanner = region.getScanner(scan)) {
      boolean more;
      do {
        more = scanner.nextRaw(cells);
        for (Cell cell : cells) {
          highest = Math.max(highest, cell.getTimestamp());
        }
        cells.clear();
      } while (more);
    }
    return highest;
  }
}
