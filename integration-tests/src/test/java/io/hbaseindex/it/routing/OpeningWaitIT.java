/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.definition.IndexFamily;
import io.hbaseindex.core.definition.IndexSettings;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.Waits;
import io.hbaseindex.region.metrics.IndexCounter;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Regions that publish nothing, after others of the same keys may have (M6): first writes wait
 * until nobody can trust a filter of before, and only where there may have been one.
 */
@OnSharedCluster
class OpeningWaitIT {
  private static final byte[] UNINDEXED = Bytes.toBytes("other");
  private static final int WRITES = 20;

  private final ExecutorService threads = Executors.newSingleThreadExecutor();
  private final AtomicBoolean stop = new AtomicBoolean();

  @AfterEach
  void endThreads() {
    stop.set(true);
    threads.shutdownNow();
  }

  @Test
  void m6_regionThatNoLongerPublishes_waitsOnce_andNotAfterFurtherOpens(TestCluster cluster)
      throws Exception {
    try (RoutingTable table = RoutingTable.create(cluster)) {
      table.awaitPrecise();
      RegionInfo region = table.regions().get(0);

      Future<?> writer = threads.submit(() -> writeUntilStopped(table));
      cluster
          .admin()
          .modifyTable(
              TableDescriptorBuilder.newBuilder(cluster.admin().getDescriptor(table.name()))
                  .setValue(IndexSettings.PUBLISH_ENABLED, "false")
                  .build());
      Waits.until("a write waits, since the region published before").until(() -> waits(table) > 0);
      stop.set(true);
      writer.get(Waits.HANG.toSeconds(), TimeUnit.SECONDS);
      long waits = waits(table);

      cluster.regions().move(region, otherServer(cluster, region));
      write(table);
      assertThat(waits(table)).as("writes after a move").isEqualTo(waits);

      cluster.servers().abortAndReplace(cluster.regions().serverOf(region));
      write(table);
      assertThat(waits(table)).as("writes after a crash").isEqualTo(waits);
    }
  }

  @Test
  void m6_regionThatOpensWithoutItsIndexes_waits(TestCluster cluster) throws Exception {
    try (RoutingTable table = RoutingTable.create(cluster)) {
      table.awaitPrecise();
      TableDescriptor indexed = cluster.admin().getDescriptor(table.name());

      threads.submit(() -> writeUntilStopped(table));
      cluster
          .admin()
          .modifyTable(
              TableDescriptorBuilder.newBuilder(indexed)
                  .modifyColumnFamily(
                      ColumnFamilyDescriptorBuilder.newBuilder(
                              indexed.getColumnFamily(IndexFamily.bytes()))
                          .setTimeToLive(1)
                          .build())
                  .build());

      Waits.until("a write waits").until(() -> waits(table) > 0);
    }
  }

  /** Writes that no index is concerned with: a filter of before may cover one that is gone. */
  private Void writeUntilStopped(RoutingTable table) throws IOException {
    while (!stop.get()) {
      write(table);
    }
    return null;
  }

  private static void write(RoutingTable table) throws IOException {
    for (int i = 0; i < WRITES; i++) {
      table
          .table()
          .put(new Put(Bytes.toBytes("row" + i)).addColumn(RoutingTable.F, UNINDEXED, new byte[1]));
    }
  }

  private static long waits(RoutingTable table) {
    return table.counters().get(IndexCounter.OPENING_WAITS);
  }

  private static ServerName otherServer(TestCluster cluster, RegionInfo region) {
    ServerName now = cluster.regions().serverOf(region);
    return cluster.servers().live().stream()
        .filter(server -> !server.equals(now))
        .findFirst()
        .orElseThrow();
  }
}
