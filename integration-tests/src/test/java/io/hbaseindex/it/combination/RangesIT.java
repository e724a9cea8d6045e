/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.combination;

import static io.hbaseindex.it.combination.PlacesTable.is;
import static io.hbaseindex.it.combination.PlacesTable.where;
import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.client.IndexedConnection;
import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.admin.explain.Explanation;
import io.hbaseindex.client.routing.RoutePlan;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.PublishCounters;
import io.hbaseindex.it.cluster.Seed;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.Waits;
import io.hbaseindex.it.combination.PlacesTable.Found;
import io.hbaseindex.it.scan.Filters;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Scans for a range of values visit only regions whose values may lie in it. */
@OnSharedCluster
class RangesIT {
  private static final String BOUNDS = "by_day(f:day) bounds";

  private static PlacesTable empty(TestCluster cluster) throws Exception {
    return new PlacesTable(
        cluster, IndexDefinition.on("f", "day").and("f", "city").named("by_day").eager());
  }

  private static PlacesTable days(TestCluster cluster) throws Exception {
    PlacesTable table = empty(cluster);
    int day = 10;
    for (String region : List.of("a", "b", "c", "d", "e")) {
      table.put(region + "1", Map.of("day", "2026-11-" + day, "city", "Wien"));
      table.put(region + "2", Map.of("day", "2026-11-" + (day + 2), "city", "Graz"));
      table.put(region + "3", Map.of("city", "Linz"));
      day += 3;
    }
    table.awaitPrecise();
    return table;
  }

  private static Filter day(CompareOperator operator, String value) {
    return Filters.compare("f:day", operator, value);
  }

  private static Scan between(String from, String to) {
    return where(
        day(CompareOperator.GREATER_OR_EQUAL, from), day(CompareOperator.LESS_OR_EQUAL, to));
  }

  private static Found found(String rows, String regions) {
    return new Found(words(rows), words(regions));
  }

  private static List<String> words(String text) {
    return text.isEmpty() ? List.of() : List.of(text.split(" "));
  }

  @Test
  void range_visitsTheRegionsThatMeetIt(TestCluster cluster) throws Exception {
    try (PlacesTable table = days(cluster)) {
      Scan scan = between("2026-11-15", "2026-11-17");
      assertThat(table.plan(scan).askedBy()).containsExactly(BOUNDS);
      assertThat(table.find(scan)).isEqualTo(found("b2 c1", "b c"));
      assertThat(table.find(where(day(CompareOperator.LESS, "2026-11-10"))))
          .isEqualTo(found("", ""));
      assertThat(table.find(where(day(CompareOperator.GREATER, "2026-11-22"))))
          .isEqualTo(found("e2", "e"));
      assertThat(table.find(between("2026-11-12", "2026-11-13")).regions())
          .containsExactly("a", "b");
      assertThat(table.find(where(Filters.startsWith("f:day", "2026-11-1"))))
          .isEqualTo(found("a1 a2 b1 b2 c1 c2 d1", "a b c d"));
    }
  }

  @Test
  void rangeBesideEquality_bothExclude_andTheLaterColumnIsNoBound(TestCluster cluster)
      throws Exception {
    try (PlacesTable table = days(cluster)) {
      Scan wien = where(is("city", "Wien"), day(CompareOperator.GREATER_OR_EQUAL, "2026-11-18"));
      assertThat(table.plan(wien).askedBy()).containsExactly(BOUNDS);
      assertThat(table.find(wien)).isEqualTo(found("d1 e1", "c d e"));
      Scan one = where(is("day", "2026-11-12"), day(CompareOperator.LESS, "2026-11-14"));
      assertThat(table.find(one)).isEqualTo(found("a2", "a"));
      Scan either =
          new Scan()
              .setFilter(
                  Filters.any(is("day", "2026-11-10"), day(CompareOperator.GREATER, "2026-11-22")));
      assertThat(table.find(either)).isEqualTo(found("a1 e2", "a e"));
      assertThat(table.isRouted(where(Filters.startsWith("f:city", "W")))).isFalse();
    }
  }

  @Test
  void e4_writesWidenBounds_atOnce_andDeletesDoNotNarrowThem(TestCluster cluster) throws Exception {
    try (PlacesTable table = days(cluster)) {
      Scan later = where(day(CompareOperator.GREATER, "2026-11-30"));
      assertThat(table.plan(later).ranges()).isEmpty();
      table.put("b2", Map.of("day", "2026-12-24"));
      assertThat(table.find(later)).isEqualTo(found("b2", "b"));
      table.put("d9", Map.of("day", "2027-01-01"));
      assertThat(table.find(later)).isEqualTo(found("b2 d9", "b d"));
      table.put("b2", Map.of("day", "2026-11-13"));
      table.delete("d9");
      assertThat(table.find(later)).isEqualTo(found("", "b d"));

      for (RegionInfo region : table.regions()) {
        cluster.regions().flush(region);
        cluster.regions().majorCompact(region);
      }
      Waits.until("filters that are built after a compaction to have narrower bounds")
          .until(() -> table.plan(later).ranges().isEmpty());
      // A region that reads its postings for a filter counts that as requests that it has served.
      Waits.until("no region reads its postings any more")
          .until(() -> table.find(between("2026-11-13", "2026-11-13")).equals(found("b1 b2", "b")));
    }
  }

  /** Such an index does without bounds: a range of it visits all regions, and misses nothing. */
  @Test
  void indexWithoutRanges_rangesVisitAllRegions_andValuesThoseThatHaveThem(TestCluster cluster)
      throws Exception {
    IndexDefinition without =
        IndexDefinition.on("f", "day").and("f", "city").noRanges().named("by_day").eager();
    try (PlacesTable table = new PlacesTable(cluster, without)) {
      table.put("a1", Map.of("day", "2026-11-10", "city", "Wien"));
      table.put("c1", Map.of("day", "2026-11-16", "city", "Graz"));
      table.awaitPrecise();
      Scan later = where(day(CompareOperator.GREATER, "2026-11-12"));
      assertThat(table.isRouted(later)).isFalse();
      assertThat(table.find(later)).isEqualTo(found("c1", "a b c d e"));
      table.put("e1", Map.of("day", "2026-12-24"));
      assertThat(table.find(later).rows()).containsExactly("c1", "e1");

      Scan one = where(is("day", "2026-11-16"), day(CompareOperator.GREATER, "2026-11-12"));
      assertThat(table.plan(one).askedBy()).containsExactly("by_day(f:day)");
      assertThat(table.find(one)).isEqualTo(found("c1", "c"));
    }
  }

  @Test
  void storedFilters_haveTheirBounds(TestCluster cluster) throws Exception {
    try (PlacesTable table = days(cluster)) {
      table.put("c9", Map.of("day", "2026-12-24"));
      long loaded = PublishCounters.of("publishFiltersLoaded");
      for (RegionInfo region : table.regions()) {
        move(cluster, region);
      }
      table.awaitPrecise();
      assertThat(PublishCounters.of("publishFiltersLoaded")).isGreaterThan(loaded);
      Scan later = where(day(CompareOperator.GREATER, "2026-11-22"));
      table.plan(later);
      assertThat(table.find(later)).isEqualTo(found("c9 e2", "c e"));
      table.put("a9", Map.of("day", "2026-12-25"));
      assertThat(table.find(later)).isEqualTo(found("a9 c9 e2", "a c e"));
    }
  }

  private static void move(TestCluster cluster, RegionInfo region) throws Exception {
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

  @Test
  void explain_saysThatBoundsPruned(TestCluster cluster) throws Exception {
    try (PlacesTable table = days(cluster);
        IndexedConnection routing =
            IndexedConnection.wrap(ConnectionFactory.createConnection(cluster.configuration()))) {
      Scan scan = between("2026-11-19", "2026-11-20");
      table.plan(scan);
      Explanation explanation = IndexAdmin.of(routing).explain(table.name(), scan);
      assertThat(explanation.route().askedBy()).containsExactly(BOUNDS);
      assertThat(explanation.route().skipped()).isEqualTo(4);
      assertThat(explanation.visits()).hasSize(1);
      assertThat(explanation.rows()).isEqualTo(1);
    }
  }

  /**
   * Values lie anywhere, so that every region has small and large ones: half of them are there when
   * the filters are built, the others are written afterwards.
   */
  @Test
  void scatteredValues_rangeAndPrefixVisitHardlyMoreThanTheRegionsThatHaveThem(TestCluster cluster)
      throws Exception {
    long seed = Seed.fixed(20261119L).get(0);
    Seed.announce(getClass(), seed);
    Random random = new Random(seed);
    String letters = "abcdefghijklmn";
    TreeMap<String, String> built = scattered(random, letters, 0);
    TreeMap<String, String> written = scattered(random, letters, 100);
    TreeMap<String, String> rows = new TreeMap<>(built);
    rows.putAll(written);
    List<String> days = rows.values().stream().sorted().toList();
    IndexDefinition index = IndexDefinition.on("f", "day").named("by_day").eager();
    try (PlacesTable table = new PlacesTable(cluster, index, letters.substring(1).split(""))) {
      table.putAll("day", built);
      table.awaitPrecise();
      table.putAll("day", written);
      int having = 0;
      int visited = 0;
      for (int question = 0; question < 20; question++) {
        int first = random.nextInt(days.size() - 4);
        String low = days.get(first);
        String high = days.get(first + 3);
        String prefix = low.substring(0, 3);
        boolean asPrefix = question % 2 == 0;
        Scan scan = asPrefix ? where(Filters.startsWith("f:day", prefix)) : between(low, high);
        List<String> expected =
            rows.entrySet().stream()
                .filter(
                    e ->
                        asPrefix
                            ? e.getValue().startsWith(prefix)
                            : e.getValue().compareTo(low) >= 0 && e.getValue().compareTo(high) <= 0)
                .map(Map.Entry::getKey)
                .toList();
        assertThat(table.plan(scan).askedBy()).containsExactly(BOUNDS);
        Found found = table.find(scan);
        assertThat(found.rows()).isEqualTo(expected);
        having += expected.stream().map(row -> row.substring(0, 1)).distinct().count();
        visited += found.regions().size();
      }
      assertThat(visited).as("regions that were visited").isBetween(having, 2 * having);
      assertThat(visited).as("of all regions").isLessThan(20 * letters.length() / 2);
    }
  }

  private static TreeMap<String, String> scattered(Random random, String letters, int from) {
    TreeMap<String, String> rows = new TreeMap<>();
    for (String letter : letters.split("")) {
      for (int at = from; at < from + 50; at++) {
        rows.put(letter + "%03d".formatted(at), "%06d".formatted(random.nextInt(1_000_000)));
      }
    }
    return rows;
  }

  /** The oracle is a map; regions are split and moved while rows come, change and go. */
  @Test
  void randomLife_everyRangeIsFound_andMostAreNarrowed(TestCluster cluster) throws Exception {
    long seed = Seed.fixed(20261118L).get(0);
    Seed.announce(getClass(), seed);
    Random random = new Random(seed);
    TreeMap<String, String> rows = new TreeMap<>();
    try (PlacesTable table = empty(cluster)) {
      table.awaitPrecise();
      int skipped = 0;
      for (int step = 0; step < 300; step++) {
        int number = random.nextInt(100);
        String row = "abcde".charAt(number / 20) + "%02d".formatted(number);
        if (random.nextInt(4) == 0) {
          table.delete(row);
          rows.remove(row);
        } else {
          String day = "%03d".formatted(number + random.nextInt(10));
          table.put(row, Map.of("day", day));
          rows.put(row, day);
        }
        if (step == 100) {
          cluster.regions().split(table.regions().get(1), Bytes.toBytes("b30"));
        }
        if (step == 200) {
          move(cluster, table.regions().get(0));
        }
        int from = random.nextInt(100);
        String low = "%03d".formatted(from);
        String high = "%03d".formatted(from + random.nextInt(20));
        Scan scan = between(low, high);
        List<String> expected =
            rows.entrySet().stream()
                .filter(e -> e.getValue().compareTo(low) >= 0 && e.getValue().compareTo(high) <= 0)
                .map(Map.Entry::getKey)
                .toList();
        assertThat(table.routedRows(scan))
            .as("step %d: %s to %s", step, low, high)
            .isEqualTo(expected);
        skipped += table.route(scan).map(RoutePlan::skippedRegions).orElse(0);
      }
      assertThat(skipped).as("regions that were left out").isGreaterThan(300);
    }
  }
}
