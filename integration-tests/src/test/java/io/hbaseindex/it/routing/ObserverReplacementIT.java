/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.client.admin.RegionIndexAdmin;
import io.hbaseindex.it.cluster.IndexCounters;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.Waits;
import io.hbaseindex.region.IndexRegionObserver;
import io.hbaseindex.region.metrics.IndexCounter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionCoprocessorHost;
import org.junit.jupiter.api.Test;

/**
 * A server that reloads its configuration and finds other coprocessors in it gives all open regions
 * new instances, whatever is under way there.
 */
@OnSharedCluster
class ObserverReplacementIT {
  private static final int REPLACEMENTS = 6;

  /** Another coprocessor, which does nothing. */
  public static final class Bystander implements RegionCoprocessor, RegionObserver {
    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }
  }

  @Test
  void observerReplacedWhileClientsWrite_missesNothing(TestCluster cluster) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(3);
    AtomicBoolean stop = new AtomicBoolean();
    try (RoutingTable table = RoutingTable.create(cluster, "m")) {
      table.awaitPrecise();
      List<Future<Integer>> writers =
          List.of("a", "k", "t").stream()
              .map(prefix -> threads.submit(() -> writeAndFind(table, prefix, stop)))
              .toList();
      for (int i = 0; i < REPLACEMENTS; i++) {
        List<RegionCoprocessorHost> before = hosts(cluster, table);
        load(cluster, table, Bystander.class.getName(), true);
        assertThat(hosts(cluster, table)).doesNotContainAnyElementsOf(before);
        TimeUnit.MILLISECONDS.sleep(500);
      }
      stop.set(true);
      int written = 0;
      for (Future<Integer> writer : writers) {
        written += writer.get(2, TimeUnit.MINUTES);
      }
      System.out.printf("%d writes during %d replacements%n", written, REPLACEMENTS);

      table.awaitPrecise();
      assertThat(table.preciseRoute("nobody@nowhere").excluded()).isEqualTo(2);
      IndexCounters counters = table.counters();
      assertThat(table.find("k3@example.org")).containsExactly("k3");
      assertThat(table.counters().since(counters).get(IndexCounter.SCANS_JUMPED))
          .as("the index is used without a further open")
          .isEqualTo(1);
      assertThat(new RegionIndexAdmin(cluster.connection()).check(table.name(), false).isClean())
          .isTrue();
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void observerNotLoadedAgain_filterIsWithdrawnAndWritesAreFound(TestCluster cluster)
      throws Exception {
    try (RoutingTable table = RoutingTable.create(cluster, "m")) {
      table.awaitPrecise();
      assertThat(table.preciseRoute("k@example.org").excluded()).isEqualTo(2);

      load(cluster, table, Bystander.class.getName(), false);
      assertThat(hosts(cluster, table))
          .allMatch(host -> host.findCoprocessor(IndexRegionObserver.class) == null);
      Waits.until("no filter is trusted").until(() -> excluded(table, "k@example.org") == 0);
      table.put("k", "k@example.org");
      assertThat(table.find("k@example.org")).containsExactly("k");

      load(cluster, table, Bystander.class.getName(), true);
      table.put("l", "l@example.org");
      assertThat(table.find("k@example.org")).containsExactly("k");
      assertThat(table.find("l@example.org")).containsExactly("l");
      IndexCounters counters = table.counters();
      assertThat(table.find("k@example.org")).containsExactly("k");
      assertThat(table.counters().since(counters).get(IndexCounter.SCANS_JUMPED))
          .as("an index that has missed writes is not used")
          .isZero();
    }
  }

  @Test
  void observerStoppedInARegionThatStaysOpen_filterIsNotTrustedAfterwards(TestCluster cluster)
      throws Exception {
    try (RoutingTable table = RoutingTable.create(cluster, "d", "m", "t")) {
      table.awaitPrecise();
      assertThat(table.preciseRoute("k@example.org").excluded()).isEqualTo(4);

      for (RegionCoprocessorHost host : hosts(cluster, table)) {
        host.shutdown(host.findCoprocessorEnvironment(IndexRegionObserver.class.getName()));
      }

      assertThat(table.route("k@example.org").excluded()).isZero();
    }
  }

  private static int excluded(RoutingTable table, String email) throws Exception {
    return table.route(email).excluded();
  }

  /** Writes row after row, and looks for each through a route once it is acknowledged. */
  private static int writeAndFind(RoutingTable table, String prefix, AtomicBoolean stop)
      throws Exception {
    int row = 0;
    while (!stop.get() || row <= 3) {
      String name = prefix + row++;
      table.put(name, name + "@example.org");
      assertThat(table.find(name + "@example.org")).containsExactly(name);
    }
    return row;
  }

  private static List<RegionCoprocessorHost> hosts(TestCluster cluster, RoutingTable table)
      throws Exception {
    return table.regions().stream()
        .map((RegionInfo region) -> cluster.regions().online(region).getCoprocessorHost())
        .toList();
  }

  /**
   * What a region does when it is told of a configuration with these coprocessors, and with or
   * without those of the table's descriptor, of which the index observer is one. It is told by
   * itself: a mini cluster's regions look at the object that a reload changes, and see no change.
   */
  private static void load(
      TestCluster cluster, RoutingTable table, String observers, boolean tablesOwn)
      throws Exception {
    for (RegionInfo region : table.regions()) {
      HRegion open = cluster.regions().online(region);
      Configuration reloaded = new Configuration(cluster.configuration());
      reloaded.set(CoprocessorHost.REGION_COPROCESSOR_CONF_KEY, observers);
      reloaded.setBoolean(CoprocessorHost.USER_COPROCESSORS_ENABLED_CONF_KEY, tablesOwn);
      open.onConfigurationChange(reloaded);
    }
  }
}
