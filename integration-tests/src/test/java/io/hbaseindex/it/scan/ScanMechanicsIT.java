/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.scan;

import static io.hbaseindex.it.scan.Filters.all;
import static io.hbaseindex.it.scan.Filters.any;
import static io.hbaseindex.it.scan.Filters.cell;
import static io.hbaseindex.it.scan.Filters.is;
import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.IndexSettings;
import io.hbaseindex.it.cluster.IndexCounters;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.TestTables;
import io.hbaseindex.it.cluster.Waits;
import io.hbaseindex.region.metrics.IndexCounter;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.ScannerContext.LimitScope;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Jumping under everything that interrupts, limits or overtakes a scan. */
@OnSharedCluster
class ScanMechanicsIT {
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] A = Bytes.toBytes("a");
  private static final int ROWS = 400;

  private TestCluster cluster;
  private ScannedTable table;

  /** Row i has a = v(i mod 4); four wide columns beside it, so that rows can be cut into parts. */
  @BeforeEach
  void createTable(TestCluster shared) throws IOException {
    cluster = shared;
    table =
        ScannedTable.create(
            cluster,
            IndexedTableDescriptor.with(
                TableDescriptorBuilder.newBuilder(TestTables.uniqueName("mechanics"))
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                    .build(),
                IndexDefinition.on("f", "a").named("a").eager(),
                IndexDefinition.on("f", "lazy").named("lazy").lazy()),
            "r200");
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      Put put = new Put(row(i)).addColumn(F, A, Bytes.toBytes("v" + i % 4));
      put.addColumn(F, Bytes.toBytes("lazy"), Bytes.toBytes("old"));
      for (int column = 0; column < 4; column++) {
        put.addColumn(F, Bytes.toBytes("wide" + column), new byte[100]);
      }
      puts.add(put);
    }
    table.table().put(puts);
    table.awaitJumping(is("f:a", "v1"));
  }

  @AfterEach
  void dropTable() throws IOException {
    table.close();
  }

  @Test
  void limitsAndCuts_ofEveryKind_giveWhatThePlainScanGives() throws IOException {
    List<Scan> scans = new ArrayList<>();
    for (int caching : new int[] {1, 2, 7, 1000}) {
      for (int limit : new int[] {-1, 1, 10, 60}) {
        scans.add(scan().setCaching(caching).setLimit(limit));
      }
      scans.add(scan().setCaching(caching).setMaxResultSize(1));
      scans.add(scan().setCaching(caching).setMaxResultSize(700));
      scans.add(scan().setCaching(caching).setAllowPartialResults(true).setMaxResultSize(300));
      scans.add(cells().setCaching(caching).setBatch(1));
      scans.add(wholeRows().setCaching(caching));
    }
    scans.add(scan().setReadType(Scan.ReadType.PREAD));
    scans.add(scan().setReadType(Scan.ReadType.STREAM));
    scans.add(scan().withStartRow(row(101), false).withStopRow(row(305), true));
    scans.add(scan().withStartRow(row(101), true).withStopRow(row(305), false));
    scans.add(scan().setCacheBlocks(false));
    for (Scan scan : scans) {
      ScannedTable.Answer indexed = table.answer(scan);
      assertThat(indexed.cells()).as("%s", scan).isEqualTo(table.plainAnswer(scan).cells());
      assertThat(indexed.counted().get(IndexCounter.SCANS_JUMPED)).as("%s", scan).isPositive();
      assertThat(indexed.counted().plain()).as("%s", scan).isEmpty();
    }
  }

  @Test
  void regionMoves_inTheMiddleOfAScan_nothingIsLostOrRepeated() throws IOException {
    List<String> expected = rowsOf(ScanMechanicsIT.scan());
    List<String> seen = new ArrayList<>();
    try (ResultScanner scanner = table.table().getScanner(scan().setCaching(3))) {
      for (Result result = scanner.next(); result != null; result = scanner.next()) {
        seen.add(Bytes.toString(result.getRow()));
        if (seen.size() == 20) {
          moveAway(table.regions().get(0));
        }
        if (seen.size() == 70) {
          moveAway(table.regions().get(1));
        }
      }
    }
    assertThat(seen).isEqualTo(expected).hasSize(ROWS / 4);
  }

  @Test
  void regionSplits_inTheMiddleOfAScan_nothingIsLostOrRepeated() throws IOException {
    List<String> expected = rowsOf(scan());
    List<String> seen = new ArrayList<>();
    try (ResultScanner scanner = table.table().getScanner(scan().setCaching(3))) {
      for (Result result = scanner.next(); result != null; result = scanner.next()) {
        seen.add(Bytes.toString(result.getRow()));
        if (seen.size() == 20) {
          cluster.regions().split(table.regions().get(0), row(120));
        }
      }
    }
    assertThat(seen).isEqualTo(expected);
  }

  @Test
  void writesAfterTheScannerOpened_areSeenAsByThePlainScanner() throws IOException {
    Scan onlyFirst = scan().setCaching(1).withStopRow(row(200));
    Scan plainScan = new Scan(onlyFirst);
    plainScan.setAttribute(IndexSettings.SCAN_USE_INDEX, Bytes.toBytes("false"));
    List<String> indexed = new ArrayList<>();
    List<String> plain = new ArrayList<>();
    try (ResultScanner jumping = table.table().getScanner(onlyFirst);
        ResultScanner walking = table.table().getScanner(plainScan)) {
      indexed.add(Bytes.toString(jumping.next().getRow()));
      plain.add(Bytes.toString(walking.next().getRow()));
      // Rows that matched cease to, others begin to; then everything goes to disk and is rewritten.
      for (int i = 20; i < 200; i++) {
        table.table().put(new Put(row(i)).addColumn(F, A, Bytes.toBytes("v" + (i + 1) % 4)));
        if (i % 10 == 0) {
          table.table().delete(new Delete(row(i + 1)));
        }
      }
      table.flush();
      table.majorCompact();
      jumping.forEach(result -> indexed.add(Bytes.toString(result.getRow())));
      walking.forEach(result -> plain.add(Bytes.toString(result.getRow())));
    }
    assertThat(indexed).isEqualTo(plain).hasSize(50);
  }

  /** What makes HBase send heartbeats and partial results, in every single call. */
  @Test
  void timeOrSizeLimit_reachedInEveryCall_losesNothing()
      throws IOException, ReflectiveOperationException {
    ScannerContext.Builder time =
        ScannerContext.newBuilder().setTimeLimit(LimitScope.BETWEEN_ROWS, 1);
    ScannerContext.Builder size = leastSizes();
    for (Scan scan : List.of(scan(), cells(), wholeRows())) {
      assertSameUnder(time, scan);
      assertSameUnder(size, scan);
    }
    // Filters that judge whole rows do not go with a batch, for HBase itself.
    assertSameUnder(ScannerContext.newBuilder().setBatchLimit(1), cells());
  }

  /** Limits of one byte. HBase knows two sizes up to 2.5, and a third one from 2.6 on. */
  private static ScannerContext.Builder leastSizes() throws ReflectiveOperationException {
    ScannerContext.Builder builder = ScannerContext.newBuilder();
    Method setter =
        Stream.of(ScannerContext.Builder.class.getMethods())
            .filter(method -> method.getName().equals("setSizeLimit"))
            .findFirst()
            .orElseThrow();
    Object[] arguments = new Object[setter.getParameterCount()];
    Arrays.fill(arguments, 1L);
    arguments[0] = LimitScope.BETWEEN_CELLS;
    setter.invoke(builder, arguments);
    return builder;
  }

  private void assertSameUnder(ScannerContext.Builder limits, Scan scan) throws IOException {
    Scan plain = new Scan(scan);
    plain.setAttribute(IndexSettings.SCAN_USE_INDEX, Bytes.toBytes("false"));
    IndexCounters before = IndexCounters.of(table.name());
    List<String> indexed = drain(scan, limits);
    assertThat(IndexCounters.of(table.name()).since(before).get(IndexCounter.SCANS_JUMPED))
        .isEqualTo(1);
    assertThat(indexed)
        .as("%s under %s", scan.getFilter(), limits.build())
        .isEqualTo(drain(plain, limits))
        .isNotEmpty();
  }

  /** Opens a scanner as a region server does, and reads it to the end under the given limits. */
  private List<String> drain(Scan scan, ScannerContext.Builder limits) throws IOException {
    HRegion region = cluster.regions().online(table.regions().get(0));
    Scan opened = new Scan(scan).addFamily(F);
    region.getCoprocessorHost().preScannerOpen(opened);
    List<String> cells = new ArrayList<>();
    try (RegionScanner scanner =
        region.getCoprocessorHost().postScannerOpen(opened, region.getScanner(opened))) {
      List<Cell> values = new ArrayList<>();
      boolean more = true;
      while (more) {
        more = scanner.nextRaw(values, limits.build());
        values.forEach(value -> cells.add(CellUtil.getCellKeyAsString(value)));
        values.clear();
      }
    }
    return cells;
  }

  @Test
  void denseCandidates_endTheJumpsAndNothingIsLost() throws IOException {
    setOnServers(IndexSettings.SCAN_CUT_OFF_AFTER, "16");
    try {
      Scan everything =
          new Scan()
              .setFilter(any(is("f:a", "v0"), is("f:a", "v1"), is("f:a", "v2"), is("f:a", "v3")));
      ScannedTable.Answer answer = table.answer(everything);
      assertThat(answer.counted().get(IndexCounter.CUT_OFF_DENSE))
          .as("both regions; %s", answer.counted())
          .isEqualTo(2);
      assertThat(answer.counted().get(IndexCounter.POSTINGS_READ)).isLessThan(ROWS);
      assertThat(answer.cells()).isEqualTo(table.plainAnswer(everything).cells());

      ScannedTable.Answer sparse = table.answer(scan());
      assertThat(sparse.counted().get(IndexCounter.SCANS_CUT_OFF))
          .as("one row of four; %s", sparse.counted())
          .isZero();
      assertThat(sparse.counted().get(IndexCounter.ROWS_READ))
          .as("probes cost few rows")
          .isBetween(ROWS / 4L, ROWS / 4L + 10);
    } finally {
      setOnServers(IndexSettings.SCAN_CUT_OFF_AFTER, "256");
    }
  }

  @Test
  void staleCandidates_endTheJumpsAndAreCleanedUp() throws IOException {
    List<Put> overwrites = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      String value = i % 50 == 49 ? "old" : "new";
      overwrites.add(new Put(row(i)).addColumn(F, Bytes.toBytes("lazy"), Bytes.toBytes(value)));
    }
    table.table().put(overwrites);
    setOnServers(IndexSettings.SCAN_CUT_OFF_AFTER, "128");
    try {
      Scan old = new Scan().setFilter(is("f:lazy", "old"));
      IndexCounters before = IndexCounters.of(table.name());
      ScannedTable.Answer answer = table.answer(old);
      assertThat(answer.counted().get(IndexCounter.CUT_OFF_STALE))
          .as("both regions; %s", answer.counted())
          .isEqualTo(2);
      assertThat(answer.cells()).isEqualTo(table.plainAnswer(old).cells());
      assertThat(answer.rows()).isEqualTo(ROWS / 50);
      assertThat(answer.counted().get(IndexCounter.STALE_QUEUED)).isPositive();
      // While an overwritten value is still stored, its posting must stay; a flush drops it.
      table.flush();
      Waits.until("stale postings marked dead")
          .until(
              () -> {
                table.answer(old);
                return IndexCounters.of(table.name()).since(before).get(IndexCounter.STALE_ENDED)
                    > 0;
              });
      assertThat(table.answer(old).cells()).isEqualTo(table.plainAnswer(old).cells());
    } finally {
      setOnServers(IndexSettings.SCAN_CUT_OFF_AFTER, "256");
    }
  }

  private static Scan scan() {
    return new Scan().setFilter(is("f:a", "v1"));
  }

  private static Scan cells() {
    return new Scan()
        .setFilter(
            any(
                cell("f:a", CompareOperator.EQUAL, "v1"),
                cell("f:a", CompareOperator.GREATER, "v2")));
  }

  private static Scan wholeRows() {
    return new Scan().setFilter(all(is("f:a", "v1"), is("f:lazy", "old")));
  }

  private List<String> rowsOf(Scan scan) throws IOException {
    List<String> rows = new ArrayList<>();
    try (ResultScanner scanner = table.table().getScanner(scan)) {
      scanner.forEach(result -> rows.add(Bytes.toString(result.getRow())));
    }
    return rows;
  }

  private void moveAway(RegionInfo region) throws IOException {
    ServerName source = cluster.regions().serverOf(region);
    for (RegionServerThread thread : cluster.mini().getLiveRegionServerThreads()) {
      if (!thread.getRegionServer().getServerName().equals(source)) {
        cluster.regions().move(region, thread.getRegionServer().getServerName());
        return;
      }
    }
  }

  private void setOnServers(String key, String value) {
    for (RegionServerThread server : cluster.mini().getRegionServerThreads()) {
      server.getRegionServer().getConfiguration().set(key, value);
    }
  }

  private static byte[] row(int i) {
    return Bytes.toBytes("r%03d".formatted(i));
  }
}
