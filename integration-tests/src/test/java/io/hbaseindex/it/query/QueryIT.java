/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.client.IndexedAsyncConnection;
import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.admin.status.Progress;
import io.hbaseindex.client.query.AsyncQueryClient;
import io.hbaseindex.client.query.Column;
import io.hbaseindex.client.query.Condition;
import io.hbaseindex.client.query.FoundRow;
import io.hbaseindex.client.query.FoundRows;
import io.hbaseindex.client.query.IndexQuery;
import io.hbaseindex.client.query.Page;
import io.hbaseindex.client.query.QueryClient;
import io.hbaseindex.client.query.Value;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.it.cluster.IndexCounters;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.TestTables;
import io.hbaseindex.region.metrics.IndexCounter;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The query API gives what its words say, by the index, in pages and as a stream. */
@OnSharedCluster
class QueryIT {
  private static final int ROWS = 400;
  private static final byte[] F = Bytes.toBytes("f");
  private static final Column CITY = Column.of("f", "city");
  private static final Column BALANCE = Column.of("f", "balance");
  private static final Column NICK = Column.of("f", "nick");

  private static TableName name;
  private static QueryClient client;

  @BeforeAll
  static void load(TestCluster cluster) throws Exception {
    name = TestTables.uniqueName("query");
    cluster
        .tables()
        .create(
            TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                .build(),
            List.of("0100", "0200", "0300"));
    try (Table table = cluster.connection().getTable(name)) {
      List<Put> puts = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        puts.add(person(i));
      }
      table.put(puts);
    }
    IndexAdmin admin = IndexAdmin.of(cluster.connection());
    admin.create(name, IndexDefinition.on("f", "city").named("by_city").eager());
    admin.create(name, IndexDefinition.on("f", "balance").named("by_balance").eager());
    admin.awaitReady(name, Duration.ofMinutes(2), Progress.NONE);
    client = QueryClient.of(cluster.connection());
  }

  @AfterAll
  static void drop(TestCluster cluster) throws IOException {
    cluster.tables().drop(name);
  }

  /** City by the last digit, a balance from -200 on, and a nick for every third row. */
  private static Put person(int i) {
    Put put =
        new Put(Bytes.toBytes("%04d".formatted(i)))
            .addColumn(F, Bytes.toBytes("city"), Bytes.toBytes("city " + i % 10))
            .addColumn(F, Bytes.toBytes("balance"), Bytes.toBytes((long) i - 200));
    return i % 3 == 0 ? put.addColumn(F, Bytes.toBytes("nick"), Bytes.toBytes("nick " + i)) : put;
  }

  @Test
  void conditions_findExactlyTheRows_byTheIndex() throws IOException {
    assertFinds(CITY.equalTo("city 3"), i -> i % 10 == 3);
    assertFinds(CITY.in("city 3", "city 7"), i -> i % 10 == 3 || i % 10 == 7);
    assertFinds(BALANCE.between(Value.of(-5L), Value.of(4L)), i -> i - 200 >= -5 && i - 200 <= 4);
    assertFinds(
        CITY.equalTo("city 3").and(BALANCE.lessThan(Value.of(-100L))), i -> i % 10 == 3 && i < 100);
    assertFinds(
        CITY.equalTo("city 3").or(BALANCE.greaterThan(Value.of(190L))),
        i -> i % 10 == 3 || i - 200 > 190);
    assertFinds(CITY.equalTo("city x"), i -> false);
  }

  private static void assertFinds(Condition condition, IntPredicate expected) throws IOException {
    assertFinds(IndexQuery.from(name).where(condition), expected);
  }

  private static void assertFinds(IndexQuery query, IntPredicate expected) throws IOException {
    IndexCounters before = IndexCounters.of(name);
    assertRows(query, expected);
    IndexCounters counted = IndexCounters.of(name).since(before);
    assertThat(counted.get(IndexCounter.SCANS_JUMPED)).as("jumps for %s", query).isPositive();
    assertThat(counted.get(IndexCounter.SCANS_PLAIN)).as("plain scans for %s", query).isZero();
  }

  @Test
  void patternsAndBounds_narrowByTheIndex() throws IOException {
    assertFinds(CITY.like("city 3%"), i -> i % 10 == 3);
    assertFinds(CITY.like("c%ty 3"), i -> i % 10 == 3);
    assertFinds(CITY.equalTo("city 3").and(NICK.isAbsent()), i -> i % 10 == 3 && i % 3 != 0);
    assertFinds(CITY.equalTo("city 3").and(NICK.isPresent()), i -> i % 10 == 3 && i % 3 == 0);
    assertFinds(
        CITY.in("city 3", "city 4").and(CITY.notEqualTo("city 4")), i -> i % 10 == 3);
    IndexQuery city = IndexQuery.from(name).where(CITY.equalTo("city 3"));
    assertFinds(city.fromRow("0050").beforeRow("0160"), i -> i % 10 == 3 && i >= 50 && i < 160);
    assertFinds(
        city.passing(new PrefixFilter(Bytes.toBytes("01"))), i -> i % 10 == 3 && i / 100 == 1);
  }

  /** No index has rows without a value, nor older values. */
  @Test
  void opposites_andTimes_areFoundByReadingAll() throws IOException {
    assertRows(IndexQuery.from(name).where(NICK.isAbsent()), i -> i % 3 != 0);
    assertRows(IndexQuery.from(name).where(NICK.isAbsent()).select(NICK), i -> i % 3 != 0);
    assertRows(IndexQuery.from(name).where(CITY.notEqualTo("city 3")), i -> i % 10 != 3);
    assertRows(IndexQuery.from(name).where(CITY.like("%3").not()), i -> i % 10 != 3);
    assertRows(
        IndexQuery.from(name).where(CITY.equalTo("city 3").not().and(NICK.isAbsent())),
        i -> i % 10 != 3 && i % 3 != 0);
    IndexQuery city = IndexQuery.from(name).where(CITY.equalTo("city 3"));
    assertRows(city.writtenBetween(0, 1), i -> false);
    assertRows(city.writtenBetween(1, Long.MAX_VALUE), i -> i % 10 == 3);
  }

  @Test
  void asyncClient_givesTheSame(TestCluster cluster) throws Exception {
    try (AsyncConnection plain =
            ConnectionFactory.createAsyncConnection(cluster.configuration()).get();
        AsyncConnection routed =
            IndexedAsyncConnection.wrap(
                ConnectionFactory.createAsyncConnection(cluster.configuration()).get())) {
      for (AsyncConnection connection : List.of(plain, routed)) {
        AsyncQueryClient async = AsyncQueryClient.of(connection);
        IndexQuery query = IndexQuery.from(name).where(CITY.equalTo("city 3")).select(NICK);
        List<String> expected = keys(i -> i % 10 == 3);
        IndexCounters before = IndexCounters.of(name);

        assertThat(async.all(query).get()).map(FoundRow::keyText).isEqualTo(expected);
        assertThat(async.count(query).get()).isEqualTo(expected.size());
        assertThat(async.exists(query).get()).isTrue();
        List<String> some = new ArrayList<>();
        assertThat(
                async
                    .forEach(
                        query,
                        row -> {
                          some.add(row.keyText());
                          return some.size() < 7;
                        })
                    .get())
            .isEqualTo(7);
        assertThat(some).isEqualTo(expected.subList(0, 7));
        assertThat(pagesOf(async, query.limit(25))).isEqualTo(expected.subList(0, 25));
        assertThatThrownBy(
                () ->
                    async
                        .forEach(
                            query,
                            row -> {
                              throw new IllegalStateException("enough");
                            })
                        .get())
            .hasRootCauseMessage("enough");
        assertThat(IndexCounters.of(name).since(before).get(IndexCounter.SCANS_PLAIN)).isZero();
      }
    }
  }

  private static List<String> pagesOf(AsyncQueryClient async, IndexQuery query) throws Exception {
    List<String> keys = new ArrayList<>();
    Optional<String> token = Optional.empty();
    do {
      Page page = async.page(query, 10, token).get();
      page.rows().forEach(row -> keys.add(row.keyText()));
      token = page.next();
    } while (token.isPresent());
    return keys;
  }

  private static List<String> keys(IntPredicate expected) {
    return IntStream.range(0, ROWS).filter(expected).mapToObj("%04d"::formatted).toList();
  }

  private static void assertRows(IndexQuery query, IntPredicate expected) throws IOException {
    List<String> keys = keys(expected);
    try (FoundRows rows = client.rows(query)) {
      assertThat(rows.stream().map(FoundRow::keyText)).containsExactlyElementsOf(keys);
    }
    assertThat(client.count(query)).isEqualTo(keys.size());
    assertThat(client.exists(query)).isEqualTo(!keys.isEmpty());
  }

  @Test
  void projection_hidesTheConditionsColumns_andKeepsRowsWithoutTheProjected() throws IOException {
    IndexQuery query = IndexQuery.from(name).where(CITY.equalTo("city 3")).select(NICK);

    try (FoundRows rows = client.rows(query)) {
      List<FoundRow> found = rows.stream().toList();

      assertThat(found).hasSize(ROWS / 10);
      assertThat(found).allMatch(row -> row.value(CITY).isEmpty());
      assertThat(found.get(0).text(NICK)).hasValue("nick 3");
      assertThat(found.get(1).keyText()).isEqualTo("0013");
      assertThat(found.get(1).result().isEmpty()).isTrue();
    }
  }

  @Test
  void pages_goOnInAnotherProcess_withoutGapOrRepetition(TestCluster cluster) throws IOException {
    IndexQuery query = IndexQuery.from(name).where(CITY.equalTo("city 3")).limit(25);
    List<String> keys = new ArrayList<>();
    Optional<String> token = Optional.empty();
    int pages = 0;
    do {
      // A connection of its own per page stands for a process of its own: nothing is shared.
      try (Connection another = ConnectionFactory.createConnection(cluster.configuration())) {
        Page page = QueryClient.of(another).page(query, 7 + pages, token);
        page.rows().forEach(row -> keys.add(row.keyText()));
        token = page.next();
        pages++;
      }
    } while (token.isPresent());

    assertThat(pages).isEqualTo(4);
    assertThat(keys)
        .containsExactlyElementsOf(
            IntStream.range(0, 25).mapToObj(i -> "%04d".formatted(3 + 10 * i)).toList());
  }

  @Test
  void rows_aClosedStreamOrASecondPass_isNotServed() throws IOException {
    FoundRows rows = client.rows(IndexQuery.from(name).where(CITY.equalTo("city 3")));
    try (Stream<FoundRow> stream = rows.stream()) {
      assertThat(stream.limit(2).map(FoundRow::keyText)).containsExactly("0003", "0013");
    }
    assertThatThrownBy(rows::iterator).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void unknownFamily_isHBasesError() {
    assertThatThrownBy(
            () -> client.count(IndexQuery.from(name).where(Column.of("x", "q").equalTo("v"))))
        .hasStackTraceContaining("NoSuchColumnFamilyException");
  }
}
