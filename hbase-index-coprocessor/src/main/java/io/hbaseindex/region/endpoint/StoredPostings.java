/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.endpoint;

import io.hbaseindex.core.definition.IndexFamily;
import io.hbaseindex.region.context.StoredRowCount;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.io.hfile.HFileInfo;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;

/**
 * What the postings of a region take, by what its store files say of themselves. Nothing is read.
 *
 * @param bytes of the files of the hidden family, as they are stored
 * @param cells in these files: postings, dead ones and such that were written again included until
 *     a compaction drops them
 * @param keyBytes of the keys of these cells, before encoding and compression
 * @param valueBytes of their values, likewise: whether they are live, and what they carry
 * @param rows in the files of the other families, at most
 */
record StoredPostings(long bytes, long cells, long keyBytes, long valueBytes, long rows) {

  /** Empty if nothing was flushed yet. */
  static Optional<StoredPostings> of(HRegion region) {
    HStore store = region.getStore(IndexFamily.bytes());
    if (store == null || store.getStorefilesCount() == 0) {
      return Optional.empty();
    }
    long cells = 0;
    long keyBytes = 0;
    long valueBytes = 0;
    for (HStoreFile file : store.getStorefiles()) {
      StoreFileReader reader = file.getReader();
      if (reader != null) {
        HFileInfo info = reader.getHFileReader().getHFileInfo();
        cells += reader.getEntries();
        keyBytes += reader.getEntries() * info.getAvgKeyLen();
        valueBytes += reader.getEntries() * info.getAvgValueLen();
      }
    }
    List<byte[]> families =
        region.getTableDescriptor().getColumnFamilyNames().stream()
            .filter(family -> !Arrays.equals(family, IndexFamily.bytes()))
            .toList();
    long rows = StoredRowCount.flushedAtMost(region, families);
    return Optional.of(
        new StoredPostings(store.getStorefilesSize(), cells, keyBytes, valueBytes, rows));
  }
}
