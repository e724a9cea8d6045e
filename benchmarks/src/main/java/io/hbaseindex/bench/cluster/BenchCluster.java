package io.hbaseindex.bench.cluster;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.StartMiniClusterOption;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.regionserver.HRegion;

/** A cluster in this process, with one connection to it. */
final class BenchCluster implements AutoCloseable {
  private final HBaseTestingUtility utility;
  private final Connection connection;

  private BenchCluster(HBaseTestingUtility utility, Connection connection) {
    this.utility = utility;
    this.connection = connection;
  }

  static BenchCluster start(int servers) throws Exception {
    Configuration conf = HBaseConfiguration.create();
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

  Connection connection() {
    return connection;
  }

  void create(TableDescriptor table, byte[][] splitKeys) throws IOException {
    connection.getAdmin().createTable(table, splitKeys);
    utility.waitUntilAllRegionsAssigned(table.getTableName());
  }

  void drop(TableName table) throws IOException {
    connection.getAdmin().disableTable(table);
    connection.getAdmin().deleteTable(table);
  }

  List<HRegion> regions(TableName table) {
    return utility.getHBaseCluster().getRegions(table);
  }

  @Override
  public void close() throws IOException {
    connection.close();
    utility.shutdownMiniCluster();
  }
}
