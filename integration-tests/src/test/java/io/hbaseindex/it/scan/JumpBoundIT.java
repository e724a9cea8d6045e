/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.scan;

import static io.hbaseindex.it.scan.Filters.all;
import static io.hbaseindex.it.scan.Filters.any;
import static io.hbaseindex.it.scan.Filters.compare;
import static io.hbaseindex.it.scan.Filters.is;
import static io.hbaseindex.it.scan.Filters.startsWith;
import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.TestTables;
import io.hbaseindex.region.metrics.IndexCounter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.client.metrics.ServerSideScanMetrics;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Few matches among many rows: a scan reads the matches, stale candidates, a row per region. */
@OnSharedCluster
class JumpBoundIT {
  private static final int ROWS = 200_000;
  private static final int REGIONS = 12;
  private static final int MATCHES = 10;

  @Test
  void tenMatchesIn200000Rows_everyShape_readsOnlyWhatMatches(TestCluster cluster)
      throws IOException {
    TableDescriptorBuilder builder =
        TableDescriptorBuilder.newBuilder(TestTables.uniqueName("jump_bound"))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"));
    byte[][] splits = TestTables.evenSplits("row%07d", ROWS, REGIONS);
    String[] splitKeys = new String[splits.length];
    for (int i = 0; i < splits.length; i++) {
      splitKeys[i] = Bytes.toString(splits[i]);
    }
    try (ScannedTable table =
        ScannedTable.create(
            cluster,
            IndexedTableDescriptor.with(
                builder.build(),
                IndexDefinition.on("f", "a").named("a").eager(),
                IndexDefinition.on("f", "b").named("b").eager()),
            splitKeys)) {
      load(cluster, table);
      table.awaitJumping(is("f:a", "rare"));
      checkEveryShape(table);
      table.flush();
      checkEveryShape(table);
    }
  }

  /** Ten rows have the values that are asked for; values of all others lie around them. */
  private static void load(TestCluster cluster, ScannedTable table) throws IOException {
    try (BufferedMutator writer = cluster.connection().getBufferedMutator(table.name())) {
      for (int i = 0; i < ROWS; i++) {
        Put put = new Put(Bytes.toBytes("row%07d".formatted(i)));
        boolean match = i % (ROWS / MATCHES) == 777;
        String a = match ? "rare" : (i % 2 == 0 ? "common" : "usual") + i % 1000;
        String b = match ? "x" + i % 3 : "q" + i % 500;
        put.addColumn(Bytes.toBytes("f"), Bytes.toBytes("a"), Bytes.toBytes(a));
        put.addColumn(Bytes.toBytes("f"), Bytes.toBytes("b"), Bytes.toBytes(b));
        writer.mutate(put);
      }
    }
  }

  private static void checkEveryShape(ScannedTable table) throws IOException {
    Map<String, Filter> shapes = new LinkedHashMap<>();
    shapes.put("=", is("f:a", "rare"));
    shapes.put("IN", any(is("f:b", "x0"), is("f:b", "x1"), is("f:b", "x2")));
    shapes.put("prefix", startsWith("f:a", "rar"));
    shapes.put(
        "range",
        all(
            compare("f:b", CompareOperator.GREATER, "x"),
            compare("f:b", CompareOperator.LESS_OR_EQUAL, "x9")));
    shapes.put("AND", all(is("f:a", "rare"), any(is("f:b", "x0"), is("f:b", "x1"))));
    shapes.put("OR", any(is("f:a", "rare"), is("f:b", "x2")));
    for (Map.Entry<String, Filter> shape : shapes.entrySet()) {
      check(table, shape.getKey(), new Scan().setFilter(shape.getValue()));
    }
  }

  private static void check(ScannedTable table, String shape, Scan scan) throws IOException {
    ScannedTable.Answer answer = table.answer(scan);
    long stale = answer.counted().get(IndexCounter.STALE_CANDIDATES);
    long bound = answer.rows() + stale + REGIONS;
    assertThat(answer.rows()).as("%s finds its rows", shape).isBetween(6, MATCHES);
    assertThat(answer.counted().get(IndexCounter.SCANS_JUMPED))
        .as("%s jumps in every region; %s", shape, answer.counted())
        .isEqualTo(REGIONS);
    assertThat(rowsHBaseScanned(table, scan))
        .as("%s: rows read by HBase's own count; ours: %s", shape, answer.counted())
        .isLessThanOrEqualTo(bound);
    assertThat(answer.counted().get(IndexCounter.ROWS_READ))
        .as("%s: rows read by our count", shape)
        .isLessThanOrEqualTo(bound);
    assertThat(answer.counted().get(IndexCounter.POSTINGS_READ))
        .as("%s: postings read, at most two accesses name a row", shape)
        .isLessThanOrEqualTo(2 * bound);
    assertThat(answer.cells()).isEqualTo(table.plainAnswer(scan).cells());
  }

  private static long rowsHBaseScanned(ScannedTable table, Scan scan) throws IOException {
    Scan measured = new Scan(scan).setScanMetricsEnabled(true);
    List<Result> results = new ArrayList<>();
    try (ResultScanner scanner = table.table().getScanner(measured)) {
      scanner.forEach(results::add);
      return scanner
          .getScanMetrics()
          .getMetricsMap()
          .get(ServerSideScanMetrics.COUNT_OF_ROWS_SCANNED_KEY_METRIC_NAME);
    }
  }
}
