/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.life;

import static io.hbaseindex.it.index.IndexedTable.CITY;
import static io.hbaseindex.it.index.IndexedTable.FAMILY;
import static io.hbaseindex.it.index.IndexedTable.where;
import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.definition.IndexFamily;
import io.hbaseindex.it.cluster.ClusterSettings;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.TestTables;
import io.hbaseindex.it.cluster.Waits;
import io.hbaseindex.it.index.IndexProbe;
import io.hbaseindex.it.index.IndexedTable;
import io.hbaseindex.it.index.PostingOracle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.replication.ReplicationPeerConfig;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Replication from one cluster to another carries the data and never a posting: keys of postings
 * name a region of the cluster that wrote them. The other cluster indexes what arrives by itself,
 * or not at all.
 */
@OnSharedCluster
class ReplicationIT {

  private static final String PEER = "standby";
  private static final Path GUIDE = Path.of("..", "docs", "guides", "BACKUP.md");
  private static final Pattern ADD_PEER =
      Pattern.compile(
          "add_peer '(?<peer>\\w+)', CLUSTER_KEY => '\\$STANDBY', TABLE_CFS => \\{'(?<table>\\w+)' => \\[]}");

  /** Every so many rows one changes and two go; it leaves people in every city. */
  private static final int STEP = 12;

  private static TestCluster source;
  private static TestCluster sink;

  @BeforeAll
  static void startSink(TestCluster shared) throws IOException {
    source = shared;
    sink = TestCluster.start(ClusterSettings.threeServers().withRegionServers(1));
  }

  @AfterAll
  static void stopSink() throws IOException {
    sink.close();
  }

  @Test
  void indexedOnBothSides_sinkIndexesWhatArrives() throws Exception {
    TableDescriptor table = replicated(TestTables.uniqueName("replicated"));
    source.tables().create(table, List.of("r00150"));
    // Other regions than at the source, so that postings of the source could not even be stored.
    sink.tables().create(table, List.of("r00050", "r00250"));
    addPeer(table.getTableName());
    try (IndexedTable here = IndexedTable.adopt(source, table.getTableName());
        IndexedTable there = IndexedTable.adopt(sink, table.getTableName())) {
      here.probe().awaitReady();
      there.probe().awaitReady();
      write(here.table());
      awaitSameContent(here.table(), there.table());

      People.assertExact(here);
      People.assertExact(there);
      assertThat(new PostingOracle(sink, there.name()).unposted()).isEmpty();
      assertThat(there.rowsByIndex(where(CITY, "moved"))).hasSize(People.ROWS / STEP);
    } finally {
      source.admin().removeReplicationPeer(PEER);
    }
  }

  @Test
  void indexedAtTheSourceOnly_nothingOfTheIndexIsSent() throws Exception {
    TableName name = TestTables.uniqueName("half_indexed");
    source.tables().create(replicated(name));
    // Without the hidden family: a single posting in the stream would block it for good.
    sink.tables()
        .create(
            TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                .build());
    addPeer(name);
    try (IndexedTable here = IndexedTable.adopt(source, name);
        Table there = sink.connection().getTable(name)) {
      here.probe().awaitReady();
      write(here.table());
      awaitSameContent(here.table(), there);
      People.assertExact(here);
    } finally {
      source.admin().removeReplicationPeer(PEER);
      sink.tables().drop(name);
    }
  }

  private static TableDescriptor replicated(TableName name) {
    TableDescriptor indexed = IndexedTable.describe(name);
    assertThat(indexed.getColumnFamily(IndexFamily.bytes()).getScope())
        .isEqualTo(HConstants.REPLICATION_SCOPE_LOCAL);
    return TableDescriptorBuilder.newBuilder(indexed)
        .modifyColumnFamily(
            ColumnFamilyDescriptorBuilder.newBuilder(indexed.getColumnFamily(FAMILY))
                .setScope(HConstants.REPLICATION_SCOPE_GLOBAL)
                .build())
        .build();
  }

  /** As the guide says it, for this table and with the key of the other cluster. */
  private static void addPeer(TableName table) throws IOException {
    Matcher statement = ADD_PEER.matcher(Files.readString(GUIDE));
    assertThat(statement.find()).as("add_peer in %s", GUIDE).isTrue();
    assertThat(statement.group("peer")).isEqualTo(PEER);
    assertThat(statement.group("table")).isEqualTo("people");
    source
        .admin()
        .addReplicationPeer(
            PEER,
            ReplicationPeerConfig.newBuilder()
                .setClusterKey(sink.utility().getClusterKey())
                .setReplicateAllUserTables(false)
                .setTableCFsMap(Map.of(table, List.of()))
                .build());
  }

  /** Rows that stay, rows that change their city, and rows that go, whole or in part. */
  private static void write(Table table) throws IOException {
    People.fill(table, People.ROWS);
    for (int i = 0; i < People.ROWS; i += STEP) {
      table.put(new Put(row(i)).addColumn(FAMILY, CITY, Bytes.toBytes("moved")));
      table.delete(new Delete(row(i + 1)));
      table.delete(new Delete(row(i + 2)).addColumns(FAMILY, CITY));
    }
  }

  private static byte[] row(int number) {
    return Bytes.toBytes(People.row(number));
  }

  private static void awaitSameContent(Table here, Table there) {
    Waits.until("replication of " + here.getName())
        .untilAsserted(() -> assertThat(content(there)).isEqualTo(content(here)));
  }

  private static List<String> content(Table table) throws IOException {
    List<String> cells = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(IndexProbe.withoutIndex(new Scan()))) {
      for (Result result : scanner) {
        result.listCells().forEach(cell -> cells.add(cell + "=" + Bytes.toString(value(cell))));
      }
    }
    return cells;
  }

  private static byte[] value(Cell cell) {
    return CellUtil.cloneValue(cell);
  }
}
