/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.client.IndexedConnection;
import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.routing.RoutePlan;
import io.hbaseindex.client.routing.RoutingCounter;
import io.hbaseindex.client.routing.RoutingSettings;
import io.hbaseindex.common.holders.HoldersTable;
import io.hbaseindex.common.metrics.IndexRegistry;
import io.hbaseindex.core.route.HoldingServers;
import io.hbaseindex.core.shard.HolderLayout;
import io.hbaseindex.it.cluster.ClusterSettings;
import io.hbaseindex.it.cluster.PublishCounters;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.Waits;
import io.hbaseindex.master.IndexMasterEndpoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/** Filters that regions of a table hold, in shards, route as those of the master do. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("cluster")
class HoldersIT {
  private static final String[] SPLITS = {"d", "h", "m", "r", "w"};
  private static final int REGIONS = SPLITS.length + 1;

  private TestCluster cluster;
  private IndexAdmin admin;

  /** Of the cluster that other tests in this JVM share. */
  private long tidyingElsewhere;

  @BeforeAll
  void start() throws Exception {
    tidyingElsewhere = tidyingThreads();
    cluster =
        TestCluster.start(
            ClusterSettings.threeServers().withMasterCoprocessor(IndexMasterEndpoint.class));
    admin = IndexAdmin.of(cluster.connection());
  }

  @AfterAll
  void stop() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  @Order(1)
  void switchWhileWriting_masterToHoldersAndBack_losesNothingAndEndsPrecise() throws Exception {
    try (RoutingTable table = RoutingTable.create(cluster, SPLITS)) {
      assertThat(admin.holders()).isEqualTo(HolderLayout.MASTER);
      writeAndFind(table, "master");
      table.awaitPrecise();
      assertThat(table.preciseRoute("amaster3@x").skippedRegions()).isEqualTo(REGIONS - 1);

      admin.keepFilters(4, 3, Map.of());
      writeAndFind(table, "holders");
      table.awaitPrecise();
      long held = routesOfHolders();
      assertThat(table.preciseRoute("kholders3@x").skippedRegions()).isEqualTo(REGIONS - 1);
      assertThat(table.preciseRoute("nobody@x").skippedRegions()).isEqualTo(REGIONS);
      assertThat(table.find("amaster3@x")).containsExactly("amaster3");
      assertThat(routesOfHolders()).as("routes answered by regions").isGreaterThan(held);
      awaitTidyingThreads(4);

      admin.keepFilters(4, 3, Map.of(table.name(), 1));
      writeAndFind(table, "one");
      table.awaitPrecise();
      assertThat(table.preciseRoute("zone5@x").skippedRegions()).isEqualTo(REGIONS - 1);

      admin.keepFilters(0, 1, Map.of());
      writeAndFind(table, "back");
      table.awaitPrecise();
      held = routesOfHolders();
      assertThat(table.preciseRoute("aback3@x").skippedRegions()).isEqualTo(REGIONS - 1);
      assertThat(table.find("kholders3@x")).containsExactly("kholders3");
      assertThat(routesOfHolders()).isEqualTo(held);
      awaitTidyingThreads(1);
    }
  }

  /** Whoever holds filters has a thread that tidies them, and nobody else has. */
  private void awaitTidyingThreads(long count) {
    Waits.until("threads that tidy filters")
        .until(HoldersIT::tidyingThreads, found -> found == tidyingElsewhere + count);
  }

  private static long tidyingThreads() {
    return threads("hbase-index-filter-tidying");
  }

  private static long threads(String name) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals(name))
        .count();
  }

  @Test
  @Order(2)
  void lists_askSeveralShards_andFindAll() throws Exception {
    HolderLayout layout = admin.holders();
    admin.keepFilters(4, 4, Map.of());
    try (RoutingTable table = RoutingTable.create(cluster, SPLITS)) {
      writeAndFind(table, "list");
      table.awaitPrecise();
      assertThat(admin.holders().version()).isEqualTo(layout.version() + 1);
      List<String> some = List.of("alist1@x", "alist2@x", "klist3@x", "absent@x", "absent2@x");
      RoutePlan plan =
          Waits.until("all shards answer")
              .until(() -> table.plan(RoutingTable.byEmails(some)), RoutePlan::isPrecise);
      assertThat(plan.skippedRegions()).isEqualTo(REGIONS - 2);
      assertThat(table.scan(RoutingTable.byEmails(some)))
          .containsExactly("alist1", "alist2", "klist3");
    }
  }

  @Test
  @Order(3)
  void serverWithAHolder_dies_nothingIsMissedAndAllIsPreciseAgain() throws Exception {
    admin.keepFilters(4, 4, Map.of());
    try (RoutingTable table = RoutingTable.create(cluster, SPLITS)) {
      writeAndFind(table, "before");
      table.awaitPrecise();
      RegionInfo holder = cluster.regions().of(HoldersTable.NAME).get(0);
      ServerName killed = cluster.regions().serverOf(holder);
      Collection<HRegion> left =
          List.copyOf(cluster.mini().getRegionServer(killed).getOnlineRegionsLocalContext());
      cluster.mini().killRegionServer(killed);
      writeAndFind(table, "during");
      cluster.mini().waitForRegionServerToStop(killed, Waits.HANG.toMillis());
      writeAndFind(table, "after");
      table.awaitPrecise();
      for (String when : List.of("before", "during", "after")) {
        for (char row = 'a'; row <= 'z'; row++) {
          assertThat(table.find(row + when + "1@x")).containsExactly(row + when + "1");
        }
      }
      assertThat(table.preciseRoute("abefore1@x").skippedRegions()).isEqualTo(REGIONS - 1);
      endAll(left);
      Waits.until("end of what the killed server publishes")
          .until(() -> threads("hbase-index-publisher-" + killed) == 0);
    }
  }

  /**
   * A server that was killed closes nothing. In a process of its own all would end with it; here
   * its regions would go on to look for holders until the process of all tests ends.
   */
  private static void endAll(Collection<HRegion> left) {
    left.parallelStream()
        .forEach(
            region -> {
              try {
                region.close(true);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
  }

  @Test
  @Order(4)
  void whatHoldsWithTheMaster_holdsWithHolders() throws Exception {
    admin.keepFilters(4, 4, Map.of());
    long held = routesOfHolders();
    RoutingIT routing = new RoutingIT();
    routing.absentValue_onAPreciseTable_asksNoRegion(cluster);
    routing.uniqueValue_onAPreciseTable_asksOneRegion(cluster);
    routing.write_onceAcknowledged_isFoundThroughTheNextRoute(cluster);
    routing.lastRowOfAValue_deletedOrOverwritten_makesItsRouteNegative(cluster);
    routing.majorCompaction_buildsTheFilterAnew(cluster);
    routing.movesSplitsAndMerges_loseNothing_andEndPrecise(cluster);
    assertThat(routesOfHolders() - held).as("routes answered by regions").isGreaterThan(300);
  }

  @Test
  @Order(5)
  void storedFilter_ofAllShards_isUsedAfterAMove_andBuiltAnewForOtherShards() throws Exception {
    admin.keepFilters(4, 3, Map.of());
    try (RoutingTable table = RoutingTable.create(cluster)) {
      writeAndFind(table, "stored");
      table.awaitPrecise();
      assertThat(afterwards(table, () -> moveAway(table)))
          .as("loaded by three shards")
          .isEqualTo(new Filters(1, 0, 0));

      assertThat(afterwards(table, () -> reopenWithShards(table, 2)))
          .as("stored by three shards, but there are two")
          .isEqualTo(new Filters(0, 1, 1));
      assertThat(afterwards(table, () -> moveAway(table)))
          .as("stored by two shards, although nothing was written since")
          .isEqualTo(new Filters(1, 0, 0));
      assertThat(table.preciseRoute("nobody@x").skippedRegions()).isOne();
    }
  }

  @Test
  @Order(6)
  void copy_ofAllShards_answersWithoutTheHolders_andServersAreNamed() throws Exception {
    admin.keepFilters(4, 3, Map.of());
    Configuration conf = new Configuration(cluster.configuration());
    conf.setLong(RoutingSettings.TIMEOUT_MS, 30_000);
    conf.setLong(RoutingSettings.STALENESS_MS, TimeUnit.HOURS.toMillis(1));
    try (RoutingTable table = RoutingTable.create(cluster, SPLITS);
        IndexedConnection stale =
            IndexedConnection.wrap(ConnectionFactory.createConnection(conf))) {
      writeAndFind(table, "copied");
      table.awaitPrecise();
      long held = routesOfHolders();
      for (char row = 'a'; row <= 'z'; row++) {
        RoutePlan plan =
            stale.routing().plan(table.name(), RoutingTable.byEmail(row + "copied1@x")).join();
        assertThat(plan.skippedRegions()).isEqualTo(REGIONS - 1);
      }
      RoutePlan list =
          stale
              .routing()
              .plan(
                  table.name(), RoutingTable.byEmails(List.of("acopied1@x", "zcopied2@x", "no@x")))
              .join();
      assertThat(list.skippedRegions()).isEqualTo(REGIONS - 2);
      assertThat(stale.routing().counters().get(RoutingCounter.FROM_COPY)).isEqualTo(27);
      assertThat(routesOfHolders()).as("holders were asked for copies alone").isEqualTo(held);

      ServerName holder = cluster.regions().serverOf(cluster.regions().of(table.name()).get(0));
      HoldingServers servers =
          Waits.until("the servers of a value are known precisely")
              .until(
                  () ->
                      admin
                          .serversThatMayHold(table.name(), RoutingTable.byEmail("acopied1@x"))
                          .orElseThrow(),
                  found -> found.positive().size() == 1);
      assertThat(servers.positive()).containsExactly(holder.toString());
      assertThat(servers.servers().stream().mapToInt(one -> one.negative()).sum())
          .isEqualTo(REGIONS - 1);
    }
  }

  private record Filters(long loaded, long notLoaded, long rebuilt) {
    static Filters now() {
      return new Filters(
          PublishCounters.of("publishFiltersLoaded"),
          PublishCounters.of("publishFiltersNotLoaded"),
          PublishCounters.of("publishFilterRebuilds"));
    }
  }

  private interface Change {
    void run() throws Exception;
  }

  /** What became of filters when a region opened anew, in which all rows are found again. */
  private static Filters afterwards(RoutingTable table, Change change) throws Exception {
    Filters before = Filters.now();
    change.run();
    table.awaitPrecise();
    Filters after = Filters.now();
    for (char row = 'a'; row <= 'z'; row++) {
      assertThat(table.find(row + "stored1@x")).containsExactly(row + "stored1");
    }
    return new Filters(
        after.loaded - before.loaded,
        after.notLoaded - before.notLoaded,
        after.rebuilt - before.rebuilt);
  }

  private void moveAway(RoutingTable table) throws Exception {
    RegionInfo region = cluster.regions().of(table.name()).get(0);
    ServerName here = cluster.regions().serverOf(region);
    cluster
        .regions()
        .move(
            region,
            cluster.servers().live().stream().filter(s -> !s.equals(here)).findFirst().get());
  }

  private void reopenWithShards(RoutingTable table, int shards) throws Exception {
    cluster.connection().getAdmin().disableTable(table.name());
    admin.keepFilters(4, shards, Map.of());
    cluster.connection().getAdmin().enableTable(table.name());
  }

  /** How many routes regions of the holders' table have answered, by their own count. */
  private static long routesOfHolders() {
    MetricRegistry holders = IndexRegistry.ofHolders();
    return holders.counter("routesPrecise").getCount() + holders.counter("routesOpen").getCount();
  }

  /** Each row is found as soon as its write is acknowledged. */
  private static void writeAndFind(RoutingTable table, String when) throws Exception {
    List<String> written = new ArrayList<>();
    for (char row = 'a'; row <= 'z'; row++) {
      for (int i = 0; i < 6; i++) {
        String key = row + when + i;
        table.put(key, key + "@x");
        written.add(key);
        if (i % 2 == 0) {
          assertThat(table.find(key + "@x")).as("just written").containsExactly(key);
        }
      }
    }
    for (String key : written) {
      assertThat(table.find(key + "@x")).containsExactly(key);
    }
  }
}
