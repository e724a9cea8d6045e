/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.context;

import java.util.Collection;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Tells how many rows a region has at most, without reading any.
 *
 * <p>A file with a Bloom filter of rows, which is HBase's default, knows their number; others know
 * the number of their cells. A row that is in several files counts several times, and each cell
 * that was not flushed yet counts for a row. Of several families the one with most rows counts.
 */
@InterfaceAudience.Private
public final class StoredRowCount {
  private StoredRowCount() {}

  /** Rows that have cells in one of the families, flushed or not. */
  public static long atMost(HRegion region, Collection<byte[]> families) {
    return most(region, families, true);
  }

  /** The same of what is in files. */
  public static long flushedAtMost(HRegion region, Collection<byte[]> families) {
    return most(region, families, false);
  }

  private static long most(HRegion region, Collection<byte[]> families, boolean unflushed) {
    long most = 0;
    for (byte[] family : families) {
      HStore store = region.getStore(family);
      if (store != null) {
        long cells = unflushed ? store.getMemStoreSize().getCellsCount() : 0;
        most = Math.max(most, cells + flushed(store));
      }
    }
    return most;
  }

  private static long flushed(HStore store) {
    long rows = 0;
    for (HStoreFile file : store.getStorefiles()) {
      StoreFileReader reader = file.getReader();
      rows += reader == null ? 0 : rowsOf(reader);
    }
    return rows;
  }

  /** A Bloom filter of the beginnings of rows has fewer entries than there are rows. */
  private static long rowsOf(StoreFileReader reader) {
    return reader.getBloomFilterType() == BloomType.ROWPREFIX_FIXED_LENGTH
        ? reader.getEntries()
        : reader.getFilterEntries();
  }
}
