/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.admin.filters.RegionFilterState;
import io.hbaseindex.client.admin.filters.RoutingStatus;
import io.hbaseindex.client.admin.filters.ServerFilterState;
import io.hbaseindex.core.route.HoldingServers;
import io.hbaseindex.it.cluster.IndexCounters;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.RoutedReads;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.Waits;
import io.hbaseindex.region.metrics.IndexCounter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;
import org.junit.jupiter.api.Test;

/** The master shows how its filters stand, region by region and server by server. */
@OnSharedCluster
class RoutingStatusIT {
  private static final long ROUTE_TIMEOUT_MILLIS = 10_000;
  private static final int QUERIES = 50;

  /** Which of the regions split at d, h, m, r and w holds the rows that begin with k. */
  private static final int HOLDER_OF_K = 2;

  @Test
  void status_ofAPreciseTable_showsEachRegionWhereHBaseHasIt(TestCluster cluster) throws Exception {
    try (PublishedTable table = PublishedTable.create(cluster, "h", "p")) {
      RoutingStatus status = table.awaitPrecise();

      List<RegionInfo> regions = cluster.regions().of(table.name());
      assertThat(status.regions()).hasSameSizeAs(regions);
      for (int i = 0; i < regions.size(); i++) {
        RegionFilterState view = status.regions().get(i);
        assertThat(view.encodedName()).isEqualTo(regions.get(i).getEncodedName());
        assertThat(view.range().start()).isEqualTo(regions.get(i).getStartKey());
        assertThat(view.range().end()).isEqualTo(regions.get(i).getEndKey());
        assertThat(view.server()).isEqualTo(cluster.regions().serverOf(regions.get(i)).toString());
        assertThat(view.epoch())
            .isEqualTo(cluster.regions().online(regions.get(i)).getOpenSeqNum());
        assertThat(view.size().segments()).isPositive();
        assertThat(view.size().fill()).isBetween(0.0, 0.5);
        assertThat(view.size().error()).isBetween(0.0, 1e-3);
        assertThat(view.generation()).isPositive();
        assertThat(view.coveredIndexes()).hasSize(1);
        assertThat(view.isPrecise()).isTrue();
        assertThat(view.lag()).isPresent();
      }
      assertThat(status.masterServer())
          .isEqualTo(cluster.mini().getMaster().getServerName().toString());
      assertThat(status.master().trusting()).isTrue();
      assertThat(status.master().filterBytes()).isBetween(1L, status.master().filterByteLimit());
      assertThat(status.master().activeSince().toEpochMilli())
          .isBetween(cluster.mini().getMaster().getMasterStartTime(), System.currentTimeMillis());
    }
  }

  @Test
  void status_perServer_isTheUnionOfItsRegions(TestCluster cluster) throws Exception {
    try (PublishedTable table = PublishedTable.create(cluster, "d", "h", "m", "r", "w")) {
      RoutingStatus status = table.awaitPrecise();

      assertThat(status.servers()).isNotEmpty();
      for (ServerFilterState server : status.servers()) {
        assertThat(server.open()).isZero();
        assertThat(server.size().bits())
            .isEqualTo(server.regions().stream().mapToLong(region -> region.size().bits()).sum());
        assertThat(server.regions())
            .allMatch(region -> region.server().equals(server.server()))
            .hasSize((int) server.precise());
      }
      assertThat(IndexAdmin.of(cluster.connection()).routing().regions())
          .extracting(region -> region.encodedName())
          .containsAll(status.regions().stream().map(region -> region.encodedName()).toList());
    }
  }

  @Test
  void status_namesTheIndexesThatAreCovered_andClosedRegionsAreGone(TestCluster cluster)
      throws Exception {
    try (PublishedTable table = PublishedTable.create(cluster, "m")) {
      table.awaitPrecise();
      IndexAdmin master = IndexAdmin.of(cluster.connection());
      RegionFilterState before = master.routing(table.name()).regions().get(0);
      assertThat(before.coveredIndexes()).isNotEmpty().doesNotContain(77);

      cluster.admin().disableTable(table.name());
      Waits.until("released regions are gone")
          .until(() -> master.routing(table.name()).regions().isEmpty());
    }
  }

  @Test
  void serversThatMayHold_nameTheHolderAlone(TestCluster cluster) throws Exception {
    try (PublishedTable table = PublishedTable.create(cluster, "d", "h", "m", "r", "w")) {
      ServerName holder = spread(cluster, table, HOLDER_OF_K);
      IndexAdmin master = IndexAdmin.of(cluster.connection());

      // Filters that were precise a moment ago may lapse on a slow machine, and come back.
      HoldingServers servers =
          Waits.until("the servers of k7 are known precisely")
              .until(
                  () ->
                      master
                          .serversThatMayHold(
                              table.name(), PublishedTable.byEmail("k7@example.org"))
                          .orElseThrow(),
                  found -> found.negative().size() == 2);

      assertThat(servers.positive()).containsExactly(holder.toString());
      assertThat(servers.negative()).doesNotContain(holder.toString());
      assertThat(servers.mayHold(holder.toString())).isTrue();
      Waits.until("all servers are known not to have an absent value")
          .until(
              () ->
                  master
                      .serversThatMayHold(table.name(), PublishedTable.byEmail("nobody@nowhere"))
                      .orElseThrow()
                      .negative(),
              negative -> negative.size() == 3);
      assertThat(master.serversThatMayHold(table.name(), new Scan())).isEmpty();
    }
  }

  @Test
  void serversThatAnswerNegative_receiveNoRequest_byTheirOwnCount(TestCluster cluster)
      throws Exception {
    try (PublishedTable table = PublishedTable.create(cluster, "d", "h", "m", "r", "w");
        RoutedReads routed = new RoutedReads(cluster, table.name(), ROUTE_TIMEOUT_MILLIS)) {
      ServerName holder = spread(cluster, table, HOLDER_OF_K);
      Map<ServerName, Long> before;
      Map<ServerName, Long> after;
      IndexCounters counted;
      long precise;
      int rounds = 0;
      do {
        assertThat(rounds++).as("rounds in which some filter had lapsed").isLessThan(20);
        table.awaitPrecise();
        precise = IndexMetricsView.count("routesPrecise");
        before = scanRequests(cluster);
        IndexCounters earlier = IndexCounters.of(table.name());
        for (int query = 0; query < QUERIES; query++) {
          String row = "k" + query % 10;
          assertThat(find(routed, row + "@example.org")).containsExactly(row);
          assertThat(find(routed, query + "@nowhere")).isEmpty();
        }
        after = scanRequests(cluster);
        counted = IndexCounters.of(table.name()).since(earlier);
      } while (IndexMetricsView.count("routesPrecise") < precise + 2 * QUERIES);

      // A gathered call that has no time to read its region leaves it to a scan.
      assertThat(counted.get(IndexCounter.SCANS_JUMPED))
          .as("regions that were asked, of six; %s", counted)
          .isBetween((long) QUERIES, QUERIES + QUERIES / 10L);
      before.remove(holder);
      after.remove(holder);
      assertThat(after).as("scan requests of the other servers").isEqualTo(before).hasSize(2);
    }
  }

  /** Scan requests that each server has counted, whatever the table. */
  private static Map<ServerName, Long> scanRequests(TestCluster cluster) {
    Map<ServerName, Long> requests = new TreeMap<>();
    for (RegionServerThread thread : cluster.mini().getLiveRegionServerThreads()) {
      HRegionServer server = thread.getRegionServer();
      requests.put(
          server.getServerName(),
          server.getMetrics().getRegionServerWrapper().getRpcScanRequestsCount());
    }
    return requests;
  }

  private static List<String> find(RoutedReads table, String email) throws IOException {
    List<String> rows = new ArrayList<>();
    try (ResultScanner scanner = table.scan(PublishedTable.byEmail(email))) {
      scanner.forEach(result -> rows.add(Bytes.toString(result.getRow())));
    }
    return rows;
  }

  /**
   * Puts the regions on the three servers in turn, so that the given one is on the server that has
   * HBase's own catalog, which HBase scans all the time; the others are quiet. Waits until all are
   * precise.
   *
   * @return the server of the given region
   */
  private static ServerName spread(TestCluster cluster, PublishedTable table, int withCatalog)
      throws Exception {
    ServerName catalog = cluster.regions().serverOf(RegionInfoBuilder.FIRST_META_REGIONINFO);
    List<ServerName> servers = cluster.servers().live();
    List<RegionInfo> regions = cluster.regions().of(table.name());
    for (int i = 0; i < regions.size(); i++) {
      int turn = servers.indexOf(catalog) + i - withCatalog + servers.size();
      ServerName target = servers.get(turn % servers.size());
      if (!cluster.regions().serverOf(regions.get(i)).equals(target)) {
        cluster.regions().move(regions.get(i), target);
      }
    }
    table.awaitPrecise();
    return catalog;
  }
}
