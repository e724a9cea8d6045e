/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.demo;

import io.hbaseindex.client.routing.RoutingSettings;
import io.hbaseindex.core.definition.IndexSettings;
import io.hbaseindex.master.IndexMasterEndpoint;
import io.hbaseindex.master.IndexMasterObserver;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.MiniHBaseCluster;
import org.apache.hadoop.hbase.StartMiniClusterOption;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;

/**
 * ZooKeeper, HDFS, a master and three region servers, all real and all in this process. It ends
 * with the process ({@link Workspace}).
 */
final class DemoCluster {
  private static final int REGION_SERVERS = 3;
  private static final Duration START_LIMIT = Duration.ofSeconds(240);

  /** Nothing is to happen behind the back of the tour, and starting is to be quick. */
  private static final Map<String, String> SETTINGS =
      Map.ofEntries(
          Map.entry("hbase.master.info.port", "-1"),
          Map.entry("hbase.regionserver.info.port", "-1"),
          Map.entry("hbase.master.wait.on.regionservers.timeout", "200"),
          Map.entry("hbase.master.wait.on.regionservers.mintostart", "" + REGION_SERVERS),
          Map.entry("hbase.regionserver.msginterval", "500"),
          Map.entry("hbase.client.pause", "20"),
          Map.entry("hbase.balancer.period", "86400000"),
          Map.entry("hbase.hregion.majorcompaction", "0"),
          Map.entry("hbase.regionserver.hlog.tolerable.lowreplication", "1"),
          Map.entry("hbase.unsafe.regionserver.hostname.disable.master.reversedns", "true"),
          // All servers share this process, which may be busy with something else.
          Map.entry(RoutingSettings.TIMEOUT_MS, "10000"),
          Map.entry(IndexSettings.PUBLISH_LEASE_MS, "8000"),
          Map.entry("dfs.replication", "1"));

  private final HBaseTestingUtility utility;
  private final Connection connection;

  private DemoCluster(HBaseTestingUtility utility, Connection connection) {
    this.utility = utility;
    this.connection = connection;
  }

  static DemoCluster start(Workspace workspace) throws Exception {
    System.setProperty(
        HBaseTestingUtility.BASE_TEST_DIRECTORY_KEY, workspace.subdirectory("data").toString());
    Configuration conf = HBaseConfiguration.create();
    SETTINGS.forEach(conf::set);
    conf.setStrings(
        CoprocessorHost.MASTER_COPROCESSOR_CONF_KEY,
        IndexMasterObserver.class.getName(),
        IndexMasterEndpoint.class.getName());
    HBaseTestingUtility utility = new HBaseTestingUtility(conf);
    awaitStart(utility);
    return new DemoCluster(utility, ConnectionFactory.createConnection(utility.getConfiguration()));
  }

  /** A failed start may hang for ever instead of throwing. */
  private static void awaitStart(HBaseTestingUtility utility) throws Exception {
    StartMiniClusterOption size =
        StartMiniClusterOption.builder().numRegionServers(REGION_SERVERS).numDataNodes(1).build();
    FutureTask<MiniHBaseCluster> start = new FutureTask<>(() -> utility.startMiniCluster(size));
    Thread starter = new Thread(start, "demo-cluster-start");
    starter.setDaemon(true);
    starter.start();
    try {
      start.get(START_LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new IOException("HBase was not up after " + START_LIMIT.toSeconds() + " s", e);
    } catch (ExecutionException e) {
      throw new IOException("HBase did not start: " + e.getCause(), e.getCause());
    }
  }

  private Configuration configuration() {
    return utility.getConfiguration();
  }

  Connection connection() {
    return connection;
  }

  /** One more connection; whoever asks for it closes it. */
  Connection connect() throws IOException {
    return ConnectionFactory.createConnection(configuration());
  }

  MiniHBaseCluster servers() {
    return utility.getMiniHBaseCluster();
  }

  /** What a client of another process connects with, as host:port/path. */
  String zookeeper() {
    Configuration conf = configuration();
    return "localhost:"
        + conf.get("hbase.zookeeper.property.clientPort")
        + conf.get("zookeeper.znode.parent");
  }
}
