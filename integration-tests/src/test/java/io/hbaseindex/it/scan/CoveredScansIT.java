/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.admin.check.CheckReport;
import io.hbaseindex.client.admin.explain.Explanation;
import io.hbaseindex.client.admin.status.Progress;
import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.entry.CarriedCells;
import io.hbaseindex.core.entry.PostingCertainty;
import io.hbaseindex.it.cluster.IndexCounters;
import io.hbaseindex.it.cluster.LoadableFiles;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.index.IndexProbe;
import io.hbaseindex.it.index.SmuggledPosting;
import io.hbaseindex.region.metrics.IndexCounter;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.ColumnValueFilter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueExcludeFilter;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Scans of indexed and included columns come from postings, cell for cell as from rows (A3). */
@OnSharedCluster
class CoveredScansIT {
  private static final byte[] ROW = Bytes.toBytes("r0010");
  private static final byte[] F = CoveredTable.F;
  private static final byte[] G = CoveredTable.G;
  private static final byte[] NAME = CoveredTable.NAME;
  private static final byte[] VISITS = CoveredTable.VISITS;
  private static final byte[] NOTE = CoveredTable.NOTE;

  private CoveredTable people;

  @BeforeEach
  void create(TestCluster cluster) throws IOException {
    people = CoveredTable.create(cluster);
  }

  @AfterEach
  void drop() throws IOException {
    people.close();
  }

  @Test
  void a3_covered_readsNoRow_whateverBecomesOfTheFiles(TestCluster cluster) throws Exception {
    assertThat(people.fromPostings(CoveredTable.inOslo())).isEqualTo(CoveredTable.IN_OSLO);

    cluster.utility().flush(people.name());
    assertThat(people.fromPostings(CoveredTable.inOslo())).isEqualTo(CoveredTable.IN_OSLO);

    cluster.utility().compact(people.name(), true);
    assertThat(people.fromPostings(CoveredTable.inOslo())).isEqualTo(CoveredTable.IN_OSLO);

    cluster.regions().split(people.regions().get(0), Bytes.toBytes("r0100"));
    people.probe().awaitReady();
    assertThat(people.fromPostings(CoveredTable.inOslo())).isEqualTo(CoveredTable.IN_OSLO);
    assertThat(people.probe().check().overstated()).isEmpty();
  }

  @Test
  void a2_everyKindOfMutationOfAnIncludedColumn_shows() throws Exception {
    people.table().put(new Put(ROW).addColumn(F, NAME, 900, Bytes.toBytes("older")));
    assertThat(people.fromPostings(CoveredTable.inOslo())).isEqualTo(CoveredTable.IN_OSLO);

    people.table().put(new Put(ROW).addColumn(F, NAME, 2_000, Bytes.toBytes("newer")));
    people.table().increment(new Increment(ROW).addColumn(F, VISITS, 3));
    people.table().append(new Append(ROW).addColumn(G, NOTE, Bytes.toBytes(" more")));
    assertThat(people.fromPostings(CoveredTable.inOslo())).isEqualTo(CoveredTable.IN_OSLO);

    people
        .table()
        .checkAndMutate(
            CheckAndMutate.newBuilder(ROW)
                .ifEquals(F, NAME, Bytes.toBytes("newer"))
                .build(new Put(ROW).addColumn(F, NAME, 3_000, Bytes.toBytes("checked"))));
    people
        .table()
        .mutateRow(
            RowMutations.of(
                List.of(
                    new Put(ROW).addColumn(G, NOTE, Bytes.toBytes("one of two")),
                    new Delete(ROW).addColumns(F, VISITS))));
    people
        .table()
        .batch(
            List.of(
                new Put(ROW).addColumn(F, NAME, 4_000, Bytes.toBytes("first of a batch")),
                new Put(ROW).addColumn(F, NAME, 4_000, Bytes.toBytes("second of a batch"))),
            new Object[2]);
    assertThat(people.fromPostings(CoveredTable.inOslo())).isEqualTo(CoveredTable.IN_OSLO);

    // What a delete of one version exposes may go with a compaction, so the row is asked.
    people.table().delete(new Delete(ROW).addColumn(F, NAME, 4_000));
    assertThat(people.fromPostings(CoveredTable.inOslo())).isEqualTo(CoveredTable.IN_OSLO - 1);
    people.table().delete(new Delete(ROW).addFamily(G));
    people.table().delete(new Delete(ROW).addColumns(F, NAME, 5_000));
    assertThat(people.fromPostings(CoveredTable.inOslo())).isEqualTo(CoveredTable.IN_OSLO);

    people.table().put(new Put(ROW).addColumn(F, NAME, 4_500, Bytes.toBytes("behind a marker")));
    assertThat(people.fromPostings(CoveredTable.inOslo())).isEqualTo(CoveredTable.IN_OSLO - 1);
    people.table().delete(new Delete(ROW));
    assertThat(people.fromPostings(CoveredTable.inOslo())).isEqualTo(CoveredTable.IN_OSLO - 1);
    assertThat(people.probe().check().overstated()).isEmpty();
  }

  @Test
  void covered_withAConditionOnAnIncludedColumn_readsNoRow() throws Exception {
    Scan scan = CoveredTable.inOslo();
    scan.setFilter(
        new FilterList(scan.getFilter(), CoveredTable.where("name", "name 30").getFilter()));

    assertThat(people.fromPostings(scan)).isEqualTo(1);
  }

  @Test
  void rowThatHasToBeReadAndDoesNotMatch_leavesTheOthersToThePostings() throws Exception {
    people.table().put(new Put(ROW).addColumn(F, NAME, 2_000, new byte[5_000]));
    Scan scan = CoveredTable.inOslo();
    scan.setFilter(
        new FilterList(scan.getFilter(), CoveredTable.where("name", "name 120").getFilter()));

    List<String> plain = people.cells(IndexProbe.withoutIndex(scan));
    IndexCounters before = people.counters();
    assertThat(people.cells(scan)).isNotEmpty().isEqualTo(plain);
    assertThat(people.counters().since(before).get(IndexCounter.ROWS_READ))
        .as("the row that carries nothing, and the match behind it")
        .isLessThanOrEqualTo(2);
  }

  /** A stop row so long that no posting can have it in its key. */
  @Test
  void stopRowOfTheGreatestLength_endsTheRowsFromPostings() throws Exception {
    byte[] stop = Arrays.copyOf(CoveredTable.row(100), Short.MAX_VALUE);
    Arrays.fill(stop, CoveredTable.row(100).length, stop.length, (byte) 0xFF);

    assertThat(people.fromPostings(CoveredTable.inOslo().withStopRow(stop))).isEqualTo(11);
  }

  @Test
  void a3_scansThatWantMoreThanPostingsCarry_readRows() throws Exception {
    Scan moreColumns = CoveredTable.inOslo().addColumn(F, Bytes.toBytes("other"));
    Scan family = CoveredTable.where("city", "Oslo").addFamily(F);
    Scan versions = CoveredTable.inOslo().readVersions(3);
    Scan timeRange = CoveredTable.inOslo().setTimeRange(500, Long.MAX_VALUE);
    Scan offset = CoveredTable.inOslo().setRowOffsetPerColumnFamily(1);
    BinaryComparator oslo = new BinaryComparator(Bytes.toBytes("Oslo"));
    byte[] city = CoveredTable.CITY;
    Scan cells = CoveredTable.inOslo();
    cells.setFilter(new ColumnValueFilter(F, city, CompareOperator.EQUAL, oslo));
    Scan without = CoveredTable.inOslo();
    SingleColumnValueExcludeFilter excluding =
        new SingleColumnValueExcludeFilter(F, city, CompareOperator.EQUAL, oslo);
    excluding.setFilterIfMissing(true);
    without.setFilter(excluding);
    Scan keys = CoveredTable.inOslo();
    keys.setFilter(new FilterList(keys.getFilter(), new KeyOnlyFilter()));
    Scan page = CoveredTable.inOslo();
    page.setFilter(new FilterList(page.getFilter(), new PageFilter(2)));

    for (Scan scan :
        List.of(moreColumns, family, versions, timeRange, offset, cells, without, keys, page)) {
      assertThat(people.fromPostings(scan)).as("%s", scan).isZero();
    }
  }

  @Test
  void included_changed_buildsAnew(TestCluster cluster) throws Exception {
    IndexAdmin admin = IndexAdmin.of(cluster.connection());
    Scan other = CoveredTable.where("city", "Oslo");
    other.addColumn(F, CoveredTable.CITY).addColumn(F, Bytes.toBytes("other"));
    assertThat(people.fromPostings(other)).isZero();

    admin.create(
        people.name(),
        IndexDefinition.on("f", "city").including("f:other").named("by_city").eager());
    assertThat(people.fromPostings(other)).isNotNegative();
    admin.awaitReady(people.name(), Duration.ofMinutes(2), Progress.NONE);

    assertThat(people.fromPostings(other)).isEqualTo(CoveredTable.IN_OSLO);
    assertThat(people.fromPostings(CoveredTable.inOslo())).isZero();
    IndexDefinition index = people.probe().index("by_city");
    assertThat(index.version()).isEqualTo(2);
    assertThat(index.included()).containsExactly(ColumnRef.parse("f:other"));
    // Typed again without included columns, as in a script, it keeps those that it has.
    assertThat(
            admin.create(people.name(), IndexDefinition.on("f", "city").named("by_city").eager()))
        .isFalse();
  }

  @Test
  void p9_bulkLoadOfAnIncludedFamily_shows(TestCluster cluster) throws Exception {
    long later = System.currentTimeMillis() + 100_000;
    KeyValue loaded = new KeyValue(ROW, G, NOTE, later, Bytes.toBytes("loaded"));
    Path files = new Path(cluster.utility().getDataTestDirOnTestFS(), "covered");
    LoadableFiles.write(cluster, files, List.of(loaded));
    BulkLoadHFiles.create(cluster.configuration()).bulkLoad(people.name(), files);
    assertThat(people.fromPostings(CoveredTable.inOslo())).isNotNegative();
    people.probe().awaitReady();

    assertThat(people.fromPostings(CoveredTable.inOslo())).isEqualTo(CoveredTable.IN_OSLO);
  }

  /** Right of the row's city, and wrong of its name. */
  @Test
  void a2_cellsThatTheRowDoesNotShow_areFoundAndRepaired(TestCluster cluster) throws Exception {
    CarriedCells.Cell wrong = new CarriedCells.Cell(1_000, Bytes.toBytes("wrong"));
    SmuggledPosting.put(
        cluster,
        people.name(),
        people.regions().get(0),
        "by_city",
        "Oslo",
        Bytes.toString(ROW),
        PostingCertainty.live(
            PostingCertainty.UNTIL_WRITTEN,
            new CarriedCells(
                PostingCertainty.UNTIL_WRITTEN,
                List.of(1_010L),
                Arrays.asList(wrong, null, null))));

    CheckReport found = IndexAdmin.of(cluster.connection()).repair(people.name(), Progress.NONE);
    assertThat(found.overstated()).isEqualTo(1);
    assertThat(found.repaired()).isEqualTo(1);
    assertThat(people.fromPostings(CoveredTable.inOslo())).isEqualTo(CoveredTable.IN_OSLO);
  }

  @Test
  void value_longerThanIsCarried_isRead() throws Exception {
    people.table().put(new Put(ROW).addColumn(G, NOTE, new byte[CarriedCells.MAX_BYTES + 1]));

    assertThat(people.fromPostings(CoveredTable.inOslo())).isEqualTo(CoveredTable.IN_OSLO - 1);
  }

  @Test
  void p6_cellTtlOnAnIncludedColumn_isRefused() {
    Put mortal = new Put(ROW).addColumn(F, NAME, Bytes.toBytes("short")).setTTL(60_000);

    assertThatThrownBy(() -> people.table().put(mortal))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("it concerns column f:name, which index ")
        .hasMessageContaining(" includes, and has a TTL of its own");
  }

  /** Cells that were not read count towards the size of an answer like any others. */
  @Test
  void covered_resultSize_bounded() throws Exception {
    Scan scan = CoveredTable.inOslo().setMaxResultSize(500).setScanMetricsEnabled(true);
    int rows = 0;
    try (ResultScanner scanner = people.table().getScanner(scan)) {
      while (scanner.next() != null) {
        rows++;
      }
      assertThat(rows).isEqualTo(CoveredTable.IN_OSLO);
      assertThat(scanner.getScanMetrics().countOfRPCcalls.get())
          .isGreaterThanOrEqualTo(CoveredTable.IN_OSLO / 5);
    }
  }

  @Test
  void explain_saysThatRowsCameFromPostings(TestCluster cluster) throws Exception {
    Explanation explanation =
        IndexAdmin.of(cluster.connection()).explain(people.name(), CoveredTable.inOslo());

    assertThat(explanation.rows()).isEqualTo(CoveredTable.IN_OSLO);
    assertThat(explanation.counted(IndexCounter.ROWS_FROM_POSTINGS.metricName()))
        .isEqualTo(CoveredTable.IN_OSLO);
    assertThat(explanation.visits())
        .allSatisfy(
            visit -> assertThat(visit.plan()).isEqualTo("lookup by_city, rows from postings"));
  }

  /** A resumed scan, and one that is compared with what it was, read the same cells. */
  @Test
  void covered_openWhileRowsChange_staysAtItsReadPoint() throws Exception {
    List<String> before = people.cells(IndexProbe.withoutIndex(CoveredTable.inOslo()));
    Scan slow = CoveredTable.inOslo().setCaching(1).setLimit(CoveredTable.IN_OSLO);
    try (ResultScanner scanner = people.table().getScanner(slow)) {
      List<String> read = CoveredTable.text(scanner.next());
      for (int i = 0; i < CoveredTable.ROWS; i += 10) {
        people.table().put(new Put(CoveredTable.row(i)).addColumn(F, NAME, Bytes.toBytes("new")));
      }
      scanner.forEach(result -> read.addAll(CoveredTable.text(result)));
      List<String> oneRegion = before.stream().filter(cell -> cell.compareTo("r0150") < 0).toList();
      assertThat(read.stream().filter(cell -> cell.compareTo("r0150") < 0).toList())
          .isEqualTo(oneRegion);
    }
  }
}
