/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.it.cluster.IndexCounters;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.PublishCounters;
import io.hbaseindex.it.cluster.SharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.Waits;
import io.hbaseindex.region.metrics.IndexCounter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** A query visits only the regions that hold the value, and never misses one. */
@OnSharedCluster
class RoutingIT {

  @Test
  void absentValue_onAPreciseTable_asksNoRegion(TestCluster cluster) throws Exception {
    try (RoutingTable table = RoutingTable.create(cluster, "d", "h", "m", "r", "w")) {
      fill(table);
      table.awaitPrecise();

      awaitVisits(table, "nobody@example.org", List.of());
    }
  }

  @Test
  void uniqueValue_onAPreciseTable_asksOneRegion(TestCluster cluster) throws Exception {
    try (RoutingTable table = RoutingTable.create(cluster, "d", "h", "m", "r", "w")) {
      fill(table);
      table.awaitPrecise();

      assertThat(table.preciseRoute("k7@example.org").ranges()).hasSize(1);
      assertThat(table.preciseRoute("k7@example.org").skippedRegions()).isEqualTo(5);
      awaitVisits(table, "k7@example.org", List.of("k7"));
    }
  }

  /**
   * Waits until a query, which must always find these rows, visits one region for each of them, by
   * the region servers' own counters: trust may lapse for a moment on a busy machine.
   */
  private static void awaitVisits(RoutingTable table, String email, List<String> rows) {
    Waits.until("a query visits no region but those of " + rows)
        .until(
            () -> {
              IndexCounters before = table.counters();
              assertThat(table.find(email)).isEqualTo(rows);
              IndexCounters counted = table.counters().since(before);
              return counted.get(IndexCounter.SCANS_JUMPED) + counted.get(IndexCounter.SCANS_PLAIN)
                  == rows.size();
            });
  }

  @Test
  void write_onceAcknowledged_isFoundThroughTheNextRoute(TestCluster cluster) throws Exception {
    try (RoutingTable table = RoutingTable.create(cluster, "d", "h", "m", "r", "w")) {
      table.awaitPrecise();
      int excluded = 0;
      for (int i = 0; i < 300; i++) {
        String row = Character.toString('a' + i % 26) + i;
        table.put(row, row + "@new");
        assertThat(table.find(row + "@new")).as("row %s just written", row).containsExactly(row);
        excluded += table.route(row + "@new").skippedRegions();
      }

      // Were the regions open all the time, nothing would have been shown.
      assertThat(excluded).isGreaterThan(300 * 4);
    }
  }

  @Test
  void lastRowOfAValue_deletedOrOverwritten_makesItsRouteNegative(TestCluster cluster)
      throws Exception {
    try (RoutingTable table = RoutingTable.create(cluster, "d", "h", "m", "r", "w")) {
      for (int i = 0; i < 2000; i++) {
        table.put("a" + i, "frequent");
      }
      table.put("x1", "rare");
      table.awaitPrecise();
      assertThat(table.route("frequent").skippedRegions()).isEqualTo(5);

      for (int i = 0; i < 2000; i++) {
        table.delete("a" + i);
      }
      table.put("x1", "other");

      Waits.until("both values are forgotten")
          .until(
              () ->
                  table.route("frequent").skippedRegions() == 6
                      && table.route("rare").skippedRegions() == 6);
      assertThat(table.find("other")).containsExactly("x1");
    }
  }

  @Test
  void absentValues_tenThousandOfThem_areMistakenNoMoreThanTwiceAsOftenAsInTheory(
      TestCluster cluster) throws Exception {
    // Coarse, so that there are enough mistakes to count; the first segment of each is nearly full.
    double error = 0.02;
    int shards = SharedCluster.shards();
    int valuesPerRegion = 1_000 * shards;
    try (RoutingTable table = RoutingTable.create(cluster, error, "d", "h", "m", "r", "w")) {
      for (char row : "aeinsx".toCharArray()) {
        Map<String, String> emails = new HashMap<>();
        for (int i = 0; i < valuesPerRegion; i++) {
          emails.put("" + row + i, "" + row + i + "@example.org");
        }
        table.putAll(emails);
      }
      table.awaitPrecise();
      // A value is asked of one shard, and a region's error is that of all its shards.
      double inTheory =
          table.views().stream().mapToDouble(region -> region.size().error()).sum() / shards;
      int asked = 10_000;
      long excludedBefore = PublishCounters.of("routesExcludedRegions");
      int mistaken = 0;
      for (int i = 0; i < asked; i++) {
        mistaken += table.preciseRoute("absent" + i + "@example.org").positiveRegions();
      }
      long excluded = PublishCounters.of("routesExcludedRegions") - excludedBefore;
      System.out.printf(
          "%d of %d regions mistaken over %d absent values; %.0f expected%n",
          mistaken, 6 * asked, asked, inTheory * asked);
      assertThat(inTheory * asked).as("enough mistakes to count").isGreaterThan(30);
      assertThat(inTheory).isLessThanOrEqualTo(6 * error);
      assertThat((double) mistaken).isLessThanOrEqualTo(2 * inTheory * asked);
      assertThat(excluded).isGreaterThanOrEqualTo(6L * asked - mistaken);
    }
  }

  @Test
  void majorCompaction_buildsTheFilterAnew(TestCluster cluster) throws Exception {
    try (RoutingTable table = RoutingTable.create(cluster, "m")) {
      fill(table);
      table.awaitPrecise();
      long generation = table.views().get(0).generation();

      cluster.regions().flush(table.regions().get(0));
      cluster.regions().majorCompact(table.regions().get(0));

      Waits.until("the master has the new filter")
          .until(() -> table.views().get(0).generation() > generation);
      table.awaitPrecise();
      assertThat(table.find("c3@example.org")).containsExactly("c3");
    }
  }

  /** HBase itself gives a region that nobody wrote to the same number after each crash. */
  @Test
  void m3_regionWhoseServerDiesBeforeAnyWrite_hasAHigherEpochEachTime(TestCluster cluster)
      throws Exception {
    try (RoutingTable table = RoutingTable.create(cluster)) {
      RegionInfo region = table.regions().get(0);
      List<Long> epochs = new ArrayList<>();
      for (int crash = 0; crash < 3; crash++) {
        String server = cluster.regions().serverOf(region).toString();
        Waits.until("the region announces itself")
            .ignoreExceptionsInstanceOf(IOException.class)
            .until(() -> table.views().stream().anyMatch(view -> view.server().equals(server)));
        epochs.add(table.views().get(0).epoch());
        cluster.servers().abortAndReplace(cluster.regions().serverOf(region));
      }
      assertThat(epochs).isSorted().doesNotHaveDuplicates();
    }
  }

  @Test
  void movesSplitsAndMerges_loseNothing_andEndPrecise(TestCluster cluster) throws Exception {
    try (RoutingTable table = RoutingTable.create(cluster, "d", "h", "m", "r", "w")) {
      fill(table);
      table.awaitPrecise();
      RegionInfo first = table.regions().get(0);
      ServerName elsewhere =
          cluster.mini().getLiveRegionServerThreads().stream()
              .map(thread -> thread.getRegionServer().getServerName())
              .filter(server -> !server.equals(cluster.regions().serverOf(first)))
              .findFirst()
              .orElseThrow();

      cluster.regions().move(first, elsewhere);
      assertThat(table.find("a3@example.org")).containsExactly("a3");
      cluster.regions().split(table.regions().get(2), Bytes.toBytes("k"));
      assertThat(table.find("k3@example.org")).containsExactly("k3");
      cluster.regions().merge(table.regions().get(4), table.regions().get(5));
      assertThat(table.find("s3@example.org")).containsExactly("s3");

      table.awaitPrecise();
      for (char row = 'a'; row <= 'z'; row++) {
        assertThat(table.find(row + "5@example.org")).containsExactly(row + "5");
        assertThat(table.route(row + "5@example.org").skippedRegions()).isEqualTo(5);
      }
    }
  }

  private static void fill(RoutingTable table) throws Exception {
    for (char row = 'a'; row <= 'z'; row++) {
      for (int i = 0; i < 10; i++) {
        table.put("" + row + i, "" + row + i + "@example.org");
      }
    }
  }
}
