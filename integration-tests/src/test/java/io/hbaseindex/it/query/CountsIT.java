/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.client.IndexedConnection;
import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.admin.status.Progress;
import io.hbaseindex.client.query.AsyncQueryClient;
import io.hbaseindex.client.query.Column;
import io.hbaseindex.client.query.Condition;
import io.hbaseindex.client.query.IndexQuery;
import io.hbaseindex.client.query.QueryClient;
import io.hbaseindex.client.query.Value;
import io.hbaseindex.client.query.ValueCount;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.it.cluster.IndexCounters;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.TestTables;
import io.hbaseindex.it.cluster.Waits;
import io.hbaseindex.region.metrics.IndexCounter;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Numbers of rows come from postings where those are certain, and from rows where they are not. */
@OnSharedCluster
class CountsIT {
  private static final int ROWS = 1_200;
  private static final int UNCERTAIN = 30;
  private static final byte[] F = Bytes.toBytes("f");
  private static final Column CITY = Column.of("f", "city");
  private static final Column TEAM = Column.of("f", "team");
  private static final Column AGE = Column.of("f", "age");
  private static final Column NICK = Column.of("f", "nick");

  private static TableName name;
  private static QueryClient client;

  @BeforeAll
  static void load(TestCluster cluster) throws Exception {
    name =
        IndexedRows.create(
            cluster,
            "counts",
            List.of("r0300", "r0600", "r0900"),
            IndexDefinition.on("f", "city").named("by_city").eager(),
            IndexDefinition.on("f", "team").and("f", "age").named("by_team").eager(),
            IndexDefinition.on("f", "nick").named("by_nick").lazy());
    try (Table table = cluster.connection().getTable(name)) {
      List<Put> puts = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        puts.add(person(i));
      }
      table.put(puts);
      // Shown above what is deleted, and behind a marker: both are asked.
      for (int i = 0; i < UNCERTAIN; i++) {
        byte[] row = Bytes.toBytes(row(i));
        byte[] city = Bytes.toBytes("city");
        table.delete(new Delete(row).addColumns(F, city, 5_000));
        table.put(new Put(row).addColumn(F, city, 4_000, Bytes.toBytes("hidden")));
        table.delete(new Delete(row).addColumns(F, city));
        table.put(new Put(row).addColumn(F, city, 6_000, Bytes.toBytes("hidden, too")));
      }
    }
    client = QueryClient.of(cluster.connection());
  }

  private static String row(int i) {
    return "r%04d".formatted(i);
  }

  private static String city(int i) {
    return "city %d".formatted(i % 12);
  }

  private static Put person(int i) {
    return new Put(Bytes.toBytes(row(i)))
        .addColumn(F, Bytes.toBytes("city"), Bytes.toBytes(city(i)))
        .addColumn(F, Bytes.toBytes("team"), Bytes.toBytes("team " + i % 5))
        .addColumn(F, Bytes.toBytes("age"), Bytes.toBytes(i % 50))
        .addColumn(F, Bytes.toBytes("nick"), Bytes.toBytes("nick " + i % 7));
  }

  /** The rows that have a city, which is the case for those from here on. */
  private static long expected(int step, int remainder) {
    long rows = 0;
    for (int i = UNCERTAIN; i < ROWS; i++) {
      rows += i % step == remainder ? 1 : 0;
    }
    return rows;
  }

  /** What the regions say they did for a question. */
  private record Told<T>(T answer, long byPostings, long byRows, long rowsRead) {}

  private interface Question<T> {
    T ask() throws IOException;
  }

  private static <T> Told<T> told(Question<T> question) throws IOException {
    IndexCounters before = IndexCounters.of(name);
    T answer = question.ask();
    IndexCounters since = IndexCounters.of(name).since(before);
    return new Told<>(
        answer,
        since.get(IndexCounter.COUNTED_BY_POSTINGS),
        since.get(IndexCounter.COUNTED_BY_ROWS),
        since.get(IndexCounter.ROWS_READ));
  }

  private static IndexQuery where(Condition condition) {
    return IndexQuery.from(name).where(condition);
  }

  /** HBase 2.5 takes an answer without rows that is not for lack of time for a region's end. */
  @Test
  void countByRows_largerThanOneAnswer_isWhole(TestCluster cluster) throws IOException {
    Configuration small = new Configuration(cluster.configuration());
    small.setLong(HConstants.HBASE_CLIENT_SCANNER_MAX_RESULT_SIZE_KEY, 100);
    try (Connection connection = ConnectionFactory.createConnection(small)) {
      QueryClient reading = QueryClient.of(connection);
      Told<Long> told = told(() -> reading.count(where(NICK.isPresent())));
      assertThat(told.answer()).isEqualTo(ROWS);
      assertThat(told.byRows()).isEqualTo(ROWS);
    }
  }

  @Test
  void count_oneValue_readsNoRow() throws IOException {
    Told<Long> told = told(() -> client.count(where(CITY.equalTo(city(3)))));

    assertThat(told.answer()).isEqualTo(expected(12, 3));
    assertThat(told.byPostings()).isEqualTo(told.answer());
    assertThat(told.rowsRead()).isZero();
  }

  @Test
  void count_valuesBehindMarkers_asksTheirRows() throws IOException {
    Told<Long> told = told(() -> client.count(where(CITY.startsWith("hidden"))));

    assertThat(told.answer()).isZero();
    assertThat(told.byPostings()).isZero();
  }

  @Test
  void count_rangeAndList_areCountedByPostings() throws IOException {
    Told<Long> range = told(() -> client.count(where(CITY.startsWith("city 1"))));
    assertThat(range.answer()).isEqualTo(expected(12, 1) + expected(12, 10) + expected(12, 11));
    assertThat(range.byPostings()).isEqualTo(range.answer());

    Told<Long> list = told(() -> client.count(where(CITY.in(city(1), city(2), "nowhere"))));
    assertThat(list.answer()).isEqualTo(expected(12, 1) + expected(12, 2));
    assertThat(list.byPostings()).isEqualTo(list.answer());
    assertThat(list.rowsRead()).isZero();
  }

  /** Nobody has written a posting of what is left of such a row. */
  @Test
  void count_rowWhoseSecondColumnHasExpired_isCounted(TestCluster cluster) throws Exception {
    TableName expiring = TestTables.uniqueName("expiring");
    cluster
        .tables()
        .create(
            TableDescriptorBuilder.newBuilder(expiring)
                .setColumnFamily(
                    ColumnFamilyDescriptorBuilder.newBuilder(F).setTimeToLive(600).build())
                .build());
    IndexAdmin admin = IndexAdmin.of(cluster.connection());
    admin.create(
        expiring, IndexDefinition.on("f", "team").and("f", "age").named("by_team").eager());
    admin.awaitReady(expiring, Duration.ofMinutes(2), Progress.NONE);
    byte[] row = Bytes.toBytes("row");
    long now = System.currentTimeMillis();
    try (Table table = cluster.connection().getTable(expiring)) {
      table.put(
          new Put(row)
              .addColumn(F, Bytes.toBytes("team"), now, Bytes.toBytes("red"))
              .addColumn(F, Bytes.toBytes("age"), now - 595_000, Bytes.toBytes(7)));
      Waits.until("the second column has expired")
          .until(() -> table.get(new Get(row)).size(), cells -> cells == 1);
    }

    IndexQuery teams = IndexQuery.from(expiring).where(TEAM.startsWith("r"));
    assertThat(client.rows(teams)).hasSize(1);
    assertThat(client.count(teams)).isEqualTo(1);
    assertThat(client.exists(teams)).isTrue();
  }

  @Test
  void count_bothOfTwoIndexes_isCountedByPostings() throws IOException {
    Condition both =
        CITY.equalTo(city(3)).and(TEAM.equalTo("team 3")).and(AGE.equalTo(Value.of(3)));
    Told<Long> told = told(() -> client.count(where(both)));

    assertThat(told.answer()).isEqualTo(expected(300, 3));
    assertThat(told.byPostings()).isEqualTo(told.answer());
    assertThat(told.rowsRead()).isZero();
  }

  @Test
  void count_lazyIndex_asksEveryRow() throws IOException {
    Told<Long> told = told(() -> client.count(where(NICK.equalTo("nick 3"))));

    assertThat(told.answer()).isEqualTo(ROWS / 7 + (ROWS % 7 > 3 ? 1 : 0));
    assertThat(told.byPostings()).isZero();
    assertThat(told.byRows()).isEqualTo(told.answer());
  }

  @Test
  void count_withKeysLimitAndFilter_isExact() throws IOException {
    IndexQuery query = where(CITY.equalTo(city(3)));
    assertThat(client.count(query.limit(7))).isEqualTo(7);
    assertThat(client.count(query.limit(100_000))).isEqualTo(expected(12, 3));
    assertThat(client.count(query.fromRow("r0303").beforeRow("r0315"))).isEqualTo(1);
    Told<Long> filtered =
        told(() -> client.count(query.passing(new PrefixFilter(Bytes.toBytes("r09")))));
    assertThat(filtered.answer()).isEqualTo(9);
    assertThat(filtered.byPostings()).isZero();
  }

  @Test
  void exists_asksForOneRow() throws IOException {
    Told<Boolean> told = told(() -> client.exists(where(CITY.equalTo(city(3)))));
    assertThat(told.answer()).isTrue();
    assertThat(told.byPostings()).isEqualTo(1);
    assertThat(client.exists(where(CITY.equalTo("nowhere")))).isFalse();
  }

  @Test
  void count_routedAndAsynchronously_isTheSame(TestCluster cluster) throws Exception {
    Configuration conf = cluster.connection().getConfiguration();
    try (IndexedConnection routed =
        IndexedConnection.wrap(ConnectionFactory.createConnection(conf))) {
      IndexQuery query = where(CITY.equalTo(city(5)));
      assertThat(QueryClient.of(routed).count(query)).isEqualTo(expected(12, 5));
      assertThat(QueryClient.of(routed).exists(query)).isTrue();
    }
    try (AsyncConnection async =
        ConnectionFactory.createAsyncConnection(conf).get(60, TimeUnit.SECONDS)) {
      AsyncQueryClient asking = AsyncQueryClient.of(async);
      IndexQuery query = where(CITY.equalTo(city(5)));
      assertThat(asking.count(query).get(60, TimeUnit.SECONDS)).isEqualTo(expected(12, 5));
      assertThat(asking.count(query.limit(3)).get(60, TimeUnit.SECONDS)).isEqualTo(3);
      assertThat(asking.exists(query).get(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void values_ofAllRows_areCountedByPostings() throws IOException {
    Map<String, Long> cities = new TreeMap<>();
    for (int i = UNCERTAIN; i < ROWS; i++) {
      cities.merge(city(i), 1L, Long::sum);
    }
    Told<List<ValueCount>> told = told(() -> client.values(where(CITY.isPresent()), CITY));

    assertThat(told.answer().stream().map(ValueCount::toString))
        .containsExactlyElementsOf(
            cities.entrySet().stream().map(e -> e.getKey() + ": " + e.getValue()).toList());
    assertThat(told.byPostings()).isEqualTo(ROWS - UNCERTAIN);
    assertThat(told.byRows()).isZero();
  }

  @Test
  void values_ofTheSecondColumnOfAnIndex_areCountedByPostings() throws IOException {
    Told<List<ValueCount>> told = told(() -> client.values(where(TEAM.equalTo("team 2")), AGE));

    assertThat(told.answer()).hasSize(10);
    assertThat(told.answer().stream().mapToLong(ValueCount::rows).sum()).isEqualTo(ROWS / 5);
    assertThat(told.byPostings()).isEqualTo(ROWS / 5);
  }

  @Test
  void values_ofAnotherColumn_areReadFromRows() throws IOException {
    Told<List<ValueCount>> told = told(() -> client.values(where(CITY.equalTo(city(3))), NICK));

    assertThat(told.answer()).hasSize(7);
    assertThat(told.answer().stream().mapToLong(ValueCount::rows).sum()).isEqualTo(expected(12, 3));
    assertThat(told.byPostings()).isZero();
  }

  @Test
  void topMinAndMax_areThoseOfTheValues() throws IOException {
    IndexQuery all = where(CITY.isPresent());
    List<ValueCount> values = client.values(all, CITY);
    long most = values.stream().mapToLong(ValueCount::rows).max().orElseThrow();

    List<ValueCount> top = client.top(all, CITY, 3);
    assertThat(top).hasSize(3);
    assertThat(top.get(0).rows()).isEqualTo(most);
    assertThat(values).containsAll(top);
    assertThat(client.min(all, CITY).map(Bytes::toString)).contains("city 0");
    assertThat(client.max(all, CITY).map(Bytes::toString)).contains("city 9");
    assertThat(client.min(where(CITY.equalTo("nowhere")), CITY)).isEqualTo(Optional.empty());
  }

  @Test
  void values_ofAQueryWithALimit_areRefused() {
    assertThatThrownBy(() -> client.values(where(CITY.isPresent()).limit(3), CITY))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Cannot list the values of f:city: the query had a limit of 3");
  }
}
