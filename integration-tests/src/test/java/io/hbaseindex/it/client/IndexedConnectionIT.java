/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.client.IndexedConnection;
import io.hbaseindex.client.routing.RoutePlan;
import io.hbaseindex.client.routing.RoutingCounter;
import io.hbaseindex.client.routing.RoutingSettings;
import io.hbaseindex.client.routing.UnroutedReason;
import io.hbaseindex.core.definition.IndexFamily;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** A connection that routes: fewer regions, the same answers and errors as HBase's own. */
@OnSharedCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class IndexedConnectionIT {
  private TestCluster cluster;
  private PeopleTable people;
  private IndexedConnection connection;

  @BeforeAll
  void setUp(TestCluster shared) throws Exception {
    cluster = shared;
    people = PeopleTable.create(cluster);
    Configuration conf = patient(cluster.configuration());
    connection = IndexedConnection.wrap(ConnectionFactory.createConnection(conf));
    people.awaitPrecise(connection.routing());
  }

  @AfterAll
  void tearDown() throws IOException {
    connection.close();
    people.close();
  }

  /** A table for a test that changes it. */
  private PeopleTable ownTable() throws Exception {
    PeopleTable table = PeopleTable.create(cluster);
    table.awaitPrecise(connection.routing());
    return table;
  }

  /** A loaded machine may be slow to answer; that is no reason to scan everything in a test. */
  private static Configuration patient(Configuration conf) {
    Configuration patient = new Configuration(conf);
    patient.setLong(RoutingSettings.TIMEOUT_MS, 30_000);
    return patient;
  }

  @Test
  void uniqueValue_isReadFromOneRegion() throws Exception {
    Scan scan = PeopleTable.where("email", "k7@example.org").setScanMetricsEnabled(true);
    try (Table table = connection.getTable(people.name());
        ResultScanner scanner = table.getScanner(scan)) {
      assertThat(scanner.next().getRow()).isEqualTo(Bytes.toBytes("k7"));
      assertThat(scanner.next()).isNull();
      assertThat(scanner.getScanMetrics().countOfRegions.get()).isEqualTo(1);
    }
    assertThat(connection.routing().counters().get(RoutingCounter.FALLBACKS)).isZero();
  }

  @Test
  void absentValue_asksNoRegion() throws Exception {
    long before = people.regionReads();

    assertThat(people.rows(connection, PeopleTable.where("email", "nobody"))).isEmpty();

    assertThat(people.regionReads()).isEqualTo(before);
  }

  @Test
  void valueInManyRegions_comesInRowOrder() throws Exception {
    List<String> expected = IntStream.rangeClosed('a', 'z').mapToObj(c -> (char) c + "3").toList();

    assertThat(people.rows(connection, PeopleTable.where("city", "city3"))).isEqualTo(expected);
  }

  @Test
  void limit_overManyRegions_isKept() throws Exception {
    for (int limit : new int[] {1, 3, 4, 9, 26, 100}) {
      Scan scan = PeopleTable.where("city", "city3").setLimit(limit);

      assertThat(people.rows(connection, scan))
          .as("limit %d", limit)
          .isEqualTo(people.rows(cluster.connection(), scan));
    }
  }

  @Test
  void writeAfterTheScannerWasMade_isSeenAsWithHBasesOwn() throws Exception {
    try (PeopleTable own = ownTable();
        Table table = connection.getTable(own.name());
        ResultScanner scanner = table.getScanner(PeopleTable.where("email", "late"))) {
      table.put(PeopleTable.person("e5", "late", "city5"));

      assertThat(scanner.next().getRow()).isEqualTo(Bytes.toBytes("e5"));
    }
  }

  @Test
  void scannerClosedEarly_givesNothingMore() throws Exception {
    try (Table table = connection.getTable(people.name())) {
      ResultScanner scanner = table.getScanner(PeopleTable.where("city", "city3"));
      assertThat(scanner.next()).isNotNull();
      scanner.close();

      assertThat(scanner.next()).isNull();
    }
  }

  @Test
  // What users of HBase 1 read the figures by still works.
  @SuppressWarnings("deprecation")
  void metrics_areAddedUpAndShownByTheScan() throws Exception {
    Scan scan = PeopleTable.where("city", "city3").setScanMetricsEnabled(true);

    assertThat(people.rows(connection, scan)).hasSize(26);

    assertThat(scan.getScanMetrics().countOfRegions.get()).isEqualTo(PeopleTable.REGIONS);
    assertThat(scan.getScanMetrics().countOfRPCcalls.get())
        .isGreaterThanOrEqualTo(PeopleTable.REGIONS);
  }

  @Test
  void plan_saysWhatIsLookedAtAndWhy() throws Exception {
    RoutePlan unique = plan(PeopleTable.where("email", "k7@example.org"));
    assertThat(unique.isPrecise()).isTrue();
    assertThat(unique.skippedRegions()).isEqualTo(5);
    assertThat(unique.positiveRegions()).isEqualTo(1);
    assertThat(unique.servers()).hasSize(1);
    assertThat(unique.ranges()).hasSize(1);

    assertThat(plan(PeopleTable.where("phone", "1")).unrouted())
        .contains(UnroutedReason.NO_VALUE_FIXED);
    SingleColumnValueFilter above =
        new SingleColumnValueFilter(
            Bytes.toBytes("f"),
            Bytes.toBytes("email"),
            CompareOperator.GREATER,
            Bytes.toBytes("k7@example.org"));
    above.setFilterIfMissing(true);
    Scan range = new Scan().setFilter(above);
    assertThat(plan(range).askedBy()).containsExactly("by_email(f:email) bounds");
    assertThat(plan(new Scan()).unrouted()).contains(UnroutedReason.SCAN_NOT_ELIGIBLE);
  }

  private RoutePlan plan(Scan scan) throws Exception {
    return connection.routing().plan(people.name(), scan).get();
  }

  @Test
  void byConfiguration_withoutAnyCode_routes() throws Exception {
    Configuration conf = patient(cluster.configuration());
    conf.set("hbase.client.connection.impl", IndexedConnection.class.getName());
    long before = people.regionReads();

    try (Connection configured = ConnectionFactory.createConnection(conf)) {
      assertThat(people.rows(configured, PeopleTable.where("email", "nobody"))).isEmpty();
      assertThat(people.regionReads()).isEqualTo(before);
      assertThat(people.rows(configured, PeopleTable.where("email", "a1@example.org")))
          .containsExactly("a1");
      assertThat(configured.getConfiguration()).isSameAs(conf);
      try (Admin admin = configured.getAdmin();
          Table table = configured.getTableBuilder(people.name(), null).build()) {
        assertThat(admin.tableExists(people.name())).isTrue();
        table.put(new Put(Bytes.toBytes("x")).addColumn(PeopleTable.F, null, null));
        assertThat(table.exists(new Get(Bytes.toBytes("x")))).isTrue();
        assertThat(table.getConfiguration()).isSameAs(conf);
      }
    }
  }

  // R3: a scan that is pruned to nothing fails where one that asks every region would.

  @Test
  void pruned_unknownTable_failsAsHBaseDoes() {
    assertThatThrownBy(
            () -> {
              try (Table table = connection.getTable(TableName.valueOf("no_such_table"));
                  ResultScanner scanner = table.getScanner(PeopleTable.where("email", "x"))) {
                scanner.next();
              }
            })
        .isInstanceOf(TableNotFoundException.class);
  }

  @Test
  void pruned_unknownFamily_failsAsHBaseDoes() {
    Scan scan = PeopleTable.where("email", "nobody").addFamily(Bytes.toBytes("no_such_family"));

    assertThatThrownBy(() -> scanOnce(people, scan))
        .isInstanceOf(NoSuchColumnFamilyException.class);
  }

  @Test
  void pruned_hiddenFamily_isRefusedAsByHBasesClient() {
    Scan scan = PeopleTable.where("email", "nobody").addFamily(IndexFamily.bytes());

    assertThatThrownBy(() -> scanOnce(people, scan))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("Cannot read family " + IndexFamily.NAME);
  }

  @Test
  void pruned_familyDroppedSince_failsAsHBaseDoes() throws Exception {
    Admin admin = cluster.admin();
    Scan scan = PeopleTable.where("email", "nobody").addFamily(Bytes.toBytes("g"));
    try (PeopleTable own = PeopleTable.create(cluster)) {
      admin.addColumnFamily(own.name(), ColumnFamilyDescriptorBuilder.of("g"));
      own.awaitPrecise(connection.routing());
      scanOnce(own, scan);
      admin.deleteColumnFamily(own.name(), Bytes.toBytes("g"));
      own.awaitPrecise(connection.routing());

      assertThatThrownBy(() -> scanOnce(own, scan)).isInstanceOf(NoSuchColumnFamilyException.class);
    }
  }

  @Test
  void pruned_disabledTable_failsAsHBaseDoes() throws Exception {
    try (PeopleTable own = ownTable()) {
      cluster.admin().disableTable(own.name());

      assertThatThrownBy(() -> scanOnce(own, PeopleTable.where("email", "nobody")))
          .isInstanceOf(TableNotEnabledException.class);
    }
  }

  private void scanOnce(PeopleTable scanned, Scan scan) throws IOException {
    try (Table table = connection.getTable(scanned.name());
        ResultScanner scanner = table.getScanner(scan)) {
      assertThat(scanner.next()).isNull();
    }
  }

  // R1: what a client may conclude from a filter depends on a descriptor that may have changed.

  @Test
  void versionsRaisedSince_conditionOnOlderVersions_isNotRouted() throws Exception {
    Scan scan = new Scan().setFilter(OlderVersions.cellWith("email", "b2@example.org"));
    try (PeopleTable own = ownTable();
        Table table = cluster.connection().getTable(own.name())) {
      assertThat(connection.routing().plan(own.name(), scan).get().isRouted()).isTrue();
      OlderVersions.keep(cluster.admin(), own.name(), 3);
      own.awaitPrecise(connection.routing());
      table.put(PeopleTable.person("b2", "other", "city2"));

      assertThat(own.rows(connection, scan.readVersions(3))).containsExactly("b2");
    }
  }
}
