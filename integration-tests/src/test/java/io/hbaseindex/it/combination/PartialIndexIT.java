/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.combination;

import static io.hbaseindex.it.combination.PlacesTable.is;
import static io.hbaseindex.it.combination.PlacesTable.where;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.client.IndexedConnection;
import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.admin.explain.Explanation;
import io.hbaseindex.client.admin.status.Progress;
import io.hbaseindex.client.query.Column;
import io.hbaseindex.client.query.IndexQuery;
import io.hbaseindex.client.query.QueryClient;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.it.cluster.IndexCounters;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.TestTable;
import io.hbaseindex.it.cluster.Waits;
import io.hbaseindex.it.combination.PlacesTable.Found;
import io.hbaseindex.it.index.Findings;
import io.hbaseindex.it.index.IndexProbe;
import io.hbaseindex.region.metrics.IndexCounter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** An index of rows that meet a condition serves queries that ask for no others. */
@OnSharedCluster
class PartialIndexIT {
  private static final byte[] STATUS = Bytes.toBytes("status");
  private static final Column CITY_COLUMN = Column.of("f", "city");
  private static final Column STATUS_COLUMN = Column.of("f", "status");

  private static IndexDefinition openCities() {
    return IndexDefinition.on("f", "city").where("f:status=open").named("open_cities").eager();
  }

  /** Every region has Graz, and two regions have an open one. */
  private static PlacesTable places(TestCluster cluster) throws Exception {
    PlacesTable table = new PlacesTable(cluster, openCities());
    fill(table);
    table.awaitPrecise();
    return table;
  }

  private static void fill(PlacesTable table) throws Exception {
    for (String region : List.of("a", "b", "c", "d", "e")) {
      table.put(region + "1", Map.of("city", "Graz", "status", "done"));
      table.put(region + "2", Map.of("city", "Linz", "status", "open"));
      table.put(region + "3", Map.of("city", "Wien"));
    }
    table.put("b4", Map.of("city", "Graz", "status", "open"));
    table.put("d4", Map.of("city", "Graz", "status", "open"));
    table.put("e4", Map.of("status", "open"));
  }

  @Test
  void e3_queryThatImpliesTheCondition_visitsOnlyRegionsWithSuchRows(TestCluster cluster)
      throws Exception {
    try (PlacesTable table = places(cluster)) {
      Scan open = where(is("city", "Graz"), is("status", "open"));
      assertThat(table.plan(open).askedBy()).containsExactly("open_cities(f:city)");
      IndexCounters before = table.counters();
      assertThat(table.find(open)).isEqualTo(new Found(List.of("b4", "d4"), List.of("b", "d")));
      IndexCounters counted = table.counters().since(before);
      assertThat(counted.get(IndexCounter.SCANS_JUMPED)).isEqualTo(2);
      assertThat(counted.get(IndexCounter.SCANS_PLAIN)).isZero();
      assertThat(table.find(where(is("city", "Wien"), is("status", "open"))))
          .isEqualTo(new Found(List.of(), List.of()));
    }
  }

  @Test
  void e3_queryThatAsksForMore_isNotRoutedAndMissesNothing(TestCluster cluster) throws Exception {
    try (PlacesTable table = places(cluster)) {
      for (Scan scan :
          List.of(
              where(is("city", "Graz")),
              where(is("city", "Graz"), is("status", "done")),
              where(is("status", "open")))) {
        assertThat(table.isRouted(scan)).isFalse();
        IndexCounters before = table.counters();
        Found found = table.find(scan);
        assertThat(found.rows()).isEqualTo(table.rows(IndexProbe.withoutIndex(scan)));
        assertThat(found.regions()).hasSize(5);
        assertThat(table.counters().since(before).get(IndexCounter.SCANS_JUMPED)).isZero();
      }
      assertThat(table.find(where(is("city", "Graz"))).rows()).hasSize(7);
      assertThat(table.find(where(is("status", "open"))).rows()).contains("e4").hasSize(8);
    }
  }

  @Test
  void p15_everyMutationOfTheConditionsColumn_beginsOrEndsThePosting(TestCluster cluster)
      throws Exception {
    try (PlacesTable table = places(cluster)) {
      Scan open = where(is("city", "Graz"), is("status", "open"));
      table.put("a1", Map.of("status", "open"));
      assertThat(table.find(open).rows()).containsExactly("a1", "b4", "d4");
      table.table().append(new Append(row("c1")).addColumn(TestTable.F, STATUS, row("!")));
      table.put("b4", Map.of("status", "done"));
      table.table().delete(new Delete(row("d4")).addColumns(TestTable.F, STATUS));
      assertThat(table.find(open).rows()).containsExactly("a1");
      RowMutations both = new RowMutations(row("c1"));
      both.add(new Delete(row("c1")).addFamily(TestTable.F, 5));
      both.add(new Put(row("c1")).addColumn(TestTable.F, STATUS, row("open")));
      table.table().mutateRow(both);
      assertThat(table.find(open).rows()).containsExactly("a1", "c1");
      table.delete("c1");
      table.put("a1", Map.of("status", "done"));
      assertThat(table.find(open).rows()).isEmpty();
      Waits.until("the end of the value to reach the master")
          .until(() -> table.plan(open).ranges().isEmpty());
      requireSound(cluster, table);
    }
  }

  private static void requireSound(TestCluster cluster, PlacesTable table) throws Exception {
    Findings findings = new IndexProbe(cluster, table.name()).check();
    assertThat(findings.missing()).isEmpty();
    assertThat(findings.overstated()).isEmpty();
    assertThat(findings.dangling()).isEmpty();
  }

  @Test
  void p5p6_writesToTheConditionsColumn_areRefusedAsThoseToIndexedOnes(TestCluster cluster)
      throws Exception {
    try (PlacesTable table = places(cluster)) {
      Put unlogged = new Put(row("a1")).addColumn(TestTable.F, STATUS, row("open"));
      assertThatThrownBy(() -> table.table().put(unlogged.setDurability(Durability.SKIP_WAL)))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining("it concerns column f:status of the condition of index ")
          .hasMessageContaining("its durability was SKIP_WAL");
      Put mortal = new Put(row("a1")).addColumn(TestTable.F, STATUS, row("open"));
      assertThatThrownBy(() -> table.table().put(mortal.setTTL(60_000)))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining("it concerns column f:status of the condition of index ")
          .hasMessageContaining("has a TTL of its own");
    }
  }

  @Test
  void count_ofRowsThatMeetTheCondition_comesFromPostings(TestCluster cluster) throws Exception {
    try (PlacesTable table = places(cluster)) {
      QueryClient client = QueryClient.of(cluster.connection());
      IndexQuery open =
          IndexQuery.from(table.name())
              .where(CITY_COLUMN.equalTo("Linz").and(STATUS_COLUMN.equalTo("open")));
      IndexCounters before = table.counters();
      assertThat(client.count(open)).isEqualTo(5);
      IndexCounters counted = table.counters().since(before);
      assertThat(counted.get(IndexCounter.COUNTED_BY_POSTINGS)).isEqualTo(5);
      assertThat(counted.get(IndexCounter.COUNTED_BY_ROWS)).isZero();
      IndexQuery all =
          IndexQuery.from(table.name())
              .where(CITY_COLUMN.isPresent().and(STATUS_COLUMN.equalTo("open")));
      before = table.counters();
      assertThat(client.values(all, CITY_COLUMN)).hasSize(2);
      counted = table.counters().since(before);
      assertThat(counted.get(IndexCounter.COUNTED_BY_POSTINGS)).isEqualTo(7);
    }
  }

  @Test
  void conditionChanged_isBuiltAnew_whileNothingIsMissed(TestCluster cluster) throws Exception {
    try (PlacesTable table =
        new PlacesTable(cluster, IndexDefinition.on("f", "country").named("by_country").eager())) {
      fill(table);
      IndexAdmin admin = IndexAdmin.of(cluster.connection());
      assertThat(admin.create(table.name(), openCities())).isTrue();
      admin.awaitReady(table.name(), Duration.ofMinutes(2), Progress.NONE);
      table.awaitPrecise();
      Scan open = where(is("city", "Graz"), is("status", "open"));
      Scan done = where(is("city", "Graz"), is("status", "done"));
      assertThat(table.plan(open).askedBy()).containsExactly("open_cities(f:city)");
      assertThat(table.find(open).regions()).containsExactly("b", "d");
      assertThat(admin.create(table.name(), openCities())).as("the same again").isFalse();

      IndexDefinition other =
          IndexDefinition.on("f", "city")
              .where(STATUS_COLUMN.in("done", "lost").forIndex())
              .named("open_cities")
              .eager();
      assertThat(admin.create(table.name(), other)).isTrue();
      assertThat(table.find(open).rows()).containsExactly("b4", "d4");
      assertThat(table.find(done).rows()).hasSize(5);
      admin.awaitReady(table.name(), Duration.ofMinutes(2), Progress.NONE);
      table.awaitPrecise();

      assertThat(table.isRouted(open)).isFalse();
      assertThat(table.find(open).rows()).containsExactly("b4", "d4");
      assertThat(table.plan(done).askedBy()).containsExactly("open_cities(f:city)");
      IndexCounters before = table.counters();
      assertThat(table.find(done).rows()).containsExactly("a1", "b1", "c1", "d1", "e1");
      assertThat(table.counters().since(before).get(IndexCounter.SCANS_JUMPED)).isEqualTo(5);
      assertThat(admin.verify(table.name(), Progress.NONE).isClean()).isTrue();
      assertThat(admin.list(table.name()).get(1).version()).isEqualTo(2);
    }
  }

  @Test
  void explain_saysWhyTheIndexIsNotUsed(TestCluster cluster) throws Exception {
    try (PlacesTable table = places(cluster);
        IndexedConnection routing =
            IndexedConnection.wrap(ConnectionFactory.createConnection(cluster.configuration()))) {
      Explanation explanation =
          IndexAdmin.of(routing).explain(table.name(), where(is("city", "Graz")));
      assertThat(explanation.indexes())
          .singleElement()
          .satisfies(
              use ->
                  assertThat(use.reasons())
                      .containsOnlyKeys(
                          "it has only rows with f:status=open, which the condition does not ask for"));
    }
  }

  private static byte[] row(String name) {
    return Bytes.toBytes(name);
  }
}
