/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.MiniHBaseCluster;
import org.apache.hadoop.hbase.StartMiniClusterOption;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/**
 * A running mini cluster with one connection to it.
 *
 * <p>Starting one costs many seconds, so test classes share one through {@link SharedCluster}; a
 * test that must break the master or needs other settings starts its own.
 */
public final class TestCluster implements AutoCloseable {

  /** A failed start may hang for ever instead of throwing; this is far above any good start. */
  private static final Duration START_LIMIT = Duration.ofSeconds(240);

  private static final String TEMPORARY = "java.io.tmpdir";

  private final HBaseTestingUtility utility;
  private final Connection connection;
  private final Admin admin;
  private final Duration startTook;

  private TestCluster(HBaseTestingUtility utility, Duration startTook) throws IOException {
    this.utility = utility;
    this.startTook = startTook;
    this.connection = ConnectionFactory.createConnection(utility.getConfiguration());
    this.admin = connection.getAdmin();
  }

  /** Starts a cluster, or fails with the reason when it is not up within the limit. */
  public static TestCluster start(ClusterSettings settings) throws IOException {
    String temporary = System.getProperty(TEMPORARY);
    HBaseTestingUtility utility = new HBaseTestingUtility(settings.toConfiguration());
    StartMiniClusterOption option =
        StartMiniClusterOption.builder()
            .numMasters(settings.masters())
            .numRegionServers(settings.regionServers())
            .numDataNodes(1)
            .build();
    FutureTask<MiniHBaseCluster> start = new FutureTask<>(() -> utility.startMiniCluster(option));
    Thread starter = new Thread(start, "mini-cluster-start");
    starter.setDaemon(true);
    long began = System.nanoTime();
    starter.start();
    try {
      start.get(START_LIMIT.toSeconds(), TimeUnit.SECONDS);
      // HBase has put it into the cluster's own, which goes with the cluster; others need it then.
      System.setProperty(TEMPORARY, temporary);
    } catch (TimeoutException e) {
      IOException late =
          new IOException(
              "Cannot start the mini cluster: it was not up after "
                  + START_LIMIT.toSeconds()
                  + " s; read target/cluster*.log. The starting thread is at the cause below",
              e);
      late.setStackTrace(starter.getStackTrace());
      throw late;
    } catch (ExecutionException e) {
      throw new IOException(
          "Cannot start the mini cluster: " + e.getCause() + "; read target/cluster*.log",
          e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Cannot start the mini cluster: the test thread was interrupted", e);
    }
    return new TestCluster(utility, Duration.ofNanos(System.nanoTime() - began));
  }

  /** How long the start took, for a person to see. */
  public Duration startTook() {
    return startTook;
  }

  public Configuration configuration() {
    return utility.getConfiguration();
  }

  public Connection connection() {
    return connection;
  }

  public Admin admin() {
    return admin;
  }

  /** HBase's own testing class, for what has no better name here. */
  public HBaseTestingUtility utility() {
    return utility;
  }

  public MiniHBaseCluster mini() {
    return utility.getMiniHBaseCluster();
  }

  /** Makes and drops tables. */
  public TestTables tables() {
    return new TestTables(this);
  }

  /** Moves, splits, merges, flushes and compacts regions. */
  public RegionEvents regions() {
    return new RegionEvents(this);
  }

  /** Aborts and restarts servers. */
  public ServerEvents servers() {
    return new ServerEvents(this);
  }

  @Override
  public void close() throws IOException {
    admin.close();
    connection.close();
    utility.shutdownMiniCluster();
  }
}
