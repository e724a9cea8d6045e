/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.scan;

import static io.hbaseindex.it.scan.Filters.all;
import static io.hbaseindex.it.scan.Filters.is;
import static io.hbaseindex.it.scan.Filters.startsWith;
import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.client.admin.RegionIndexAdmin;
import io.hbaseindex.client.admin.RegionStatus;
import io.hbaseindex.common.query.PlainScanReason;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.IsolationLevel;
import org.apache.hadoop.hbase.client.PackagePrivateFieldAccessor;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Every reason for which a scan runs plainly: it is counted, and the answer is the same. */
@OnSharedCluster
class PlainScansIT {
  private static final Filter SERVED = is("f:a", "v1");
  private static final int ROWS = 30;

  private static TestCluster cluster;
  private static ScannedTable table;

  @BeforeAll
  static void createTable(TestCluster shared) throws IOException {
    cluster = shared;
    table = create(descriptor().build());
  }

  @AfterAll
  static void dropTable() throws IOException {
    table.close();
  }

  @Test
  void servedScan_jumps() throws IOException {
    ScannedTable.Answer answer = table.answer(new Scan().setFilter(SERVED));
    assertThat(answer.counted().get(IndexCounter.SCANS_JUMPED)).isEqualTo(2);
    assertThat(answer.counted().plain()).isEmpty();
    assertThat(answer.rows()).isEqualTo(ROWS / 3);
    assertThat(answer.cells()).isEqualTo(table.plainAnswer(new Scan().setFilter(SERVED)).cells());
  }

  @Test
  void r1r2_scansThatPostingsCannotServe_runPlain() throws IOException {
    assertPlain(PlainScanReason.NO_CONDITION, new Scan());
    assertPlain(PlainScanReason.RAW_SCAN, scan().setRaw(true));
    assertPlain(
        PlainScanReason.UNCOMMITTED_READ,
        (Scan) scan().setIsolationLevel(IsolationLevel.READ_UNCOMMITTED));
    assertPlain(
        PlainScanReason.REVERSED_SCAN,
        scan().setLoadColumnFamiliesOnDemand(false).setReversed(true));
    assertPlain(PlainScanReason.TIME_RANGE, scan().setTimeRange(0, Long.MAX_VALUE - 1));
    assertPlain(
        PlainScanReason.OLDER_VERSIONS,
        new Scan().setFilter(Filters.cell("g:c", CompareOperator.EQUAL, "v1")));
    assertPlain(
        PlainScanReason.UNKNOWN_FILTER, new Scan().setFilter(all(SERVED, new PageFilter(3))));
    assertPlain(PlainScanReason.NO_INDEX, new Scan().setFilter(is("f:d", "v1")));
  }

  @Test
  void scanOfOneRow_runsPlain() throws IOException {
    byte[] row = Bytes.toBytes("r01");
    ScannedTable.Answer answer =
        table.answer(scan().withStartRow(row, true).withStopRow(row, true));
    assertThat(answer.counted().plain()).isEqualTo(Map.of(PlainScanReason.SINGLE_ROW, 1L));
    assertThat(answer.rows()).isEqualTo(1);
  }

  @Test
  void scanAttribute_switchesTheIndexOff() throws IOException {
    Scan scan = scan();
    scan.setAttribute(IndexSettings.SCAN_USE_INDEX, Bytes.toBytes("false"));
    assertPlain(PlainScanReason.SWITCHED_OFF_FOR_SCAN, scan);
  }

  @Test
  void configuration_changedWhileServersRun_switchesTheIndexOffAndOn() throws IOException {
    setOnServers(IndexSettings.SCANS_ENABLED, "false");
    try {
      assertPlain(PlainScanReason.SWITCHED_OFF_BY_CONFIGURATION, scan());
    } finally {
      setOnServers(IndexSettings.SCANS_ENABLED, "true");
    }
    servedScan_jumps();
  }

  /** A client that comes back after a failure names the read point it had, and so does the test. */
  @Test
  void r2_scannerThatResumesAtAnOldReadPoint_runsPlain() throws IOException {
    HRegion region = cluster.regions().online(table.regions().get(0));
    long current = region.getReadPoint(IsolationLevel.READ_COMMITTED);
    assertThat(reasonsToOpen(region, current - 1))
        .isEqualTo(Map.of(PlainScanReason.OLD_READ_POINT, 1L));
    assertThat(reasonsToOpen(region, current)).as("nothing has happened since").isEmpty();
  }

  private static Map<PlainScanReason, Long> reasonsToOpen(HRegion region, long readPoint)
      throws IOException {
    IndexCounters before = IndexCounters.of(table.name());
    Scan scan = scan().addFamily(Bytes.toBytes("f"));
    PackagePrivateFieldAccessor.setMvccReadPoint(scan, readPoint);
    region.getCoprocessorHost().preScannerOpen(scan);
    return IndexCounters.of(table.name()).since(before).plain();
  }

  @Test
  void scanThatCannotBePlanned_runsPlainWithItsOwnFilter() throws IOException {
    SingleColumnValueFilter broken =
        new SingleColumnValueFilter(
            Bytes.toBytes("f"),
            Bytes.toBytes("a"),
            CompareOperator.EQUAL,
            new BinaryComparator(null));
    broken.setFilterIfMissing(true);
    Scan scan = new Scan().setFilter(broken).addFamily(Bytes.toBytes("f"));
    IndexCounters before = IndexCounters.of(table.name());

    cluster.regions().online(table.regions().get(0)).getCoprocessorHost().preScannerOpen(scan);

    assertThat(IndexCounters.of(table.name()).since(before).plain())
        .isEqualTo(Map.of(PlainScanReason.PLANNING_FAILED, 1L));
    assertThat(scan.getFilter()).isSameAs(broken);
  }

  @Test
  void rangeWithTooManyPostings_runsPlain() throws IOException {
    setOnServers(IndexSettings.SCAN_MAX_SORTED_POSTINGS, "5");
    try {
      assertPlain(
          PlainScanReason.TOO_MANY_CANDIDATES, new Scan().setFilter(startsWith("f:a", "v")));
      ScannedTable.Answer both =
          table.answer(new Scan().setFilter(all(SERVED, startsWith("f:b", "w"))));
      assertThat(both.counted().get(IndexCounter.SCANS_JUMPED))
          .as("the equality beside such a range is still used")
          .isEqualTo(2);
    } finally {
      setOnServers(IndexSettings.SCAN_MAX_SORTED_POSTINGS, "50000");
    }
  }

  @Test
  void scannerWrappedByAnotherCoprocessor_runsPlain() throws IOException {
    TableDescriptorBuilder wrapped = descriptor().setCoprocessor(WrappingObserver.class.getName());
    try (ScannedTable other = create(wrapped.build())) {
      assertPlain(other, PlainScanReason.FOREIGN_SCANNER, scan());
    }
  }

  /** Between r15 and r15 with a zero byte there is no room for index rows. */
  @Test
  void regionWithoutRoomForPostings_runsPlainAlone() throws IOException {
    try (ScannedTable narrow = create(descriptor().build(), "r15", "r15\0")) {
      narrow.awaitJumping(SERVED, 2);
      ScannedTable.Answer answer = narrow.answer(scan());
      assertThat(answer.counted().plain())
          .isEqualTo(Map.of(PlainScanReason.REGION_NOT_INDEXED, 1L));
      assertThat(answer.cells()).isEqualTo(narrow.plainAnswer(scan()).cells());
      assertThat(answer.rows()).isEqualTo(ROWS / 3);
    }
  }

  /** Even if it is ready again: its new postings lie above the scanner's read point. */
  @Test
  void indexRebuiltWhileTheScannerOpens_isNotUsed() throws IOException {
    HRegion region = cluster.regions().online(table.regions().get(0));
    Scan scan = scan().addFamily(Bytes.toBytes("f"));
    region.getCoprocessorHost().preScannerOpen(scan);
    IndexCounters before;
    try (RegionScanner opened = region.getScanner(scan)) {
      new RegionIndexAdmin(cluster.connection()).rebuild(table.name());
      table.awaitJumping(SERVED);
      before = IndexCounters.of(table.name());
      RegionScanner scanner = region.getCoprocessorHost().postScannerOpen(scan, opened);
      List<Cell> cells = new ArrayList<>();
      scanner.nextRaw(cells);
      assertThat(cells).isNotEmpty();
    }
    assertThat(IndexCounters.of(table.name()).since(before).plain())
        .isEqualTo(Map.of(PlainScanReason.INDEX_NOT_READY, 1L));
  }

  @Test
  void postingsThatCannotBeRead_runPlain() throws IOException {
    TableDescriptorBuilder failing = descriptor().setCoprocessor(FailingPostings.class.getName());
    try (ScannedTable other = create(failing.build())) {
      FailingPostings.FAILING.set(true);
      assertPlain(other, PlainScanReason.INDEX_READ_FAILED, scan());
    } finally {
      FailingPostings.FAILING.set(false);
    }
  }

  private static void assertPlain(PlainScanReason reason, Scan scan) throws IOException {
    assertPlain(table, reason, scan);
  }

  private static void assertPlain(ScannedTable table, PlainScanReason reason, Scan scan)
      throws IOException {
    ScannedTable.Answer answer = table.answer(scan);
    assertThat(answer.counted().plain()).as("%s", scan.getFilter()).isEqualTo(Map.of(reason, 2L));
    assertThat(answer.counted().get(IndexCounter.SCANS_JUMPED)).isZero();
    assertThat(answer.cells()).isEqualTo(table.plainAnswer(scan).cells()).isNotEmpty();
  }

  private static Scan scan() {
    return new Scan().setFilter(SERVED);
  }

  private static void setOnServers(String key, String value) throws IOException {
    for (RegionServerThread server : cluster.mini().getRegionServerThreads()) {
      server.getRegionServer().getConfiguration().set(key, value);
    }
    cluster.admin().updateConfiguration();
  }

  private static TableDescriptorBuilder descriptor() {
    return TableDescriptorBuilder.newBuilder(TestTables.uniqueName("plain_scans"))
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
        .setColumnFamily(
            ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("g")).setMaxVersions(3).build());
  }

  private static ScannedTable create(TableDescriptor descriptor) throws IOException {
    ScannedTable created = create(descriptor, "r15");
    RegionIndexAdmin regions = new RegionIndexAdmin(cluster.connection());
    Waits.until(created.name() + " ready")
        .until(() -> regions.status(created.name()).stream().allMatch(RegionStatus::isSettled));
    return created;
  }

  private static ScannedTable create(TableDescriptor descriptor, String... splits)
      throws IOException {
    ScannedTable created =
        ScannedTable.create(
            cluster,
            IndexedTableDescriptor.with(
                descriptor,
                IndexDefinition.on("f", "a").named("a").eager(),
                IndexDefinition.on("f", "b").named("b").eager(),
                IndexDefinition.on("g", "c").named("c").eager()),
            splits);
    for (int i = 0; i < ROWS; i++) {
      Put put = new Put(Bytes.toBytes("r%02d".formatted(i)));
      put.addColumn(Bytes.toBytes("f"), Bytes.toBytes("a"), Bytes.toBytes("v" + i % 3));
      put.addColumn(Bytes.toBytes("f"), Bytes.toBytes("b"), Bytes.toBytes("w" + i % 3));
      put.addColumn(Bytes.toBytes("f"), Bytes.toBytes("d"), Bytes.toBytes("v" + i % 3));
      put.addColumn(Bytes.toBytes("g"), Bytes.toBytes("c"), Bytes.toBytes("v" + i % 3));
      created.table().put(put);
    }
    return created;
  }
}
