/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.oracle;

import io.hbaseindex.it.cluster.TestCluster;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.util.Bytes;

/** Everything that is stored of a row, file by file, for the report of a failure. */
final class StoredCells {
  private final TestCluster cluster;
  private final TableName name;

  StoredCells(TestCluster cluster, TableName name) {
    this.cluster = cluster;
    this.name = name;
  }

  /** The cells of a row of data or of an index, in the region that holds the given row of data. */
  String of(byte[] stored, byte[] dataRow) throws IOException {
    StringBuilder text = new StringBuilder(Bytes.toStringBinary(stored)).append(" is stored as\n");
    for (RegionInfo info : cluster.regions().of(name)) {
      if (info.containsRow(dataRow)) {
        HRegion region = cluster.regions().online(info);
        for (HStore store : region.getStores()) {
          add(store, stored, text);
        }
        text.append("  read point ").append(region.getMVCC().getReadPoint()).append('\n');
      }
    }
    return text.toString();
  }

  private static void add(HStore store, byte[] row, StringBuilder text) throws IOException {
    List<KeyValueScanner> scanners =
        store.getScanners(
            false,
            true,
            false,
            null,
            HConstants.EMPTY_START_ROW,
            true,
            HConstants.EMPTY_END_ROW,
            false,
            Long.MAX_VALUE,
            false);
    for (KeyValueScanner scanner : scanners) {
      scanner.seek(PrivateCellUtil.createFirstOnRow(row));
      for (Cell cell = scanner.peek();
          cell != null && CellUtil.matchingRows(cell, row);
          cell = scanner.peek()) {
        text.append("  ")
            .append(scanner.isFileScanner() ? scanner.getFilePath().getName() : "memory");
        text.append(' ').append(cell).append(" = ");
        text.append(
                Bytes.toStringBinary(
                    cell.getValueArray(), cell.getValueOffset(), cell.getValueLength()))
            .append('\n');
        scanner.next();
      }
      scanner.close();
    }
  }
}
