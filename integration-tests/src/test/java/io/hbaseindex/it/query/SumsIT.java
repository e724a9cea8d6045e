/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.admin.status.PostingSize;
import io.hbaseindex.client.admin.status.TableStates;
import io.hbaseindex.client.query.AsyncQueryClient;
import io.hbaseindex.client.query.Column;
import io.hbaseindex.client.query.Condition;
import io.hbaseindex.client.query.IndexQuery;
import io.hbaseindex.client.query.QueryClient;
import io.hbaseindex.client.query.sum.Sum;
import io.hbaseindex.client.query.sum.ValueSum;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.ValueType;
import io.hbaseindex.it.cluster.IndexCounters;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.region.metrics.IndexCounter;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Columns are added up by the regions, from postings where these have them. */
@OnSharedCluster
class SumsIT {
  private static final int ROWS = 600;
  private static final byte[] F = Bytes.toBytes("f");
  private static final Column CITY = Column.of("f", "city");
  private static final Column AMOUNT = Column.of("f", "amount").as(ValueType.LONG);
  private static final Column PRICE = Column.of("f", "price").as(ValueType.DECIMAL);
  private static final Column WEIGHT = Column.of("f", "weight").as(ValueType.DOUBLE);
  private static final Column RANK = Column.of("f", "rank").as(ValueType.INT);

  private static TableName name;
  private static TestCluster servers;
  private static QueryClient client;

  @BeforeAll
  static void load(TestCluster cluster) throws Exception {
    servers = cluster;
    name =
        IndexedRows.create(
            cluster,
            "sums",
            List.of("r0200", "r0400"),
            IndexDefinition.on("f", "city")
                .including("f:amount", "f:price")
                .named("by_city")
                .eager(),
            IndexDefinition.on("f", "rank").as(ValueType.INT).named("by_rank").eager());
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      Put put =
          new Put(Bytes.toBytes("r%04d".formatted(i)))
              .addColumn(F, Bytes.toBytes("city"), Bytes.toBytes("city " + i % 4))
              .addColumn(F, Bytes.toBytes("price"), Bytes.toBytes(price(i)))
              .addColumn(F, Bytes.toBytes("weight"), Bytes.toBytes(i / 10.0))
              .addColumn(F, Bytes.toBytes("rank"), Bytes.toBytes(i - 300));
      // Every tenth has none, and two thirds of the range of longs overflow soon.
      puts.add(
          i % 10 == 9 ? put : put.addColumn(F, Bytes.toBytes("amount"), Bytes.toBytes(amount(i))));
    }
    try (Table table = cluster.connection().getTable(name)) {
      table.put(puts);
    }
    client = QueryClient.of(cluster.connection());
  }

  private static long amount(int i) {
    return Long.MAX_VALUE / 3 * 2 + i;
  }

  private static BigDecimal price(int i) {
    return BigDecimal.valueOf(i * 7L, i % 3);
  }

  private static IndexQuery where(Condition condition) {
    return IndexQuery.from(name).where(condition);
  }

  private interface Asking<T> {
    T ask() throws Exception;
  }

  /** The answer; fails if a region has read a row for it. */
  private static <T> T withoutRows(Asking<T> question) throws Exception {
    IndexCounters before = IndexCounters.of(name);
    T answer = question.ask();
    IndexCounters since = IndexCounters.of(name).since(before);
    assertThat(since.get(IndexCounter.COUNTED_BY_POSTINGS)).isPositive();
    assertThat(since.get(IndexCounter.COUNTED_BY_ROWS)).isZero();
    return answer;
  }

  private static BigDecimal amounts(int city) {
    BigDecimal total = BigDecimal.ZERO;
    for (int i = city; i < ROWS; i += 4) {
      total = total.add(i % 10 == 9 ? BigDecimal.ZERO : BigDecimal.valueOf(amount(i)));
    }
    return total;
  }

  @Test
  void sum_ofAnIncludedColumn_isExactBeyondLongs_andReadsNoRow() throws Exception {
    Sum sum = withoutRows(() -> client.sum(where(CITY.equalTo("city 1")), AMOUNT));

    assertThat(sum.total()).isEqualTo(amounts(1));
    assertThat(sum.total()).isGreaterThan(BigDecimal.valueOf(Long.MAX_VALUE));
    assertThat(sum.numbers()).isEqualTo(120);
    assertThat(sum.skipped()).isZero();
    assertThat(sum.average().orElseThrow().toBigInteger())
        .isEqualTo(amounts(1).toBigInteger().divide(java.math.BigInteger.valueOf(120)));
  }

  @Test
  void sums_byValue_overARangeOfPostings() throws Exception {
    List<ValueSum> sums =
        withoutRows(() -> client.sums(where(CITY.startsWith("city")), CITY, AMOUNT));

    assertThat(sums).hasSize(4);
    for (int city = 0; city < 4; city++) {
      assertThat(sums.get(city).value()).isEqualTo(Bytes.toBytes("city " + city));
      assertThat(sums.get(city).rows()).isEqualTo(ROWS / 4);
      assertThat(sums.get(city).sum().total()).isEqualTo(amounts(city));
    }
  }

  @Test
  void sum_ofTheIndexedColumnAndOfDecimals() throws Exception {
    assertThat(withoutRows(() -> client.sum(where(RANK.isPresent()), RANK)).total())
        .isEqualTo(BigDecimal.valueOf(-300));
    BigDecimal prices = BigDecimal.ZERO;
    for (int i = 2; i < ROWS; i += 4) {
      prices = prices.add(price(i));
    }
    assertThat(withoutRows(() -> client.sum(where(CITY.equalTo("city 2")), PRICE)).total())
        .isEqualByComparingTo(prices);
  }

  @Test
  void sum_ofAColumnThatNoPostingHas_readsRows() throws Exception {
    IndexCounters before = IndexCounters.of(name);
    Sum sum = client.sum(where(CITY.equalTo("city 1")), WEIGHT);
    BigDecimal exact = BigDecimal.ZERO;
    for (int i = 1; i < ROWS; i += 4) {
      exact = exact.add(new BigDecimal(i / 10.0));
    }

    assertThat(sum.total()).isEqualByComparingTo(exact);
    assertThat(IndexCounters.of(name).since(before).get(IndexCounter.COUNTED_BY_ROWS))
        .isEqualTo(150);
    assertThat(client.sum(where(CITY.equalTo("city 1")), Column.of("f", "city").as(ValueType.LONG)))
        .as("no numbers")
        .isEqualTo(new Sum(BigDecimal.ZERO, 0, 150));
    assertThat(client.sum(where(CITY.equalTo("nowhere")), AMOUNT).average()).isEmpty();
  }

  @Test
  void async_isTheSame() throws Exception {
    try (AsyncConnection connection =
        ConnectionFactory.createAsyncConnection(servers.configuration()).get()) {
      AsyncQueryClient async = AsyncQueryClient.of(connection);
      IndexQuery query = where(CITY.startsWith("city"));
      assertThat(async.sum(query, AMOUNT).get()).isEqualTo(client.sum(query, AMOUNT));
      assertThat(async.sums(query, CITY, PRICE).get()).isEqualTo(client.sums(query, CITY, PRICE));
      assertThat(async.values(query, CITY).get()).isEqualTo(client.values(query, CITY));
    }
  }

  @Test
  void sum_ofWhatHoldsNoNumbers_orWithALimit_isRefused() {
    assertThatThrownBy(() -> client.sum(where(CITY.isPresent()), CITY))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("its type was bytes; say what numbers it holds");
    assertThatThrownBy(() -> client.sum(where(CITY.isPresent()).limit(3), AMOUNT))
        .hasMessageContaining("had a limit of 3 rows");
  }

  @Test
  void status_tellsWhatPostingsTake() throws Exception {
    IndexAdmin admin = IndexAdmin.of(servers.connection());
    admin.states(name);
    servers.connection().getAdmin().flush(name);
    TableStates states = admin.states(name);
    PostingSize size = states.postings();

    assertThat(size.rows()).isEqualTo(ROWS);
    assertThat(size.cells()).isEqualTo(2 * ROWS);
    assertThat(size.bytesPerRow()).isGreaterThan(20);
    assertThat(size.valueBytesPerRow())
        .as("an included long and a decimal")
        .isBetween(8.0, size.bytesPerRow());
  }
}
