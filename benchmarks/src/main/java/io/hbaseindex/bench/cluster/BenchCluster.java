/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.cluster;

import io.hbaseindex.common.metrics.IndexRegistry;
import io.hbaseindex.master.IndexMasterEndpoint;
import io.hbaseindex.region.lifecycle.background.BackgroundWork;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.StartMiniClusterOption;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.util.JVMClusterUtil;

/** A cluster in this process, with one connection to it. */
public final class BenchCluster implements AutoCloseable {
  private static final long MASTER_STOP_MILLIS = 60_000;
  private static final long SERVER_START_MILLIS = 120_000;

  private final HBaseTestingUtility utility;
  private final Connection connection;

  private BenchCluster(HBaseTestingUtility utility, Connection connection) {
    this.utility = utility;
    this.connection = connection;
  }

  static BenchCluster start(int servers) throws Exception {
    return start(servers, HBaseConfiguration.create());
  }

  /** A cluster whose master holds the filters of all regions. */
  static BenchCluster startRouting(int servers) throws Exception {
    return startRouting(servers, Map.of());
  }

  /** As above, with further settings. */
  public static BenchCluster startRouting(int servers, Map<String, String> settings)
      throws Exception {
    Configuration conf = HBaseConfiguration.create();
    settings.forEach(conf::set);
    conf.set(CoprocessorHost.MASTER_COPROCESSOR_CONF_KEY, IndexMasterEndpoint.class.getName());
    // Building an index is not what is measured.
    conf.set(BackgroundWork.ROWS_PER_SECOND, "0");
    return start(servers, conf);
  }

  private static BenchCluster start(int servers, Configuration conf) throws Exception {
    conf.set("hbase.master.info.port", "-1");
    conf.set("hbase.regionserver.info.port", "-1");
    conf.set("hbase.balancer.period", "3600000");
    conf.set("hbase.hregion.majorcompaction", "0");
    conf.set("dfs.replication", "1");
    conf.set("hbase.regionserver.hlog.tolerable.lowreplication", "1");
    HBaseTestingUtility utility = new HBaseTestingUtility(conf);
    utility.startMiniCluster(
        StartMiniClusterOption.builder().numRegionServers(servers).numDataNodes(1).build());
    return new BenchCluster(
        utility, ConnectionFactory.createConnection(utility.getConfiguration()));
  }

  /** A connection as HBase makes it. */
  public Connection connection() {
    return connection;
  }

  public void create(TableDescriptor table, byte[][] splitKeys) throws IOException {
    connection.getAdmin().createTable(table, splitKeys);
    utility.waitUntilAllRegionsAssigned(table.getTableName());
  }

  public void drop(TableName table) throws IOException {
    connection.getAdmin().disableTable(table);
    connection.getAdmin().deleteTable(table);
  }

  public Configuration configuration() {
    return utility.getConfiguration();
  }

  /** Writes the memstores of a table to files. */
  public void flush(TableName table) throws IOException {
    connection.getAdmin().flush(table);
  }

  /** Closes and opens all regions of a table. */
  void reopen(TableName table) throws IOException {
    connection.getAdmin().disableTable(table);
    connection.getAdmin().enableTable(table);
  }

  /** Puts another master in the place of the active one, and returns when that is gone. */
  void replaceMaster() throws IOException {
    HMaster active = utility.getMiniHBaseCluster().getMaster();
    utility.getMiniHBaseCluster().startMaster();
    active.abort("replaced by a benchmark");
    utility.getMiniHBaseCluster().waitForMasterToStop(active.getServerName(), MASTER_STOP_MILLIS);
  }

  /** Asks for a region to be moved to any other server; it may take a while until it is. */
  public void move(HRegion region) throws IOException {
    ServerName here = serverOf(region);
    ServerName there =
        utility.getMiniHBaseCluster().getLiveRegionServerThreads().stream()
            .map(thread -> thread.getRegionServer().getServerName())
            .filter(server -> !server.equals(here))
            .findFirst()
            .orElseThrow();
    connection.getAdmin().move(region.getRegionInfo().getEncodedNameAsBytes(), there);
  }

  /** Ends a region's server as kill -9 would, and starts another one; regions open later. */
  public void killServerOf(HRegion region) throws IOException {
    ServerName victim = serverOf(region);
    utility.getMiniHBaseCluster().startRegionServerAndWait(SERVER_START_MILLIS);
    utility.getMiniHBaseCluster().killRegionServer(victim);
  }

  private ServerName serverOf(HRegion region) throws IOException {
    return utility
        .getMiniHBaseCluster()
        .getServerHoldingRegion(
            region.getRegionInfo().getTable(), region.getRegionInfo().getRegionName());
  }

  /** The open regions of a table; those of a server that was killed are not. */
  public List<HRegion> regions(TableName table) {
    return utility.getMiniHBaseCluster().getLiveRegionServerThreads().stream()
        .map(JVMClusterUtil.RegionServerThread::getRegionServer)
        .filter(server -> !server.isAborted())
        .flatMap(server -> server.getRegions(table).stream())
        .toList();
  }

  /**
   * How often region servers were asked to open or go on with a scan, so far. A call of ours that
   * gathers first results counts as one for each region that it has read.
   */
  public long scanCalls() {
    return IndexRegistry.ofRegionServer().counter("scansGathered").getCount() + hbaseScanCalls();
  }

  private long hbaseScanCalls() {
    return utility.getMiniHBaseCluster().getLiveRegionServerThreads().stream()
        .mapToLong(
            thread ->
                thread
                    .getRegionServer()
                    .getMetrics()
                    .getRegionServerWrapper()
                    .getRpcScanRequestsCount())
        .sum();
  }

  /** Blocks that were looked for in the region servers' caches and were not there, so far. */
  public long blocksMissed() {
    return utility.getMiniHBaseCluster().getLiveRegionServerThreads().stream()
        .flatMap(thread -> thread.getRegionServer().getBlockCache().stream())
        .mapToLong(cache -> cache.getStats().getMissCount())
        .sum();
  }

  /** Bytes of the files of a table. */
  public long fileBytes(TableName table) {
    return regions(table).stream()
        .flatMap(region -> region.getStores().stream())
        .mapToLong(HStore::getStorefilesSize)
        .sum();
  }

  @Override
  public void close() throws IOException {
    connection.close();
    utility.shutdownMiniCluster();
  }
}
