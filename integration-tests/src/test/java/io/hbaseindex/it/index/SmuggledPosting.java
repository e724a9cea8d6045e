/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.index;

import io.hbaseindex.core.definition.IndexFamily;
import io.hbaseindex.core.entry.IndexRowKeys;
import io.hbaseindex.core.entry.PostingState;
import io.hbaseindex.it.cluster.TestCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;

/** Puts postings straight into a region's memstore, where no hook sees them: faults by hand. */
public final class SmuggledPosting {
  private SmuggledPosting() {}

  /**
   * Puts one posting in.
   *
   * @param region the region that it belongs to by its row
   */
  public static void put(
      TestCluster cluster,
      TableName table,
      RegionInfo region,
      String index,
      String value,
      String row,
      PostingState state)
      throws IOException {
    put(cluster, table, region, index, value, row, new byte[] {state.code()});
  }

  /**
   * Puts one posting in.
   *
   * @param region the region that it belongs to by its row
   * @param mark the value of its cell
   */
  public static void put(
      TestCluster cluster,
      TableName table,
      RegionInfo region,
      String index,
      String value,
      String row,
      byte[] mark)
      throws IOException {
    IndexRowKeys keys =
        IndexRowKeys.ofRegion(
                region.getStartKey(),
                region.getEndKey(),
                region.getEncodedName().getBytes(StandardCharsets.US_ASCII))
            .orElseThrow();
    int id = new IndexProbe(cluster, table).index(index).id();
    byte[] key = keys.key(id, List.of(Bytes.toBytes(value)), Bytes.toBytes(row));
    cluster
        .regions()
        .online(region)
        .getStore(IndexFamily.bytes())
        .add(
            new KeyValue(
                key, IndexFamily.bytes(), new byte[0], System.currentTimeMillis() + 1, mark),
            null);
  }
}
