/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.client.IndexedConnection;
import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.admin.check.CheckReport;
import io.hbaseindex.client.admin.status.Progress;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.IndexFamily;
import io.hbaseindex.core.definition.IndexSettings;
import io.hbaseindex.it.cluster.Waits;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionServerInfo;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.zookeeper.ZKUtil;
import org.apache.hadoop.hbase.zookeeper.ZKWatcher;
import org.apache.hadoop.hbase.zookeeper.ZNodePaths;
import org.awaitility.core.ConditionTimeoutException;

/**
 * An indexed table of a cluster whose servers are other processes: all that is known of them comes
 * by remote calls.
 */
final class RemoteTable implements AutoCloseable {
  private static final TableName NAME = TableName.valueOf("orders");
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] CODE = Bytes.toBytes("code");
  private static final IndexDefinition BY_CODE =
      IndexDefinition.on("f", "code").named("by_code").eager();
  private static final int REGIONS = 6;

  private final Connection connection;
  private final Admin admin;
  private final Connection indexing;
  private final Table table;
  private final Table indexed;

  private RemoteTable(ProcessCluster cluster, Connection connection) throws Exception {
    this.connection = connection;
    this.admin = connection.getAdmin();
    this.indexing =
        IndexedConnection.wrap(ConnectionFactory.createConnection(cluster.configuration()));
    this.table = connection.getTable(NAME);
    this.indexed = indexing.getTable(NAME);
  }

  /** Creates the table, fills it, and creates the index when the rows are there. */
  static RemoteTable create(ProcessCluster cluster, List<String> keys) throws Exception {
    Connection connection = ConnectionFactory.createConnection(cluster.configuration());
    byte[][] splits = new byte[REGIONS - 1][];
    for (int i = 1; i < REGIONS; i++) {
      splits[i - 1] = Bytes.toBytes("k" + i);
    }
    try (Admin admin = connection.getAdmin();
        Table table = connection.getTable(NAME)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(NAME)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
              .build(),
          splits);
      table.put(keys.stream().map(RemoteTable::row).toList());
    }
    RemoteTable table = new RemoteTable(cluster, connection);
    table.index();
    return table;
  }

  static String codeOf(String key) {
    return "code-of-" + key;
  }

  private static Put row(String key) {
    return new Put(Bytes.toBytes(key)).addColumn(F, CODE, Bytes.toBytes(codeOf(key)));
  }

  /** Returns when the write is acknowledged. */
  void put(String key) throws IOException {
    table.put(row(key));
  }

  /** The keys of the rows with this code, through routing and the index. */
  List<String> find(String code) throws IOException {
    SingleColumnValueFilter filter =
        new SingleColumnValueFilter(F, CODE, CompareOperator.EQUAL, Bytes.toBytes(code));
    filter.setFilterIfMissing(true);
    return keys(indexed.getScanner(new Scan().setFilter(filter)));
  }

  /** The keys of all rows, by a scan that knows of no index. */
  List<String> everything() throws IOException {
    Scan scan = new Scan().setCaching(5_000);
    scan.setAttribute(IndexSettings.SCAN_USE_INDEX, Bytes.toBytes("false"));
    return keys(table.getScanner(scan));
  }

  private static List<String> keys(ResultScanner results) throws IOException {
    List<String> keys = new ArrayList<>();
    try (results) {
      for (Result result : results) {
        keys.add(Bytes.toString(result.getRow()));
      }
    }
    return keys;
  }

  /**
   * Waits until, by what the servers count, a question for the code of an existing row makes one
   * region work and one for an absent code none. A master that is just taking over may refuse to
   * answer meanwhile, and regions are open for a while after each fault.
   */
  void awaitRouted(String code) throws IOException {
    try {
      Waits.until("the table is routed")
          .ignoreExceptionsInstanceOf(IOException.class)
          .until(() -> regionsAskedBy(code) == 1 && regionsAskedBy("nobody's") == 0);
    } catch (ConditionTimeoutException e) {
      throw new IOException(
          "Cannot see the table routed: the indexes are %s, the filters %s"
              .formatted(
                  IndexAdmin.of(connection).states(NAME).reasons(),
                  IndexAdmin.of(connection).routing(NAME)),
          e);
    }
  }

  /**
   * How many regions a question for this code makes work, by what their servers count; the answer
   * is not looked at.
   */
  private int regionsAskedBy(String code) throws IOException {
    TreeMap<String, Long> before = reads();
    find(code);
    TreeMap<String, Long> after = reads();
    return (int)
        after.entrySet().stream()
            .filter(region -> region.getValue() > before.getOrDefault(region.getKey(), 0L))
            .count();
  }

  private TreeMap<String, Long> reads() throws IOException {
    TreeMap<String, Long> reads = new TreeMap<>();
    for (ServerName server : admin.getRegionServers()) {
      for (RegionMetrics region : admin.getRegionMetrics(server, NAME)) {
        reads.put(region.getNameAsString(), region.getReadRequestCount());
      }
    }
    return reads;
  }

  /**
   * By the servers' counters: one region is asked for a row, it jumps, and absent values ask none.
   */
  void requireRouted(String key) throws IOException {
    awaitRouted(codeOf(key));
    long jumped = scansJumped();
    assertThat(find(codeOf(key))).containsExactly(key);
    assertThat(scansJumped()).isGreaterThan(jumped);
  }

  /**
   * The versions of HBase that servers run, the active master's too. Servers say theirs in
   * ZooKeeper alone: what the master tells of them has no version.
   */
  SortedSet<String> versions() throws Exception {
    SortedSet<String> versions = new TreeSet<>();
    versions.add(plain(admin.getClusterMetrics().getHBaseVersion()));
    try (ZKWatcher zooKeeper = new ZKWatcher(connection.getConfiguration(), "versions", null)) {
      String servers = zooKeeper.getZNodePaths().rsZNode;
      for (String server : ZKUtil.listChildrenNoWatch(zooKeeper, servers)) {
        byte[] data = ZKUtil.getData(zooKeeper, ZNodePaths.joinZNode(servers, server));
        int magic = ProtobufUtil.lengthOfPBMagic();
        versions.add(
            plain(
                RegionServerInfo.parseFrom(Arrays.copyOfRange(data, magic, data.length))
                    .getVersionInfo()
                    .getVersion()));
      }
    }
    return versions;
  }

  private static String plain(String version) {
    return version.replaceFirst("-.*", "");
  }

  /** How many servers there are: region servers, masters that wait, and one that is active. */
  int servers() throws IOException {
    ClusterMetrics metrics = admin.getClusterMetrics();
    return metrics.getLiveServerMetrics().size()
        + metrics.getBackupMasterNames().size()
        + (metrics.getMasterName() == null ? 0 : 1);
  }

  /** Scans that jumped, counted by the regions since they opened. */
  long scansJumped() throws IOException {
    return IndexAdmin.of(connection).states(NAME).counters().get("scansJumped");
  }

  /** Postings that were read for filters, counted by the regions since they opened. */
  long filterPostingsRead() throws IOException {
    return IndexAdmin.of(connection).states(NAME).counters().get("filterPostingsRead");
  }

  /** Moves each region to another server, and returns when all are open there. */
  void moveAllRegions() throws IOException {
    List<ServerName> servers = List.copyOf(admin.getRegionServers());
    try (var locator = connection.getRegionLocator(NAME)) {
      for (var location : locator.getAllRegionLocations()) {
        int here = servers.indexOf(location.getServerName());
        admin.move(
            location.getRegion().getEncodedNameAsBytes(), servers.get((here + 1) % servers.size()));
      }
    }
  }

  CheckReport verify() throws IOException {
    return IndexAdmin.of(connection).verify(NAME, Progress.NONE);
  }

  /** Removes everything of the index from the table, by the steps of docs/OPERATIONS.md. */
  TableDescriptor uninstall() throws IOException {
    IndexAdmin.of(connection).drop(NAME, BY_CODE.name());
    admin.deleteColumnFamily(NAME, IndexFamily.bytes());
    admin.modifyTable(
        TableDescriptorBuilder.newBuilder(admin.getDescriptor(NAME))
            .removeCoprocessor(IndexSettings.REGION_OBSERVER_CLASS)
            .build());
    return admin.getDescriptor(NAME);
  }

  /** Creates the index, and waits until the rows that are there are in it. */
  void index() throws Exception {
    IndexAdmin indexes = IndexAdmin.of(connection);
    indexes.create(NAME, BY_CODE);
    indexes.awaitReady(NAME, Duration.ofMinutes(2), Progress.NONE);
  }

  ServerName activeMaster() throws IOException {
    return admin.getMaster();
  }

  /** The server that holds a row. */
  ServerName serverOf(String key) throws IOException {
    try (var locator = connection.getRegionLocator(NAME)) {
      return locator.getRegionLocation(Bytes.toBytes(key), true).getServerName();
    }
  }

  @Override
  public void close() throws IOException {
    table.close();
    indexed.close();
    indexing.close();
    admin.close();
    connection.close();
  }
}
