/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.client.IndexedConnection;
import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.admin.explain.Explanation;
import io.hbaseindex.client.admin.status.Progress;
import io.hbaseindex.client.query.Column;
import io.hbaseindex.client.query.Condition;
import io.hbaseindex.client.query.IndexQuery;
import io.hbaseindex.client.query.QueryClient;
import io.hbaseindex.client.query.TypedValue;
import io.hbaseindex.client.query.Value;
import io.hbaseindex.client.query.ValueCount;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.ValueType;
import io.hbaseindex.it.cluster.IndexCounters;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.Seed;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.index.IndexProbe;
import io.hbaseindex.region.metrics.IndexCounter;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.BigDecimalComparator;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.filter.LongComparator;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Indexes that know what their columns hold answer as plain scans do. */
@OnSharedCluster
class TypedScansIT {
  private static final int QUERIES = 400;
  private static final long SEED = 20261117L;
  private static final Column AGE = Column.of("f", "age");
  private static final Column RATE = Column.of("f", "rate");
  private static final Column PRICE = Column.of("f", "price");
  private static final Column FEE = Column.of("f", "fee");

  private static TypedTable items;

  private final Random random = new Random(SEED);

  @BeforeAll
  static void create(TestCluster cluster) throws IOException {
    items = TypedTable.create(cluster, new Random(SEED));
  }

  @AfterAll
  static void drop() throws IOException {
    items.close();
  }

  private static IndexedConnection routed(TestCluster cluster) throws IOException {
    return IndexedConnection.wrap(ConnectionFactory.createConnection(cluster.configuration()));
  }

  @Test
  void randomConditions_withAndWithoutIndex_findTheSame(TestCluster cluster) throws Exception {
    Seed.announce(getClass(), SEED);
    try (IndexedConnection routed = routed(cluster)) {
      QueryClient client = QueryClient.of(routed);
      IndexCounters before = items.counters();
      for (int i = 0; i < QUERIES; i++) {
        IndexQuery query = IndexQuery.from(items.name()).where(condition(2));
        List<String> plain = items.keys(IndexProbe.withoutIndex(query.toScan()));
        assertThat(items.keys(query.toScan())).as("%d: %s", i, query).isEqualTo(plain);
        assertThat(client.count(query)).as("count of %d: %s", i, query).isEqualTo(plain.size());
        IndexQuery covered = query.select(AGE, Column.of("f", "city"));
        assertThat(items.cells(covered.toScan()))
            .as("%s", covered)
            .isEqualTo(items.cells(IndexProbe.withoutIndex(covered.toScan())));
      }
      IndexCounters since = items.counters().since(before);
      assertThat(since.get(IndexCounter.SCANS_JUMPED)).isGreaterThan(QUERIES);
      assertThat(since.get(IndexCounter.COUNTED_BY_POSTINGS)).isPositive();
      assertThat(since.get(IndexCounter.ROWS_FROM_POSTINGS)).isPositive();
    }
  }

  private Condition condition(int depth) {
    if (depth > 0 && random.nextInt(3) == 0) {
      List<Condition> parts = List.of(condition(depth - 1), condition(depth - 1));
      return random.nextBoolean() ? Condition.all(parts) : Condition.any(parts);
    }
    return switch (random.nextInt(4)) {
      case 0 -> on(AGE, TypedTable.LONGS.stream().map(Value::of).toList());
      case 1 -> on(RATE, TypedTable.DOUBLES.stream().map(Value::of).toList());
      case 2 -> on(PRICE, TypedTable.DECIMALS.stream().map(Value::of).toList());
      default -> onBytes(List.of(AGE, RATE, PRICE).get(random.nextInt(3)));
    };
  }

  private Condition on(Column column, List<Value> values) {
    Value one = values.get(random.nextInt(values.size()));
    Value other = values.get(random.nextInt(values.size()));
    return switch (random.nextInt(8)) {
      case 0 -> column.atLeast(one);
      case 1 -> column.greaterThan(one);
      case 2 -> column.atMost(one);
      case 3 -> column.lessThan(one);
      case 4 -> column.in(List.of(one, other));
      case 5, 6 -> column.equalTo(one);
      default ->
          one.compareTo(other) <= 0 ? column.between(one, other) : column.between(other, one);
    };
  }

  /** By their bytes, as cells are compared that are no numbers. */
  private Condition onBytes(Column column) {
    Value cell = Value.of(TypedTable.OTHERS.get(random.nextInt(TypedTable.OTHERS.size())));
    return switch (random.nextInt(6)) {
      case 0 -> column.isPresent();
      case 1 -> column.atLeast(cell);
      case 2 -> column.lessThan(cell);
      case 3 -> cell.bytes().length > 0 ? column.startsWith(cell) : column.isPresent();
      default -> column.equalTo(cell);
    };
  }

  /** HBase fails on cells that are no such numbers, so there are none in these columns. */
  @Test
  void comparatorsOfHBase_areServed_andAnswerAsEver() throws Exception {
    IndexCounters before = items.counters();
    int scans = 0;
    for (CompareOperator operator :
        List.of(
            CompareOperator.LESS,
            CompareOperator.LESS_OR_EQUAL,
            CompareOperator.EQUAL,
            CompareOperator.GREATER_OR_EQUAL,
            CompareOperator.GREATER)) {
      for (long number : TypedTable.LONGS) {
        same(where("born", operator, new LongComparator(number)));
        scans++;
      }
      for (BigDecimal number : TypedTable.DECIMALS) {
        same(where("fee", operator, new BigDecimalComparator(number)));
        scans++;
      }
    }
    IndexCounters since = items.counters().since(before);
    assertThat(since.get(IndexCounter.SCANS_JUMPED))
        .isEqualTo((long) scans * items.regions().size());
  }

  private void same(Scan scan) throws IOException {
    assertThat(items.keys(new Scan(scan)))
        .as("%s", scan)
        .isEqualTo(items.keys(IndexProbe.withoutIndex(scan)));
  }

  private static Scan where(
      String column, CompareOperator operator, ByteArrayComparable comparator) {
    SingleColumnValueFilter filter =
        new SingleColumnValueFilter(TypedTable.F, Bytes.toBytes(column), operator, comparator);
    filter.setFilterIfMissing(true);
    return new Scan().setFilter(filter);
  }

  @Test
  void numberOfAnyScale_isRoutedToTheRegionsThatHoldIt(TestCluster cluster) throws Exception {
    for (String scale : List.of("77.5", "77.50", "77.500")) {
      items.table().put(fee("r9" + scale.length(), new BigDecimal(scale)));
    }
    cluster.tables().awaitPrecise(items.name());
    Condition equal = FEE.equalTo(Value.of(new BigDecimal("77.5000")));
    IndexQuery query = IndexQuery.from(items.name()).where(equal);
    try (IndexedConnection routed = routed(cluster)) {
      assertThat(QueryClient.of(routed).count(query)).isEqualTo(3);
      Explanation explanation = IndexAdmin.of(routed).explain(items.name(), query.toScan());
      assertThat(explanation.route().skipped()).isEqualTo(items.regions().size() - 1);
    }
  }

  private static Put fee(String row, BigDecimal number) {
    return new Put(Bytes.toBytes(row))
        .addColumn(TypedTable.F, Bytes.toBytes("fee"), Bytes.toBytes(number));
  }

  @Test
  void values_areInTheOrderOfTheirType(TestCluster cluster) throws Exception {
    QueryClient client = QueryClient.of(cluster.connection());
    for (Column column : List.of(AGE.as(ValueType.LONG), RATE.as(ValueType.DOUBLE))) {
      ValueType type = column.equals(AGE) ? ValueType.LONG : ValueType.DOUBLE;
      IndexQuery all = IndexQuery.from(items.name()).where(column.isPresent());
      List<Double> numbers = new ArrayList<>();
      List<byte[]> others = new ArrayList<>();
      for (ValueCount value : client.values(all, column)) {
        TypedValue.read(type, value.value())
            .ifPresentOrElse(
                number -> numbers.add(((Number) number).doubleValue()),
                () -> others.add(value.value()));
      }
      assertThat(numbers).isSorted().hasSizeGreaterThan(4);
      assertThat(others).isSortedAccordingTo(Arrays::compareUnsigned).isNotEmpty();
      byte[] lowest = client.min(all, column).orElseThrow();
      assertThat(TypedValue.read(type, lowest).map(n -> ((Number) n).doubleValue()))
          .contains(numbers.get(0));
      byte[] highest = client.max(all, column).orElseThrow();
      assertThat(TypedValue.read(type, highest).map(n -> ((Number) n).doubleValue()))
          .contains(numbers.get(numbers.size() - 1));
    }
  }

  @Test
  void cellsThatAreNoValues_areCounted_andTheCheckFindsNoFault() throws Exception {
    IndexCounters before = items.counters();
    byte[] row = Bytes.toBytes("r5");
    items.table().put(new Put(row).addColumn(TypedTable.F, Bytes.toBytes("age"), new byte[3]));
    items.table().put(new Put(row).addColumn(TypedTable.F, Bytes.toBytes("born"), new byte[8]));
    IndexCounters since = items.counters().since(before);

    assertThat(since.get(IndexCounter.POSTINGS_WRITTEN_UNDECODED)).isEqualTo(1);
    assertThat(items.probe().check().overstated()).isEmpty();
    assertThat(items.probe().check().missing()).isEmpty();
    assertThat(items.probe().check().danglingExcept(lazy())).isEmpty();
  }

  private static Set<Integer> lazy() throws IOException {
    return Set.of(items.probe().index("by_price").id());
  }

  @Test
  void type_changed_buildsAnew(TestCluster cluster) throws Exception {
    IndexAdmin admin = IndexAdmin.of(cluster.connection());
    int id = items.probe().index("by_code").id();
    SingleColumnValueFilter filter =
        new SingleColumnValueFilter(
            TypedTable.F,
            Bytes.toBytes("code"),
            CompareOperator.GREATER_OR_EQUAL,
            new BinaryComparator(new byte[] {0, 0, 0, 9}));
    filter.setFilterIfMissing(true);
    Scan bytes = new Scan().setFilter(filter);

    admin.create(
        items.name(), IndexDefinition.on("f", "code").as(ValueType.INT).named("by_code").eager());
    same(bytes);
    admin.awaitReady(items.name(), Duration.ofMinutes(2), Progress.NONE);

    IndexCounters before = items.counters();
    same(bytes);
    assertThat(items.counters().since(before).get(IndexCounter.SCANS_JUMPED)).isPositive();
    IndexDefinition index = items.probe().index("by_code");
    assertThat(index.id()).isGreaterThan(id);
    assertThat(index.version()).isEqualTo(2);
    assertThat(index.types()).containsExactly(ValueType.INT);
    assertThat(items.probe().check().danglingExcept(lazy())).isEmpty();
    // Typed again without a type, as in a script, it keeps the one that it has.
    assertThat(admin.create(items.name(), IndexDefinition.on("f", "code").named("by_code").eager()))
        .isFalse();
  }
}
