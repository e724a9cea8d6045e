/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.admin.check.CheckReport;
import io.hbaseindex.client.admin.status.Progress;
import io.hbaseindex.client.query.AsyncQueryClient;
import io.hbaseindex.client.query.Column;
import io.hbaseindex.client.query.Condition;
import io.hbaseindex.client.query.IndexQuery;
import io.hbaseindex.client.query.QueryClient;
import io.hbaseindex.common.query.CountedTimes;
import io.hbaseindex.common.query.TimeBucket;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.it.cluster.IndexCounters;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.region.metrics.IndexCounter;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Rows are counted by the time of a column's cell, from postings where these carry it. */
@OnSharedCluster
class TimesIT {
  private static final int ROWS = 600;
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] STATUS_NAME = Bytes.toBytes("status");
  private static final Column STATUS = Column.of("f", "status");
  private static final Column CITY = Column.of("f", "city");
  private static final Instant FEBRUARY = Instant.parse("2026-02-20T00:00:00Z");
  private static final Instant MARCH = Instant.parse("2026-03-01T00:00:00Z");
  private static final Instant APRIL = Instant.parse("2026-04-01T00:00:00Z");
  private static final CountedTimes DAYS_OF_MARCH =
      CountedTimes.between(TimeBucket.DAY, MARCH, APRIL);

  private static TableName name;
  private static TestCluster servers;
  private static QueryClient client;

  @BeforeAll
  static void load(TestCluster cluster) throws Exception {
    servers = cluster;
    name =
        IndexedRows.create(
            cluster,
            "times",
            List.of("r0200", "r0400"),
            IndexDefinition.on("f", "status").withTimes().named("by_status").eager(),
            IndexDefinition.on("f", "city").named("by_city").eager());
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      puts.add(
          new Put(row(i))
              .addColumn(F, STATUS_NAME, written(i).toEpochMilli(), status(i))
              .addColumn(F, Bytes.toBytes("city"), written(i).toEpochMilli(), city(i)));
    }
    try (Table table = cluster.connection().getTable(name)) {
      table.put(puts);
    }
    client = QueryClient.of(cluster.connection());
  }

  private static byte[] row(int i) {
    return Bytes.toBytes("r%04d".formatted(i));
  }

  private static byte[] status(int i) {
    return Bytes.toBytes(i % 3 == 0 ? "open" : "shipped");
  }

  private static byte[] city(int i) {
    return Bytes.toBytes("city " + i % 4);
  }

  /** From the 20th of February to the middle of April. */
  private static Instant written(int i) {
    return FEBRUARY.plus(Duration.ofMinutes(i * 127L)).minusMillis(i % 2);
  }

  private static IndexQuery where(Condition condition) {
    return IndexQuery.from(name).where(condition);
  }

  private static NavigableMap<Instant, Long> openByDay(Instant from, Instant before) {
    NavigableMap<Instant, Long> days = new TreeMap<>();
    for (int i = 0; i < ROWS; i += 3) {
      if (!written(i).isBefore(from) && written(i).isBefore(before)) {
        days.merge(written(i).truncatedTo(ChronoUnit.DAYS), 1L, Long::sum);
      }
    }
    return days;
  }

  private interface Asking<T> {
    T ask() throws Exception;
  }

  /** The answer; fails if a region has read a row for it. */
  private static <T> T withoutRows(TableName table, Asking<T> question) throws Exception {
    IndexCounters before = IndexCounters.of(table);
    T answer = question.ask();
    IndexCounters since = IndexCounters.of(table).since(before);
    assertThat(since.get(IndexCounter.COUNTED_BY_POSTINGS)).isPositive();
    assertThat(since.get(IndexCounter.COUNTED_BY_ROWS)).isZero();
    return answer;
  }

  @Test
  void countByTime_perDayInMarch_isExact_andReadsNoRow() throws Exception {
    NavigableMap<Instant, Long> days =
        withoutRows(
            name, () -> client.countByTime(where(STATUS.equalTo("open")), STATUS, DAYS_OF_MARCH));

    assertThat(days).isEqualTo(openByDay(MARCH, APRIL)).hasSize(31);
  }

  @Test
  void countByTime_ofAllTimes_overARangeOfPostings() throws Exception {
    NavigableMap<Instant, Long> months =
        withoutRows(
            name, () -> client.countByTime(where(STATUS.isPresent()), STATUS, TimeBucket.MONTH));

    assertThat(months.keySet())
        .containsExactly(Instant.parse("2026-02-01T00:00:00Z"), MARCH, APRIL);
    assertThat(months.values().stream().mapToLong(Long::longValue).sum()).isEqualTo(ROWS);
    assertThat(
            withoutRows(
                name,
                () -> client.countByTime(where(STATUS.equalTo("open")), STATUS, TimeBucket.DAY)))
        .isEqualTo(openByDay(Instant.MIN, Instant.MAX));
  }

  @Test
  void countByTime_ofAColumnWhoseTimesNoIndexKeeps_readsRowsAndIsTheSame() throws Exception {
    IndexCounters before = IndexCounters.of(name);
    Map<Instant, Long> days =
        client.countByTime(where(STATUS.equalTo("open")), CITY, DAYS_OF_MARCH);

    assertThat(days).isEqualTo(openByDay(MARCH, APRIL));
    assertThat(IndexCounters.of(name).since(before).get(IndexCounter.COUNTED_BY_ROWS))
        .isEqualTo(ROWS / 3);
  }

  @Test
  void async_isTheSame_andALimitIsRefused() throws Exception {
    IndexQuery query = where(STATUS.equalTo("open"));
    try (AsyncConnection connection =
        ConnectionFactory.createAsyncConnection(servers.configuration()).get()) {
      AsyncQueryClient async = AsyncQueryClient.of(connection);
      assertThat(async.countByTime(query, STATUS, DAYS_OF_MARCH).get())
          .isEqualTo(openByDay(MARCH, APRIL));
      assertThat(async.countByTime(query, STATUS, TimeBucket.DAY).get())
          .isEqualTo(openByDay(Instant.MIN, Instant.MAX));
    }
    assertThatThrownBy(() -> client.countByTime(query.limit(3), STATUS, TimeBucket.DAY))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("had a limit of 3 rows");
  }

  /** The column is the same after each step; what changes is the time of its cell. */
  @Test
  void timesOfAnIndexThatIsThere_areBuiltOnline_andFollowEveryWrite() throws Exception {
    TableName other =
        IndexedRows.create(
            servers,
            "times_later",
            List.of("r0002"),
            IndexDefinition.on("f", "status").named("by_status").eager());
    IndexQuery open = IndexQuery.from(other).where(STATUS.equalTo("open"));
    try (Table table = servers.connection().getTable(other)) {
      for (int i = 0; i < 4; i++) {
        table.put(put(i, MARCH));
      }
      IndexCounters before = IndexCounters.of(other);
      assertThat(client.countByTime(open, STATUS, TimeBucket.DAY)).isEqualTo(Map.of(MARCH, 4L));
      assertThat(IndexCounters.of(other).since(before).get(IndexCounter.COUNTED_BY_ROWS))
          .isEqualTo(4);

      IndexAdmin admin = IndexAdmin.of(servers.connection());
      IndexDefinition timed =
          IndexDefinition.on("f", "status").withTimes().named("by_status").eager();
      assertThat(admin.create(other, timed)).isTrue();
      admin.awaitReady(other, Duration.ofMinutes(2), Progress.NONE);
      assertThat(withoutRows(other, () -> client.countByTime(open, STATUS, TimeBucket.DAY)))
          .isEqualTo(Map.of(MARCH, 4L));

      Instant next = MARCH.plus(Duration.ofDays(1));
      table.put(put(0, next.plusMillis(5)));
      table.put(put(1, MARCH.minusMillis(1)));
      assertThat(withoutRows(other, () -> client.countByTime(open, STATUS, TimeBucket.DAY)))
          .as("a later write of the same value counts, an earlier one does not")
          .isEqualTo(Map.of(MARCH, 3L, next, 1L));
      servers.connection().getAdmin().flush(other);
      table.delete(new Delete(row(2)));
      table.delete(new Delete(row(1)).addColumn(F, STATUS_NAME, MARCH.toEpochMilli()));
      assertThat(client.countByTime(open, STATUS, TimeBucket.DAY))
          .as("what a delete uncovers is shown, and so counted, as HBase does")
          .isEqualTo(plainly(table, 4));
      CheckReport report = admin.verify(other, Progress.NONE);
      assertThat(report.isClean()).as("%s", report).isTrue();
    }
  }

  private static Map<Instant, Long> plainly(Table table, int rows) throws Exception {
    Map<Instant, Long> days = new TreeMap<>();
    for (int i = 0; i < rows; i++) {
      var cell = table.get(new Get(row(i))).getColumnLatestCell(F, STATUS_NAME);
      if (cell != null) {
        days.merge(
            Instant.ofEpochMilli(cell.getTimestamp()).truncatedTo(ChronoUnit.DAYS), 1L, Long::sum);
      }
    }
    return days;
  }

  private static Put put(int i, Instant time) {
    return new Put(row(i)).addColumn(F, STATUS_NAME, time.toEpochMilli(), Bytes.toBytes("open"));
  }
}
