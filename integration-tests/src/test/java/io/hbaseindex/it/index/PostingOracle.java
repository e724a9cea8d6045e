/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.index;

import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.IndexFamily;
import io.hbaseindex.core.entry.IndexRowKeys;
import io.hbaseindex.core.entry.PostingState;
import io.hbaseindex.core.predicate.IndexScope;
import io.hbaseindex.it.cluster.TestCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Compares what a plain client sees with the postings on disk, without the product's own reasoning:
 * every visible value must have a live posting.
 *
 * <p>The product's checker shares the function that decides which values are live with its write
 * path; an error in that function is invisible to it and visible here. Holds while nothing writes,
 * in regions whose indexes are ready.
 */
public final class PostingOracle {

  private final TestCluster cluster;
  private final TableName name;

  public PostingOracle(TestCluster cluster, TableName name) {
    this.cluster = cluster;
    this.name = name;
  }

  /** A row that an index does not name although it shows a value. */
  public record Unposted(byte[] row, IndexDefinition index) {
    @Override
    public String toString() {
      return Bytes.toStringBinary(row) + " in " + index.name();
    }
  }

  /** The rows that queries by index would miss. */
  public List<Unposted> unposted() throws IOException {
    List<Unposted> missing = new ArrayList<>();
    try (Table table = cluster.connection().getTable(name)) {
      List<IndexDefinition> definitions =
          List.copyOf(IndexedTableDescriptor.indexesOf(table.getDescriptor()).definitions());
      for (RegionInfo region : cluster.regions().of(name)) {
        // Postings first: a value that expires in between is then merely posted too much.
        TreeSet<byte[]> live = livePostings(region);
        IndexRowKeys keys = keys(region);
        Scan scan =
            IndexProbe.withoutIndex(new Scan())
                .withStartRow(region.getStartKey())
                .withStopRow(region.getEndKey());
        try (ResultScanner scanner = table.getScanner(scan)) {
          for (Result result : scanner) {
            definitions.stream()
                .filter(index -> !posted(index, result, keys, live))
                .forEach(index -> missing.add(new Unposted(result.getRow(), index)));
          }
        }
      }
    }
    return missing;
  }

  private static boolean posted(
      IndexDefinition index, Result result, IndexRowKeys keys, TreeSet<byte[]> live) {
    List<byte[]> values = new ArrayList<>();
    for (ColumnRef column : index.columns()) {
      values.add(result.getValue(column.family(), column.qualifier()));
    }
    boolean in =
        IndexScope.of(index.condition())
            .isMet(column -> result.getValue(column.family(), column.qualifier()));
    return !in || values.get(0) == null || live.contains(keys.key(index, values, result.getRow()));
  }

  private TreeSet<byte[]> livePostings(RegionInfo region) throws IOException {
    TreeSet<byte[]> live = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    Scan scan = new Scan().addFamily(IndexFamily.bytes());
    try (RegionScanner scanner = cluster.regions().online(region).getScanner(scan)) {
      List<Cell> cells = new ArrayList<>();
      boolean more = true;
      while (more) {
        more = scanner.next(cells);
        for (Cell cell : cells) {
          if (PostingState.parse(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength())
              == PostingState.LIVE) {
            live.add(CellUtil.cloneRow(cell));
          }
        }
        cells.clear();
      }
    }
    return live;
  }

  private static IndexRowKeys keys(RegionInfo region) {
    return IndexRowKeys.ofRegion(
            region.getStartKey(),
            region.getEndKey(),
            region.getEncodedName().getBytes(StandardCharsets.US_ASCII))
        .orElseThrow();
  }
}
