/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.combination;

import static io.hbaseindex.it.combination.PlacesTable.is;
import static io.hbaseindex.it.combination.PlacesTable.where;
import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.client.IndexedConnection;
import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.admin.explain.Explanation;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.PublishCounters;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.Waits;
import io.hbaseindex.it.combination.PlacesTable.Found;
import io.hbaseindex.it.scan.Filters;
import io.hbaseindex.region.metrics.IndexCounter;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.junit.jupiter.api.Test;

/** Scans that fix some columns of an index visit only regions that hold such a combination. */
@OnSharedCluster
class RouteSetsIT {

  private static PlacesTable places(TestCluster cluster) throws Exception {
    PlacesTable table =
        new PlacesTable(cluster, PlacesTable.byPlace().routes("f:country", "f:status").eager());
    fill(table);
    return table;
  }

  /** Every region has AT and DE, and Graz and open, but not every combination of them. */
  private static void fill(PlacesTable table) throws Exception {
    for (String region : List.of("a", "b", "c", "d", "e")) {
      table.put(region + "1", Map.of("country", "AT", "city", "Wien", "status", "done"));
      table.put(region + "2", Map.of("country", "DE", "city", "Graz", "status", "open"));
    }
    table.put("b3", Map.of("country", "AT", "city", "Graz", "status", "done"));
    table.put("c3", Map.of("country", "AT", "city", "Linz", "status", "open"));
    table.put("d3", Map.of("country", "CH", "city", "Chur", "status", "open"));
    table.put("e3", Map.of("country", "IT", "status", "open"));
    table.put("e4", Map.of("city", "Rom", "status", "lost"));
    table.awaitPrecise();
  }

  @Test
  void firstColumn_visitsTheRegionsThatHoldIt(TestCluster cluster) throws Exception {
    try (PlacesTable table = places(cluster)) {
      Scan swiss = where(is("country", "CH"));
      assertThat(table.plan(swiss).askedBy()).containsExactly("by_place(f:country)");
      assertThat(table.find(swiss)).isEqualTo(new Found(List.of("d3"), List.of("d")));
      assertThat(table.find(where(is("country", "FR")))).isEqualTo(new Found(List.of(), List.of()));
    }
  }

  @Test
  void combinationThatOnlyDifferentRowsOfARegionHave_isNotLookedForThere(TestCluster cluster)
      throws Exception {
    try (PlacesTable table = places(cluster)) {
      Scan leading = where(is("country", "AT"), is("city", "Graz"));
      table.plan(leading);
      assertThat(table.find(leading)).isEqualTo(new Found(List.of("b3"), List.of("b")));

      Scan declared = where(is("status", "open"), is("country", "AT"));
      assertThat(table.plan(declared).askedBy()).containsExactly("by_place(f:country+f:status)");
      assertThat(table.find(declared)).isEqualTo(new Found(List.of("c3"), List.of("c")));

      Scan whole = where(is("country", "AT"), is("city", "Graz"), is("status", "open"));
      assertThat(table.plan(whole).askedBy())
          .containsExactly("by_place(f:country+f:city+f:status)");
      assertThat(table.find(whole)).isEqualTo(new Found(List.of(), List.of()));
    }
  }

  @Test
  void listsOfValues_areMultipliedOut(TestCluster cluster) throws Exception {
    try (PlacesTable table = places(cluster)) {
      Scan lists =
          where(
              Filters.any(is("country", "AT"), is("country", "CH")),
              Filters.any(is("city", "Graz"), is("city", "Chur"), is("city", "Bern")));
      assertThat(table.plan(lists).askedBy()).containsExactly("by_place(f:country+f:city)");
      assertThat(table.find(lists)).isEqualTo(new Found(List.of("b3", "d3"), List.of("b", "d")));
    }
  }

  @Test
  void e1_rowWithoutALaterColumn_isFoundByTheOthers(TestCluster cluster) throws Exception {
    try (PlacesTable table = places(cluster)) {
      table.plan(where(is("country", "IT")));
      assertThat(table.find(where(is("country", "IT"))))
          .isEqualTo(new Found(List.of("e3"), List.of("e")));
      assertThat(table.find(where(is("country", "IT"), is("status", "open"))))
          .isEqualTo(new Found(List.of("e3"), List.of("e")));
      assertThat(table.find(where(is("country", "IT"), is("city", "Rom"))))
          .isEqualTo(new Found(List.of(), List.of()));
    }
  }

  @Test
  void e2_rowWithoutTheFirstColumn_isFoundByAScanOfAllRegions(TestCluster cluster)
      throws Exception {
    try (PlacesTable table = places(cluster)) {
      Scan lost = where(is("city", "Rom"), is("status", "lost"));
      assertThat(table.isRouted(lost)).isFalse();
      assertThat(table.find(lost).rows()).containsExactly("e4");
    }
  }

  @Test
  void e1_lastRowOfACombination_changedOrDeleted_takesAllItsSetsOut(TestCluster cluster)
      throws Exception {
    try (PlacesTable table = places(cluster)) {
      table.plan(where(is("country", "CH")));
      table.put("d3", Map.of("status", "done"));
      forgotten(table, where(is("country", "CH"), is("status", "open")));
      assertThat(table.find(where(is("country", "CH"), is("city", "Chur"))))
          .isEqualTo(new Found(List.of("d3"), List.of("d")));
      table.delete("d3");
      forgotten(table, where(is("country", "CH"), is("status", "done")));
      forgotten(table, where(is("country", "CH"), is("city", "Chur")));
      forgotten(table, where(is("country", "CH")));
      assertThat(table.find(where(is("country", "AT"), is("city", "Graz"))).rows())
          .containsExactly("b3");
    }
  }

  private static void forgotten(PlacesTable table, Scan scan) {
    Waits.until("the end of a combination to reach the master")
        .until(() -> table.plan(scan).ranges().isEmpty());
  }

  @Test
  void storedFilter_hasAllSets_andForgetsThem(TestCluster cluster) throws Exception {
    try (PlacesTable table = places(cluster)) {
      long loaded = PublishCounters.of("publishFiltersLoaded");
      for (RegionInfo region : table.regions()) {
        ServerName here = cluster.regions().serverOf(region);
        cluster
            .regions()
            .move(
                region,
                cluster.servers().live().stream()
                    .filter(server -> !server.equals(here))
                    .findFirst()
                    .orElseThrow());
      }
      table.awaitPrecise();
      assertThat(PublishCounters.of("publishFiltersLoaded")).isGreaterThan(loaded);
      table.plan(where(is("country", "CH")));
      assertThat(table.find(where(is("country", "AT"), is("status", "open"))))
          .isEqualTo(new Found(List.of("c3"), List.of("c")));
      table.delete("d3");
      forgotten(table, where(is("country", "CH")));
    }
  }

  @Test
  void routeDeclaredLater_isUsedWhenFiltersKnowIt_andNothingIsMissedBefore(TestCluster cluster)
      throws Exception {
    try (PlacesTable table = new PlacesTable(cluster, PlacesTable.byPlace().eager())) {
      fill(table);
      Scan scan = where(is("country", "AT"), is("status", "open"));
      assertThat(table.plan(scan).askedBy()).containsExactly("by_place(f:country)");
      assertThat(table.find(scan).regions()).hasSize(5);
      long built = table.counters().get(IndexCounter.BUILDS_STARTED);
      IndexAdmin admin = IndexAdmin.of(cluster.connection());

      assertThat(
              admin.create(
                  table.name(), PlacesTable.byPlace().routes("f:country", "f:status").eager()))
          .isTrue();
      assertThat(table.find(scan).rows()).containsExactly("c3");
      table.awaitPrecise();

      assertThat(table.plan(scan).askedBy()).containsExactly("by_place(f:country+f:status)");
      assertThat(table.find(scan)).isEqualTo(new Found(List.of("c3"), List.of("c")));
      assertThat(table.counters().get(IndexCounter.BUILDS_STARTED))
          .as("postings built anew")
          .isEqualTo(built);
      assertThat(admin.create(table.name(), PlacesTable.byPlace().eager())).isFalse();
      assertThat(admin.list(table.name()))
          .singleElement()
          .satisfies(index -> assertThat(index.declaredRoutes()).hasSize(1));
    }
  }

  @Test
  void explain_namesTheSetsThatPruned(TestCluster cluster) throws Exception {
    try (PlacesTable table = places(cluster);
        IndexedConnection routing =
            IndexedConnection.wrap(ConnectionFactory.createConnection(cluster.configuration()))) {
      Scan scan = where(is("country", "AT"), is("status", "open"));
      table.plan(scan);
      Explanation explanation = IndexAdmin.of(routing).explain(table.name(), scan);
      assertThat(explanation.route().askedBy()).containsExactly("by_place(f:country+f:status)");
      assertThat(explanation.route().skipped()).isEqualTo(4);
      assertThat(explanation.visits()).hasSize(1);
      assertThat(explanation.rows()).isEqualTo(1);
    }
  }
}
