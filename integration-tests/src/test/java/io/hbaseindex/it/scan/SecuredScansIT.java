/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.scan;

import static io.hbaseindex.it.scan.Filters.is;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.admin.status.Progress;
import io.hbaseindex.client.query.Column;
import io.hbaseindex.client.query.FoundRow;
import io.hbaseindex.client.query.FoundRows;
import io.hbaseindex.client.query.IndexQuery;
import io.hbaseindex.client.query.QueryClient;
import io.hbaseindex.common.query.CountedRows;
import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.it.cluster.IndexCounters;
import io.hbaseindex.it.cluster.SecuredCluster;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.TestTables;
import io.hbaseindex.it.index.IndexProbe;
import io.hbaseindex.region.metrics.IndexCounter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ClusterConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.visibility.Authorizations;
import org.apache.hadoop.hbase.security.visibility.CellVisibility;
import org.apache.hadoop.hbase.security.visibility.VisibilityClient;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ClientService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a user must not read is not to be had through an index either. */
@Tag("cluster")
class SecuredScansIT {
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] CITY = Bytes.toBytes("city");
  private static final byte[] NOTE = Bytes.toBytes("note");
  private static final String SECRET = "secret";

  private static SecuredCluster secured;
  private static TestCluster cluster;
  private static TableName table;
  private static TableName versioned;

  @BeforeAll
  static void startCluster() throws Throwable {
    secured = SecuredCluster.startWithCellSecurity();
    cluster = secured.cluster();
    VisibilityClient.addLabels(cluster.connection(), new String[] {SECRET});
    VisibilityClient.setAuths(cluster.connection(), new String[] {SECRET}, "carol");
    table = create(1);
    versioned = create(3);
    secured.grant("carol", table, null, null, Permission.Action.READ);
    secured.grant("dave", table, null, null, Permission.Action.READ);
    secured.grant("erin", table, null, null, Permission.Action.ADMIN);
  }

  private static TableName create(int versions) throws IOException {
    TableName name = TestTables.uniqueName("secured");
    cluster
        .tables()
        .create(
            IndexedTableDescriptor.with(
                TableDescriptorBuilder.newBuilder(name)
                    .setColumnFamily(
                        ColumnFamilyDescriptorBuilder.newBuilder(F)
                            .setMaxVersions(versions)
                            .build())
                    .build(),
                IndexDefinition.on("f", "city").including("f:note").named("by_city").eager()));
    new IndexProbe(cluster, name).awaitReady();
    return name;
  }

  @AfterAll
  static void stopCluster() throws IOException {
    secured.close();
  }

  @Test
  void cellsOfOthers_areNotFoundThroughTheIndex() throws Exception {
    put(table, city("for alice", "Oslo").setACL("alice", new Permission(Permission.Action.READ)));
    put(table, city("for bob", "Oslo").setACL("bob", new Permission(Permission.Action.READ)));
    put(table, city("for nobody", "Oslo"));

    assertThat(find("alice", table, "Oslo")).containsExactly("for alice");
    assertThat(find("bob", table, "Oslo")).containsExactly("for bob");
    assertThat(find("mallory", table, "Oslo")).isEmpty();
  }

  @Test
  void counts_underCellPermissions_areThoseOfTheRowsThatTheUserSees() throws Exception {
    put(table, city("count alice", "Graz").setACL("alice", new Permission(Permission.Action.READ)));
    put(table, city("count bob", "Graz").setACL("bob", new Permission(Permission.Action.READ)));
    Put labelled = city("count labelled", "Graz");
    labelled.setCellVisibility(new CellVisibility(SECRET));
    put(table, labelled);

    IndexCounters before = IndexCounters.of(table);
    assertThat(count("alice", "Graz")).isEqualTo(1);
    assertThat(count("mallory", "Graz")).isZero();
    assertThat(count("carol", "Graz")).isEqualTo(3);
    assertThat(count("dave", "Graz")).isEqualTo(2);
    IndexCounters counted = IndexCounters.of(table).since(before);
    assertThat(counted.get(IndexCounter.SCANS_COUNTED)).isPositive();
    assertThat(counted.get(IndexCounter.COUNTED_BY_POSTINGS)).isZero();
  }

  @Test
  void order_underCellPermissions_isThatOfTheRowsThatTheUserSees() throws Exception {
    for (int i = 0; i < 12; i++) {
      String user = i % 3 == 0 ? "alice" : "bob";
      Put put = city("order %02d".formatted(i), "Ulm %02d".formatted((i * 7) % 12));
      put(table, put.setACL(user, new Permission(Permission.Action.READ)));
    }
    IndexQuery query =
        IndexQuery.from(table)
            .where(Column.of("f", "city").startsWith("Ulm"))
            .select(Column.of("f", "city"))
            .orderBy("f", "city")
            .limit(3);

    IndexCounters before = IndexCounters.of(table);
    // Rows 0, 3, 6 and 9 have the values 0, 9, 6 and 3.
    assertThat(ordered("alice", query)).containsExactly("order 00", "order 09", "order 06");
    assertThat(ordered("mallory", query)).isEmpty();
    IndexCounters counted = IndexCounters.of(table).since(before);
    assertThat(counted.get(IndexCounter.ORDERED_BY_POSTINGS)).isEqualTo(3);
    assertThat(counted.get(IndexCounter.ROWS_FROM_POSTINGS)).isZero();
  }

  private static List<String> ordered(String user, IndexQuery query) throws Exception {
    try (FoundRows rows = QueryClient.of(secured.connectionOf(user)).rows(query)) {
      return rows.stream().map(FoundRow::keyText).toList();
    }
  }

  /** HBase puts filters of its own in front of such scans, and tags on what they hide. */
  @Test
  void covered_underCellPermissions_readsRows() throws Exception {
    put(table, city("covered open", "Brno"));
    put(table, city("covered secret", "Brno"));
    put(table, note("covered open"));
    put(table, note("covered secret").setCellVisibility(new CellVisibility(SECRET)));
    Scan scan = scan("Brno").addColumn(F, CITY).addColumn(F, NOTE);

    IndexCounters before = IndexCounters.of(table);
    assertThat(cells("carol", scan)).hasSize(4).isEqualTo(cells("carol", plain(scan)));
    assertThat(cells("dave", scan)).hasSize(3).isEqualTo(cells("dave", plain(scan)));
    IndexCounters counted = IndexCounters.of(table).since(before);
    assertThat(counted.get(IndexCounter.SCANS_JUMPED)).isPositive();
    assertThat(counted.get(IndexCounter.ROWS_FROM_POSTINGS)).isZero();
    assertThat(new IndexProbe(cluster, table).check().overstated()).isEmpty();
  }

  private static Scan plain(Scan scan) throws IOException {
    return IndexProbe.withoutIndex(scan);
  }

  private static Put note(String row) {
    return new Put(Bytes.toBytes(row)).addColumn(F, NOTE, Bytes.toBytes("note of " + row));
  }

  private static List<String> cells(String user, Scan scan) throws Exception {
    List<String> cells = new ArrayList<>();
    try (Table scanned = secured.connectionOf(user).getTable(table);
        ResultScanner scanner = scanned.getScanner(scan)) {
      scanner.forEach(result -> cells.addAll(CoveredTable.text(result)));
    }
    return cells;
  }

  /** What regions count for a user. */
  private static long count(String user, String city) throws Exception {
    Scan scan = scan(city);
    CountedRows.askFor(scan, Long.MAX_VALUE);
    long rows = 0;
    try (Table scanned = secured.connectionOf(user).getTable(table);
        ResultScanner scanner = scanned.getScanner(scan)) {
      for (Result result : scanner) {
        rows += CountedRows.rowsOf(result);
      }
    }
    return rows;
  }

  @Test
  void valueOverwrittenByOneThatIsSecret_isNotFoundAnyMore() throws Exception {
    put(table, city("moved", "Lima").setACL("alice", new Permission(Permission.Action.READ)));
    assertThat(find("alice", table, "Lima")).containsExactly("moved");
    put(table, city("moved", "Rome"));

    assertThat(find("alice", table, "Lima")).isEmpty();
    assertThat(find("alice", table, "Rome")).isEmpty();
    assertThat(find("dave", table, "Rome")).containsExactly("moved");
  }

  @Test
  void labelledCells_areFoundByWhoHoldsTheLabel() throws Exception {
    put(table, city("open", "Kyiv"));
    Put labelled = city("labelled", "Kyiv");
    labelled.setCellVisibility(new CellVisibility(SECRET));
    put(table, labelled);

    assertThat(find("carol", table, "Kyiv")).containsExactly("labelled", "open");
    assertThat(find("dave", table, "Kyiv")).containsExactly("open");
  }

  /** HBase's delete markers spare puts whose visibility expression is not their own. */
  @Test
  void labelledCellsUnderAPlainDelete_areStillFound() throws Exception {
    Put labelled = city("spared", "Bern");
    labelled.setCellVisibility(new CellVisibility(SECRET));
    put(table, labelled);
    try (Table written = cluster.connection().getTable(table)) {
      written.delete(new Delete(Bytes.toBytes("spared")));
    }

    assertThat(find("carol", table, "Bern")).containsExactly("spared");
    assertThat(find("dave", table, "Bern")).isEmpty();
  }

  @Test
  void scannerOfAnotherUser_cannotBeReadOn() throws Exception {
    put(table, city("first", "Riga"));
    put(table, city("second", "Riga"));
    RegionInfo region = cluster.regions().of(table).get(0);
    ServerName server = cluster.regions().serverOf(region);
    ClientService.BlockingInterface carol = serviceOf("carol", server);
    ScanResponse opened =
        carol.scan(
            null,
            RequestConverter.buildScanRequest(region.getRegionName(), scan("Riga"), 1, false));
    ScanRequest next =
        RequestConverter.buildScanRequest(opened.getScannerId(), 1, false, 0, false, false, -1);
    long jumped = IndexCounters.of(table).get(IndexCounter.SCANS_JUMPED);

    assertThat(opened.getMoreResultsInRegion()).isTrue();
    assertThat(jumped).isPositive();
    assertThatThrownBy(() -> serviceOf("dave", server).scan(null, next))
        .hasStackTraceContaining(AccessDeniedException.class.getName());
  }

  private static ClientService.BlockingInterface serviceOf(String user, ServerName server)
      throws Exception {
    return ((ClusterConnection) secured.connectionOf(user)).getClient(server);
  }

  /** R1: a hidden newest version may show an older one, of which the index knows nothing. */
  @Test
  void severalVersions_underCellPermissions_areScannedPlainly() throws Exception {
    put(versioned, city("row", "Oslo").setACL("alice", new Permission(Permission.Action.READ)));
    put(versioned, city("row", "Rome"));

    IndexCounters before = IndexCounters.of(versioned);
    List<String> found = rows("alice", versioned, scan("Oslo"));
    IndexCounters counted = IndexCounters.of(versioned).since(before);
    assertThat(found).isEqualTo(rows("alice", versioned, IndexProbe.withoutIndex(scan("Oslo"))));
    assertThat(counted.get(IndexCounter.SCANS_JUMPED)).isZero();
    assertThat(counted.get(IndexCounter.SCANS_PLAIN)).isPositive();
  }

  @Test
  void regionService_statusForReaders_theRestForAdministrators() throws Exception {
    assertThatThrownBy(() -> admin("mallory", admin -> admin.states(table)))
        .hasStackTraceContaining(AccessDeniedException.class.getName());
    assertThatThrownBy(() -> admin("dave", admin -> admin.verify(table, Progress.NONE)))
        .hasStackTraceContaining(AccessDeniedException.class.getName());
    assertThat(
            SecuredScansIT.<Integer>admin("dave", admin -> admin.states(table).statuses().size()))
        .isEqualTo(1);
    assertThat(
            SecuredScansIT.<Boolean>admin(
                "erin", admin -> admin.repair(table, Progress.NONE).isClean()))
        .isTrue();
  }

  @Test
  void tableWithoutIndex_isToldSoToItsReaders() throws Exception {
    TableName plain = TestTables.uniqueName("plain");
    cluster
        .tables()
        .create(
            TableDescriptorBuilder.newBuilder(plain)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                .build());
    secured.grant("dave", plain, null, null, Permission.Action.READ);

    assertThat(SecuredScansIT.<Integer>admin("dave", admin -> admin.list(plain).size())).isZero();
    assertThat(SecuredScansIT.<Integer>admin("dave", admin -> admin.list(table).size())).isOne();
  }

  @FunctionalInterface
  private interface AdminCall<T> {
    T on(IndexAdmin admin) throws Exception;
  }

  private static <T> T admin(String user, AdminCall<T> call) throws Exception {
    return call.on(IndexAdmin.of(secured.connectionOf(user)));
  }

  /** What the user finds through the index; fails unless the plain scan finds the same. */
  private static List<String> find(String user, TableName name, String city) throws Exception {
    IndexCounters before = IndexCounters.of(name);
    List<String> found = rows(user, name, scan(city));
    IndexCounters counted = IndexCounters.of(name).since(before);
    assertThat(counted.get(IndexCounter.SCANS_JUMPED)).as("%s", counted).isPositive();
    assertThat(found).isEqualTo(rows(user, name, IndexProbe.withoutIndex(scan(city))));
    return found;
  }

  private static Scan scan(String city) {
    return new Scan().setFilter(is("f:city", city)).setAuthorizations(new Authorizations(SECRET));
  }

  private static List<String> rows(String user, TableName name, Scan scan) throws Exception {
    List<String> rows = new ArrayList<>();
    try (Table scanned = secured.connectionOf(user).getTable(name);
        ResultScanner scanner = scanned.getScanner(scan)) {
      for (Result result : scanner) {
        rows.add(Bytes.toString(result.getRow()));
      }
    }
    return rows;
  }

  private static void put(TableName name, Put put) throws IOException {
    try (Table written = cluster.connection().getTable(name)) {
      written.put(put);
    }
  }

  private static Put city(String row, String city) {
    return new Put(Bytes.toBytes(row)).addColumn(F, CITY, Bytes.toBytes(city));
  }
}
