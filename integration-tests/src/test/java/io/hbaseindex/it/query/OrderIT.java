/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.client.IndexedConnection;
import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.admin.explain.Explanation;
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
import io.hbaseindex.core.definition.ValueType;
import io.hbaseindex.it.cluster.IndexCounters;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.TestTables;
import io.hbaseindex.it.cluster.Waits;
import io.hbaseindex.it.index.IndexProbe;
import io.hbaseindex.region.metrics.IndexCounter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.InclusiveStopFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Rows come in the order of a column, found by postings where an index has the order. */
@OnSharedCluster
class OrderIT {
  private static final int ROWS = 1_200;
  private static final int REGIONS = 4;

  /** Rows of these are deleted, hidden behind markers, or lack a column. */
  private static final int ODD = 40;

  private static final byte[] F = Bytes.toBytes("f");
  private static final Column AGE = Column.of("f", "age");
  private static final Column NAME = Column.of("f", "name");
  private static final Column TEAM = Column.of("f", "team");
  private static final Column NICK = Column.of("f", "nick");
  private static final Column SCORE = Column.of("f", "score");
  private static final Column NOTE = Column.of("f", "note");

  private static TableName name;
  private static QueryClient client;
  private static Table table;

  @BeforeAll
  static void load(TestCluster cluster) throws Exception {
    name =
        IndexedRows.create(
            cluster,
            "order",
            List.of("r0300", "r0600", "r0900"),
            IndexDefinition.on("f", "age").including("f:name").named("by_age").eager(),
            IndexDefinition.on("f", "team").and("f", "age").named("by_team").eager(),
            IndexDefinition.on("f", "nick").named("by_nick").lazy(),
            IndexDefinition.on("f", "score").as(ValueType.LONG).named("by_score").eager());
    client = QueryClient.of(cluster.connection());
    table = cluster.connection().getTable(name);
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      puts.add(person(i));
    }
    table.put(puts);
    for (int i = 0; i < ODD; i++) {
      byte[] row = Bytes.toBytes(row(i * 29 % ROWS));
      switch (i % 4) {
        case 0 -> table.delete(new Delete(row).addColumns(F, Bytes.toBytes("age")));
        case 1 -> table.put(new Put(row).addColumn(F, Bytes.toBytes("age"), age(i)));
        case 2 -> {
          // Not certain: a marker of the future hides it.
          table.delete(new Delete(row).addColumns(F, Bytes.toBytes("age"), Long.MAX_VALUE - 10));
        }
        default -> table.put(new Put(row).addColumn(F, Bytes.toBytes("nick"), Bytes.toBytes("a")));
      }
    }
  }

  private static String row(int i) {
    return "r%04d".formatted(i);
  }

  /** Every value is shown by several rows, in several regions. */
  private static byte[] age(int i) {
    return Bytes.toBytes((long) (i * 7_919 % 250));
  }

  private static Put person(int i) {
    Put put =
        new Put(Bytes.toBytes(row(i)))
            .addColumn(F, Bytes.toBytes("age"), age(i))
            .addColumn(F, Bytes.toBytes("name"), Bytes.toBytes("name " + i))
            .addColumn(F, Bytes.toBytes("score"), Bytes.toBytes(i * 7_919L % 250 - 125))
            .addColumn(F, Bytes.toBytes("team"), Bytes.toBytes("team " + i % 5))
            .addColumn(F, Bytes.toBytes("nick"), Bytes.toBytes("nick " + i % 30));
    return i % 3 == 0 ? put : put.addColumn(F, Bytes.toBytes("note"), Bytes.toBytes("n" + i % 90));
  }

  private static IndexQuery where(Condition condition) {
    return IndexQuery.from(name).where(condition);
  }

  /** What the regions did for a query. */
  private record Told(List<String> rows, IndexCounters counted) {
    long get(IndexCounter counter) {
      return counted.get(counter);
    }
  }

  private static Told told(IndexQuery query) throws IOException {
    IndexCounters before = IndexCounters.of(name);
    List<String> rows = texts(client, query);
    return new Told(rows, IndexCounters.of(name).since(before));
  }

  private static List<String> texts(QueryClient asked, IndexQuery query) throws IOException {
    List<String> texts = new ArrayList<>();
    try (FoundRows rows = asked.rows(query)) {
      rows.forEach(row -> texts.add(text(row)));
    }
    return texts;
  }

  private static String text(FoundRow row) {
    return row.keyText() + " " + List.of(row.result().rawCells());
  }

  /** What the query has to give: the rows of the plain scan, sorted. */
  private static List<String> expected(
      Condition condition, Column by, boolean descending, int limit) throws IOException {
    List<Result> rows = new ArrayList<>();
    try (ResultScanner scanner =
        table.getScanner(IndexProbe.withoutIndex(where(condition.and(by.isPresent())).toScan()))) {
      scanner.forEach(rows::add);
    }
    String column = by.toString();
    byte[] qualifier = Bytes.toBytes(column.substring(column.indexOf(':') + 1));
    Comparator<Result> rising =
        Comparator.comparing((Result row) -> row.getValue(F, qualifier), Bytes.BYTES_COMPARATOR)
            .thenComparing(Result::getRow, Bytes.BYTES_COMPARATOR);
    return rows.stream()
        .sorted(descending ? rising.reversed() : rising)
        .limit(limit)
        .map(row -> Bytes.toString(row.getRow()) + " " + List.of(row.rawCells()))
        .toList();
  }

  @Test
  void firstAndLastRows_areFoundByFewPostings() throws IOException {
    for (boolean descending : List.of(false, true)) {
      IndexQuery query = where(AGE.isPresent()).orderBy("f", "age").limit(10);
      Told told = told(descending ? query.descending() : query);

      assertThat(told.rows()).isEqualTo(expected(AGE.isPresent(), AGE, descending, 10));
      assertThat(told.get(IndexCounter.ORDERED_BY_ROWS)).isZero();
      assertThat(told.get(IndexCounter.ORDERED_BY_POSTINGS)).isBetween(10L, 10L * REGIONS);
      assertThat(told.get(IndexCounter.SCANS_ORDERED)).isBetween(4L, 2L * REGIONS);
      // Those that were deleted, and those behind them in each region, are all that comes on top.
      assertThat(told.get(IndexCounter.POSTINGS_READ)).isLessThan(10L * REGIONS + ODD);
      assertThat(told.get(IndexCounter.ROWS_READ)).isLessThan(10L * REGIONS + ODD);
    }
  }

  @Test
  void coveredColumns_needNoRows() throws IOException {
    IndexQuery query = where(AGE.atLeast(Value.of(5L))).select(AGE, NAME).orderBy(AGE).limit(20);
    Told told = told(query);

    List<String> plain = new ArrayList<>();
    for (String row : expected(AGE.atLeast(Value.of(5L)), AGE, false, 20)) {
      plain.add(row.replaceAll(", \\S+/f:(team|nick|note|score)/[^,\\]]*", ""));
    }
    assertThat(told.rows()).isEqualTo(plain);
    assertThat(told.get(IndexCounter.ROWS_FROM_POSTINGS)).isPositive();
    assertThat(told.get(IndexCounter.ROWS_READ)).isLessThan(ODD);
  }

  @Test
  void indexOfSeveralColumns_ordersByItsFirstAndByItsSecond() throws IOException {
    for (boolean descending : List.of(false, true)) {
      IndexQuery first = where(TEAM.isPresent()).orderBy(TEAM).limit(15);
      Told byTeam = told(descending ? first.descending() : first);
      assertThat(byTeam.rows()).isEqualTo(expected(TEAM.isPresent(), TEAM, descending, 15));
      assertThat(byTeam.get(IndexCounter.ORDERED_BY_ROWS)).isZero();

      Condition team = TEAM.equalTo("team 2");
      IndexQuery second = where(team).orderBy(AGE).limit(15);
      Told byAge = told(descending ? second.descending() : second);
      assertThat(byAge.rows()).isEqualTo(expected(team, AGE, descending, 15));
      assertThat(byAge.get(IndexCounter.ORDERED_BY_ROWS)).isZero();
      assertThat(byAge.get(IndexCounter.POSTINGS_READ)).isLessThan(15L * REGIONS * 2 + ODD);
    }
  }

  @Test
  void lazyIndex_asksRowsAndIsExact() throws IOException {
    Told told = told(where(NICK.isPresent()).orderBy(NICK).limit(25));

    assertThat(told.rows()).isEqualTo(expected(NICK.isPresent(), NICK, false, 25));
    assertThat(told.get(IndexCounter.ORDERED_BY_POSTINGS)).isPositive();
  }

  @Test
  void conditions_narrowTheWalkOrAreAskedOfRows() throws IOException {
    List<Condition> conditions =
        List.of(
            AGE.between(Value.of(30L), Value.of(40L)),
            AGE.in(List.of(Value.of(30L), Value.of(35L), Value.of(200L))),
            AGE.atLeast(Value.of(100L)).and(NOTE.startsWith("n1")),
            TEAM.equalTo("team 1").and(NICK.equalTo("nick 1")),
            NOTE.isAbsent(),
            TEAM.equalTo("team 1").or(NICK.equalTo("nick 2")),
            AGE.equalTo(Value.of(30L)));
    for (Condition condition : conditions) {
      for (boolean descending : List.of(false, true)) {
        IndexQuery query = where(condition).orderBy(AGE).limit(12);
        assertThat(texts(client, descending ? query.descending() : query))
            .as("%s %s", condition, descending)
            .isEqualTo(expected(condition, AGE, descending, 12));
      }
    }
    Told range = told(where(conditions.get(0)).orderBy(AGE).limit(5));
    assertThat(range.get(IndexCounter.POSTINGS_READ)).isLessThan(12L * REGIONS);
  }

  @Test
  void columnWithoutIndex_isSortedInTheRegions() throws IOException {
    Told told = told(where(NOTE.isPresent()).orderBy(NOTE).descending().limit(30));

    assertThat(told.rows()).isEqualTo(expected(NOTE.isPresent(), NOTE, true, 30));
    assertThat(told.get(IndexCounter.ORDERED_BY_ROWS)).isPositive();
    assertThat(told.get(IndexCounter.ORDERED_BY_POSTINGS)).isZero();
  }

  /** HBase 2.5 takes an answer without rows that is not for lack of time for a region's end. */
  @Test
  void sortedRows_largerThanOneAnswer_areWhole(TestCluster cluster) throws IOException {
    Configuration small = new Configuration(cluster.configuration());
    small.setLong(HConstants.HBASE_CLIENT_SCANNER_MAX_RESULT_SIZE_KEY, 100);
    try (Connection connection = ConnectionFactory.createConnection(small)) {
      IndexQuery query = where(NOTE.isPresent()).orderBy(NOTE).limit(30);
      assertThat(texts(QueryClient.of(connection), query))
          .isEqualTo(expected(NOTE.isPresent(), NOTE, false, 30));
    }
  }

  @Test
  void numbersOfATypedColumn_comeByTheirValues() throws IOException {
    List<Condition> conditions =
        List.of(
            SCORE.isPresent(),
            SCORE.between(Value.of(-7L), Value.of(9L)),
            SCORE.between(Value.of(5L), Value.of(10L)),
            SCORE.lessThan(Value.of(-100L)),
            TEAM.equalTo("team 1"));
    for (Condition condition : conditions) {
      for (boolean descending : List.of(false, true)) {
        IndexQuery query = where(condition).orderBy(SCORE.as(ValueType.LONG)).limit(12);
        Told told = told(descending ? query.descending() : query);
        assertThat(told.rows())
            .as("%s %s", condition, descending)
            .isEqualTo(byScore(condition, descending).subList(0, 12));
        IndexQuery bytes = where(condition).orderBy(SCORE).limit(12);
        assertThat(texts(client, descending ? bytes.descending() : bytes))
            .isEqualTo(expected(condition, SCORE, descending, 12));
      }
    }
    IndexQuery all = where(SCORE.isPresent()).orderBy(SCORE.as(ValueType.LONG));
    Told lowest = told(all.limit(10));
    assertThat(lowest.get(IndexCounter.ORDERED_BY_ROWS)).isZero();
    assertThat(lowest.get(IndexCounter.POSTINGS_READ)).isLessThan(10L * REGIONS + ODD);
    List<String> pages = new ArrayList<>();
    Optional<String> token = Optional.empty();
    for (int i = 0; i < 4; i++) {
      Page page = client.page(all.descending(), 7, token);
      page.rows().forEach(row -> pages.add(text(row)));
      token = page.next();
    }
    assertThat(pages).isEqualTo(byScore(SCORE.isPresent(), true).subList(0, 28));
  }

  private static List<String> byScore(Condition condition, boolean descending) throws IOException {
    List<Result> rows = new ArrayList<>();
    try (ResultScanner scanner =
        table.getScanner(
            IndexProbe.withoutIndex(where(condition.and(SCORE.isPresent())).toScan()))) {
      scanner.forEach(rows::add);
    }
    Comparator<Result> rising =
        Comparator.comparing((Result row) -> Bytes.toLong(row.getValue(F, Bytes.toBytes("score"))))
            .thenComparing(Result::getRow, Bytes.BYTES_COMPARATOR);
    return rows.stream()
        .sorted(descending ? rising.reversed() : rising)
        .map(row -> Bytes.toString(row.getRow()) + " " + List.of(row.rawCells()))
        .toList();
  }

  @Test
  void filtersThatRememberKeys_areShownRowsByRisingKeys() throws IOException {
    for (Filter filter :
        List.of(
            new PrefixFilter(Bytes.toBytes("r01")),
            new InclusiveStopFilter(Bytes.toBytes("r0150")),
            new MultiRowRangeFilter(new byte[][] {Bytes.toBytes("r001"), Bytes.toBytes("r03")}))) {
      List<String> wanted =
          expected(AGE.isPresent(), AGE, false, ROWS).stream()
              .filter(row -> passes(filter, row.substring(0, row.indexOf(' '))))
              .limit(20)
              .toList();
      assertThat(wanted).hasSize(20);
      Told told = told(where(AGE.isPresent()).passing(filter).orderBy(AGE).limit(20));
      assertThat(told.rows()).as("%s", filter).isEqualTo(wanted);
      assertThat(told.get(IndexCounter.ORDERED_BY_POSTINGS)).isZero();
    }
  }

  private static boolean passes(Filter filter, String row) {
    if (filter instanceof PrefixFilter) {
      return row.startsWith("r01");
    }
    return filter instanceof InclusiveStopFilter
        ? row.compareTo("r0150") <= 0
        : row.startsWith("r001") || row.startsWith("r03");
  }

  /** Keys hold a hash in place of their ends, so they lie in no order. */
  @Test
  void longValuesOfOneBeginning_areAllOnSomePage() throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < 2 * REGIONS; i++) {
      puts.add(
          new Put(Bytes.toBytes(row(i * ROWS / 2 / REGIONS) + " long"))
              .addColumn(F, Bytes.toBytes("nick"), Bytes.toBytes("z".repeat(600) + i * 5 % 8)));
    }
    table.put(puts);
    try {
      Condition isLong = NICK.startsWith("zz");
      for (boolean descending : List.of(false, true)) {
        IndexQuery query = where(isLong).orderBy(NICK);
        List<String> rows = new ArrayList<>();
        Optional<String> token = Optional.empty();
        do {
          Page page = client.page(descending ? query.descending() : query, 1, token);
          page.rows().forEach(row -> rows.add(text(row)));
          token = page.next();
        } while (token.isPresent());
        assertThat(rows).hasSize(2 * REGIONS).isEqualTo(expected(isLong, NICK, descending, ROWS));
      }
    } finally {
      for (Put put : puts) {
        table.delete(new Delete(put.getRow()));
      }
    }
  }

  @Test
  void moreRowsThanOneSearchFinds_comeInOrder() throws IOException {
    List<String> all = expected(AGE.isPresent(), AGE, false, Integer.MAX_VALUE);

    assertThat(all).hasSizeGreaterThan(1_000);
    assertThat(texts(client, where(AGE.isPresent()).orderBy(AGE))).isEqualTo(all);
    assertThat(texts(client, where(AGE.isPresent()).orderBy(AGE).limit(1_100)))
        .isEqualTo(all.subList(0, 1_100));
    assertThat(client.count(where(AGE.isPresent()).orderBy(AGE))).isEqualTo(all.size());
  }

  @Test
  void pages_ofBothClients_goOnWhereTheOtherEnded(TestCluster cluster) throws Exception {
    Condition condition = AGE.lessThan(Value.of(40L));
    IndexQuery query = where(condition).orderBy(AGE).descending().limit(90);
    List<String> rows = new ArrayList<>();
    try (AsyncConnection async =
        ConnectionFactory.createAsyncConnection(cluster.connection().getConfiguration())
            .get(60, TimeUnit.SECONDS)) {
      AsyncQueryClient other = AsyncQueryClient.of(async);
      Optional<String> token = Optional.empty();
      int pages = 0;
      do {
        Page page =
            pages++ % 2 == 0
                ? client.page(query, 20, token)
                : other.page(query, 20, token).get(60, TimeUnit.SECONDS);
        page.rows().forEach(row -> rows.add(text(row)));
        token = page.next();
      } while (token.isPresent());
      assertThat(pages).isEqualTo(5);
      assertThat(other.all(query).get(60, TimeUnit.SECONDS).stream().map(OrderIT::text))
          .isEqualTo(rows);
      List<String> few = new ArrayList<>();
      long given =
          other
              .forEach(
                  query,
                  row -> {
                    few.add(text(row));
                    return few.size() < 7;
                  })
              .get(60, TimeUnit.SECONDS);
      assertThat(given).isEqualTo(7);
      assertThat(few).isEqualTo(rows.subList(0, 7));
    }
    assertThat(rows).isEqualTo(expected(condition, AGE, true, 90));

    String token = client.page(query, 20, Optional.empty()).next().orElseThrow();
    assertThatThrownBy(() -> client.page(query.orderBy(AGE), 20, Optional.of(token)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("it belongs to another query");
  }

  @Test
  void regionsWithoutTheValue_areNotAsked(TestCluster cluster) throws Exception {
    table.put(
        new Put(Bytes.toBytes("r0450 routed"))
            .addColumn(F, Bytes.toBytes("team"), Bytes.toBytes("team of one"))
            .addColumn(F, Bytes.toBytes("age"), age(3)));
    IndexQuery query = where(TEAM.equalTo("team of one")).orderBy(AGE).limit(5);
    Configuration conf = cluster.connection().getConfiguration();
    try (IndexedConnection routed =
        IndexedConnection.wrap(ConnectionFactory.createConnection(conf))) {
      QueryClient asking = QueryClient.of(routed);
      Waits.until("only one region is asked")
          .until(
              () -> {
                IndexCounters before = IndexCounters.of(name);
                assertThat(texts(asking, query)).hasSize(1);
                return IndexCounters.of(name).since(before).get(IndexCounter.SCANS_ORDERED);
              },
              asked -> asked == 1);
      assertThat(texts(asking, where(AGE.isPresent()).orderBy(AGE).limit(10)))
          .isEqualTo(expected(AGE.isPresent(), AGE, false, 10));
    } finally {
      table.delete(new Delete(Bytes.toBytes("r0450 routed")));
    }
  }

  @Test
  void explain_saysThatRowsComeInValueOrder(TestCluster cluster) throws Exception {
    IndexQuery query = where(AGE.isPresent()).orderBy(AGE).limit(10);
    Explanation explanation =
        IndexAdmin.of(cluster.connection()).explain(name, query.toExplainedScan());

    assertThat(explanation.visits())
        .allMatch(visit -> visit.plan().equals("value order of by_age"));
    assertThat(explanation.counted("orderedByPostings")).isPositive();
  }

  @Test
  void tableWithoutIndex_isRefused(TestCluster cluster) throws Exception {
    TableName bare = TestTables.uniqueName("bare");
    cluster
        .tables()
        .create(
            TableDescriptorBuilder.newBuilder(bare)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                .build());
    try (Table rows = cluster.connection().getTable(bare)) {
      rows.put(person(1));
    }
    assertThatThrownBy(
            () -> texts(client, IndexQuery.from(bare).where(AGE.isPresent()).orderBy(AGE)))
        .hasMessageContaining("Cannot give rows in the order of f:age");
  }
}
