/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.common.query.OrderedRows;
import io.hbaseindex.common.query.RoutePlanner;
import io.hbaseindex.common.query.ScanReader;
import io.hbaseindex.common.query.ScanVerdict;
import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.TableIndexes;
import io.hbaseindex.core.predicate.RowPredicate;
import io.hbaseindex.core.route.RoutePredicate;
import io.hbaseindex.core.wire.RouteCodec;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;
import org.apache.commons.lang3.SerializationUtils;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.types.OrderedInt64;
import org.apache.hadoop.hbase.types.OrderedString;
import org.apache.hadoop.hbase.types.RawBytes;
import org.apache.hadoop.hbase.types.RawString;
import org.apache.hadoop.hbase.types.RawStringTerminated;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/**
 * What a query compiles to is read back by the reader that client and servers use, so that these
 * tests judge both that the scan says what the query says and that an index may serve it.
 */
class IndexQueryTest {
  private static final TableDescriptor TABLE =
      TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
          .setColumnFamily(
              ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("f"))
                  .setMaxVersions(3)
                  .build())
          .build();
  private static final Column CITY = Column.of("f", "city");
  private static final Column AGE = Column.of("f", "age");
  private static final List<Long> NUMBERS =
      List.of(Long.MIN_VALUE, -1000L, -2L, -1L, 0L, 1L, 2L, 7L, 1000L, Long.MAX_VALUE);

  @Test
  void text_equalityListAndPrefix() {
    assertThat(cities(CITY.equalTo("Graz"))).containsExactly("Graz");
    assertThat(cities(CITY.in("Graz", "Linz", "Graz"))).containsExactly("Graz", "Linz");
    assertThat(cities(CITY.startsWith("G"))).containsExactly("Genf", "Graz");
  }

  /** A filter that the user gives may look at any column, also where rows are only counted. */
  @Test
  void keysOnly_withAFilterOfTheUser_readsWhatThatMaySee() {
    IndexQuery query = IndexQuery.from("t").where(CITY.equalTo("Graz"));
    assertThat(query.keysOnly().toScan().getFamilyMap()).isNotEmpty();
    assertThat(query.passing(new PageFilter(3)).keysOnly().toScan().getFamilyMap()).isEmpty();
  }

  @Test
  void allRows_areReadWithoutAFilter_orWithTheUsersAlone() {
    IndexQuery all = IndexQuery.from("t").all();
    assertThat(all.select(CITY).toScan()).matches(scan -> !scan.hasFilter(), "has no filter");
    assertThat(all.select(CITY).toScan().getFamilyMap()).isEmpty();
    assertThat(all.passing(new PageFilter(3)).toScan().getFilter()).isInstanceOf(PageFilter.class);
    assertThat(all).hasToString("select everything from t where true");
    assertThat(all.condition().and(CITY.isPresent())).isEqualTo(CITY.isPresent());
  }

  @Test
  void conditions_canBeSent() {
    Condition condition =
        CITY.in("Graz", "Linz")
            .and(CITY.like("%r_z").not())
            .or(CITY.atLeast(Value.of(BigDecimal.ONE)).and(CITY.isAbsent()));
    assertThat(SerializationUtils.roundtrip(condition)).isEqualTo(condition);
  }

  @Test
  void longestList_canBeRouted() throws Exception {
    TableIndexes indexes =
        IndexedTableDescriptor.indexesOf(
            IndexedTableDescriptor.with(
                TABLE, IndexDefinition.on("f", "city").named("by_city").eager()));
    String[] values =
        IntStream.range(0, Column.MAX_VALUES).mapToObj(Integer::toString).toArray(String[]::new);
    Scan scan = new Scan().setFilter(ConditionFilter.of(CITY.in(values)));
    RowPredicate predicate = ((ScanVerdict.Eligible) ScanReader.of(TABLE).read(scan)).predicate();

    RoutePredicate route = RoutePlanner.of(TABLE, indexes).plan(predicate).orElseThrow();

    RouteCodec.RouteRequest request = new RouteCodec.RouteRequest("t", route);
    assertThat(RouteCodec.decodeRequest(RouteCodec.encode(request))).isEqualTo(request);
  }

  @Test
  void prefix_ofATypeWhoseValuesEndWithATerminator_isRefused() {
    assertThatThrownBy(() -> CITY.startsWith(Value.of(OrderedString.ASCENDING, "G")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("only the whole value would match; use a range");
    assertThatThrownBy(
            () -> CITY.startsWith(Value.of(new RawStringTerminated(new byte[] {0}), "G")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void prefix_ofATypeWithNothingButTheText_isServed() {
    assertThat(cities(CITY.startsWith(Value.of(RawString.ASCENDING, "G"))))
        .containsExactly("Genf", "Graz");
    assertThat(cities(CITY.startsWith(Value.of(RawBytes.ASCENDING, Bytes.toBytes("G")))))
        .containsExactly("Genf", "Graz");
  }

  @Test
  void text_ranges() {
    assertThat(cities(CITY.between(Value.of("Graz"), Value.of("Linz"))))
        .containsExactly("Graz", "Linz");
    assertThat(cities(CITY.greaterThan(Value.of("Graz")))).containsExactly("Linz", "Wien");
    assertThat(cities(CITY.atLeast(Value.of("Graz")))).containsExactly("Graz", "Linz", "Wien");
    assertThat(cities(CITY.lessThan(Value.of("Graz")))).containsExactly("Genf");
    assertThat(cities(CITY.atMost(Value.of("Graz")))).containsExactly("Genf", "Graz");
  }

  @Test
  void numbers_rangesMeanWhatTheySay_alsoAcrossZero() {
    for (long bound : NUMBERS) {
      assertNumbers(AGE.atLeast(Value.of(bound)), n -> n >= bound);
      assertNumbers(AGE.greaterThan(Value.of(bound)), n -> n > bound);
      assertNumbers(AGE.atMost(Value.of(bound)), n -> n <= bound);
      assertNumbers(AGE.lessThan(Value.of(bound)), n -> n < bound);
      for (long other : NUMBERS) {
        if (bound <= other) {
          assertNumbers(
              AGE.between(Value.of(bound), Value.of(other)), n -> bound <= n && n <= other);
        }
      }
    }
  }

  @Test
  void hbaseTypes_areEncodedAsHBaseDoes() {
    assertThat(Value.of(OrderedInt64.ASCENDING, -5L).order()).isEqualTo(Value.ByteOrder.NATURAL);
    assertThat(Value.of(OrderedString.DESCENDING, "x").order()).isEqualTo(Value.ByteOrder.NONE);
    assertThat(
            Bytes.compareTo(
                Value.of(OrderedInt64.ASCENDING, -5L).bytes(),
                Value.of(OrderedInt64.ASCENDING, 3L).bytes()))
        .isNegative();
  }

  @Test
  void and_or_areNested() {
    RowPredicate predicate =
        predicate(
            CITY.equalTo("Graz")
                .or(CITY.equalTo("Linz"))
                .and(AGE.between(Value.of(10L), Value.of(20L))));

    assertThat(matches(predicate, "Linz", 15)).isTrue();
    assertThat(matches(predicate, "Linz", 25)).isFalse();
    assertThat(matches(predicate, "Wien", 15)).isFalse();
  }

  @Test
  void projection_readsTheConditionsColumnsToo() {
    Scan scan = query(CITY.equalTo("Graz")).select(AGE).toScan();

    assertThat(scan.getFamilyMap().get(Bytes.toBytes("f")))
        .containsExactly(Bytes.toBytes("age"), Bytes.toBytes("city"));
    assertThat(query(CITY.equalTo("Graz")).toScan().getFamilyMap()).isEmpty();
  }

  @Test
  void limit_isPushedDown() {
    assertThat(query(CITY.equalTo("Graz")).limit(7).toScan().getLimit()).isEqualTo(7);
  }

  @Test
  void badInput_isRefusedWithWhatToDo() {
    refused(() -> CITY.in(), "the list had 0 values; give 1 to 10000");
    refused(() -> CITY.startsWith(""), "every value does");
    refused(() -> CITY.startsWith(Value.of(5L)), "use a range");
    refused(() -> CITY.between(Value.of("b"), Value.of("a")), "the first is higher; swap them");
    refused(() -> CITY.between(Value.of(3L), Value.of(-3L)), "the first is higher; swap them");
    refused(() -> CITY.between(Value.of("b"), Value.of(3L)), "different types");
    refused(() -> CITY.between(Value.of(3), Value.of(3L)), "different types");
    refused(() -> CITY.atLeast(Value.of(true)), "do not sort as its values do");
    refused(() -> CITY.atLeast(Value.of(Double.NaN)), "its bound was NaN");
    refused(() -> CITY.between(Value.of(1.5), Value.ofFloat(1.5f)), "different types");
    refused(() -> CITY.between(Value.of(-1.5), Value.of(-2.5)), "the first is higher; swap them");
    refused(() -> query(CITY.equalTo("a")).limit(0), "ask for at least one");
    refused(() -> Condition.all(List.of()), "there were none");
    refused(() -> Column.of("", "q"), "its family was empty");
  }

  @Test
  void toString_saysWhatIsAskedFor() {
    assertThat(query(CITY.equalTo("Graz").and(AGE.startsWith(Value.of("4")))).select(AGE).limit(3))
        .hasToString("select f:age from t where (f:city = Graz and f:age starts with 4) limit 3");
  }

  private static void refused(Runnable call, String message) {
    assertThatThrownBy(call::run)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  private static IndexQuery query(Condition condition) {
    return IndexQuery.from("t").where(condition);
  }

  private static RowPredicate predicate(Condition condition) {
    ScanVerdict verdict = ScanReader.of(TABLE).read(query(condition).toScan());
    assertThat(verdict).isInstanceOf(ScanVerdict.Eligible.class);
    return ((ScanVerdict.Eligible) verdict).predicate();
  }

  private static List<String> cities(Condition condition) {
    RowPredicate predicate = predicate(condition);
    List<String> cities = new ArrayList<>();
    for (String city : List.of("Genf", "Graz", "Linz", "Wien")) {
      if (predicate.test(Map.of(CITY.ref(), Bytes.toBytes(city))::get)) {
        cities.add(city);
      }
    }
    return cities;
  }

  private static void assertNumbers(Condition condition, LongPredicate expected) {
    RowPredicate predicate = predicate(condition);
    for (long number : NUMBERS) {
      Map<ColumnRef, byte[]> row = Map.of(AGE.ref(), Bytes.toBytes(number));
      assertThat(predicate.test(row::get))
          .as("%d meets %s", number, condition)
          .isEqualTo(expected.test(number));
    }
  }

  private static boolean matches(RowPredicate predicate, String city, long age) {
    Map<ColumnRef, byte[]> row =
        Map.of(CITY.ref(), Bytes.toBytes(city), AGE.ref(), Bytes.toBytes(age));
    return predicate.test(row::get);
  }

  @Test
  void order_isAskedOfRegions_andPartOfTheQuery() {
    IndexQuery query =
        IndexQuery.from("t").where(CITY.equalTo("Graz")).orderBy("f", "age").descending().limit(40);

    assertThat(query)
        .hasToString("select everything from t where f:city = Graz order by f:age desc limit 40");
    OrderedRows.Request asked = OrderedRows.in(query.toExplainedScan()).orElseThrow();
    assertThat(asked.order()).hasToString("f:age desc");
    assertThat(asked.rows()).isEqualTo(5);
    assertThat(query.toExplainedScan().getLimit()).isNegative();
    assertThat(query.descending()).hasToString(query.toString());
    assertThatThrownBy(query::toScan)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("it has an order");
    // Only rows with the column are counted, in any order.
    assertThat(OrderedRows.in(query.toCountingScan())).isEmpty();
    assertThat(query.toCountingScan().getFamilyMap().values().iterator().next()).hasSize(2);
    assertThatThrownBy(() -> IndexQuery.from("t").where(CITY.equalTo("Graz")).descending())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("call orderBy first");
  }

  @Test
  void filtersThatMayHideTheColumn_areRefusedBesideAnOrder() {
    IndexQuery plain = IndexQuery.from("t").where(CITY.equalTo("Graz"));
    for (Filter hiding :
        List.of(
            new KeyOnlyFilter(),
            new ColumnPrefixFilter(Bytes.toBytes("c")),
            new FilterList(new PrefixFilter(Bytes.toBytes("r")), new FirstKeyOnlyFilter()))) {
      assertThatThrownBy(() -> plain.orderBy(AGE).passing(hiding))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("may hide cells");
      assertThatThrownBy(() -> plain.passing(hiding).orderBy(AGE))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("may hide cells");
    }
    Filter rows =
        new FilterList(
            FilterList.Operator.MUST_PASS_ONE,
            new PrefixFilter(Bytes.toBytes("r")),
            new RowFilter(CompareOperator.EQUAL, new BinaryComparator(Bytes.toBytes("s"))));
    assertThat(plain.orderBy(AGE).passing(rows).toExplainedScan().getFilter()).isNotNull();
  }
}
