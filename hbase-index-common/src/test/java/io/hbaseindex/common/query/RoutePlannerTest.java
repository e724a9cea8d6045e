/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.common.query;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.predicate.RowPredicate;
import io.hbaseindex.core.predicate.ValueRange;
import io.hbaseindex.core.route.RoutePredicate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;

class RoutePlannerTest {
  private static final IndexDefinition ABC =
      IndexDefinition.on("f", "a").and("f", "b").and("f", "c").named("abc").eager();
  private static final IndexDefinition ABCD =
      IndexDefinition.on("f", "a")
          .and("f", "b")
          .and("f", "c")
          .and("f", "d")
          .named("abcd")
          .routes("f:a", "f:c")
          .routes("f:a", "f:d")
          .eager();

  @Test
  void plan_firstColumnFixed_asksByIt() {
    assertThat(sets(ABC, is("a", "x"))).containsExactly("abc(f:a)");
    assertThat(sets(ABC, all(is("a", "x"), is("c", "z")))).containsExactly("abc(f:a)");
  }

  @Test
  void plan_leadingColumnsFixed_asksByTheLargestSetOnly() {
    assertThat(sets(ABC, all(is("b", "y"), is("a", "x")))).containsExactly("abc(f:a+f:b)");
    assertThat(sets(ABC, all(is("c", "z"), is("b", "y"), is("a", "x"))))
        .containsExactly("abc(f:a+f:b+f:c)");
  }

  @Test
  void plan_rangeBesideAFixedColumn_asksByTheFixedOne() {
    RowPredicate range = new RowPredicate.Column(column("b"), ValueRange.greaterThan(bytes("y")));

    assertThat(sets(ABC, all(is("a", "x"), range))).containsExactly("abc(f:a)");
    assertThat(plan(ABC, range)).isEmpty();
  }

  @Test
  void plan_rangeOfTheFirstColumn_asksItsBounds() {
    RowPredicate above = within("a", ValueRange.greaterThan(bytes("k")));
    RowPredicate below = within("a", ValueRange.lessThan(bytes("m")));

    assertThat(sets(ABC, above)).containsExactly("abc(f:a) bounds");
    assertThat(plan(ABC, all(above, below)).orElseThrow())
        .isInstanceOfSatisfying(
            RoutePredicate.Range.class,
            range -> {
              assertThat(range.index().isWhole()).isTrue();
              assertThat(range.values())
                  .isEqualTo(ValueRange.from(bytes("k\0"), Optional.of(bytes("m"))));
            });
    assertThat(sets(ABC, all(is("b", "y"), below))).containsExactly("abc(f:a) bounds");
    assertThat(planner(List.of(ABC, ABCD)).setsOf(planner(List.of(ABC, ABCD)).plan(below).get()))
        .containsExactly("abc(f:a) bounds", "abcd(f:a) bounds");
  }

  @Test
  void plan_rangesBesideOthers_areCombinedAsTheConditionsAre() {
    RowPredicate prefix = within("a", ValueRange.startingWith(bytes("k")));

    assertThat(plan(ABC, RowPredicate.any(List.of(prefix, is("a", "x")))).orElseThrow())
        .isInstanceOf(RoutePredicate.AnyOf.class);
    assertThat(plan(ABC, RowPredicate.any(List.of(prefix, is("b", "x"))))).isEmpty();
    assertThat(sets(ABC, all(prefix, is("a", "x")))).containsExactly("abc(f:a)", "abc(f:a) bounds");
  }

  @Test
  void plan_contradictingRanges_nothingCanMeetThem() {
    RowPredicate none =
        all(
            within("a", ValueRange.lessThan(bytes("k"))),
            within("a", ValueRange.greaterThan(bytes("m"))));

    assertThat(plan(ABC, none).orElseThrow())
        .isInstanceOfSatisfying(
            RoutePredicate.Range.class, range -> assertThat(range.values().isEmpty()).isTrue());
  }

  @Test
  void plan_rangeOfAnIndexWithoutRanges_asksNothing_andItsValuesAreAsked() {
    IndexDefinition without =
        IndexDefinition.on("f", "a").and("f", "b").noRanges().named("w").eager();
    RowPredicate above = within("a", ValueRange.greaterThan(bytes("k")));

    assertThat(plan(without, above)).isEmpty();
    assertThat(plan(without, within("a", ValueRange.startingWith(bytes("k"))))).isEmpty();
    assertThat(plan(without, RowPredicate.any(List.of(above, is("a", "a"))))).isEmpty();
    assertThat(sets(without, all(above, is("a", "x")))).containsExactly("w(f:a)");
    RoutePlanner both = planner(List.of(without, ABC));
    assertThat(both.setsOf(both.plan(above).orElseThrow())).containsExactly("abc(f:a) bounds");
  }

  private static RowPredicate within(String column, ValueRange range) {
    return new RowPredicate.Column(column(column), range);
  }

  @Test
  void e2_plan_firstColumnNotFixed_asksNothing() {
    assertThat(plan(ABC, is("b", "y"))).isEmpty();
    assertThat(plan(ABCD, all(is("b", "y"), is("c", "z"), is("d", "w")))).isEmpty();
  }

  @Test
  void e3_plan_partialIndex_isAskedOnlyWhereItsConditionIsImplied() {
    IndexDefinition open = IndexDefinition.on("f", "a").where("f:s=1").named("open").eager();

    assertThat(sets(open, all(is("a", "x"), is("s", "1")))).containsExactly("open(f:a)");
    assertThat(plan(open, is("a", "x"))).isEmpty();
    assertThat(plan(open, all(is("a", "x"), is("s", "2")))).isEmpty();
    assertThat(plan(open, RowPredicate.any(List.of(is("a", "x"), is("s", "1"))))).isEmpty();
    RowPredicate either = RowPredicate.any(List.of(is("a", "x"), is("a", "y")));
    assertThat(sets(open, all(either, is("s", "1")))).containsExactly("open(f:a)");
    assertThat(planner(List.of(open)).isServed(all(is("a", "x"), is("s", "1")))).isTrue();
    assertThat(planner(List.of(open)).isServed(is("a", "x"))).isFalse();
  }

  @Test
  void plan_declaredSets_areAllAskedUnlessALargerOneHasThem() {
    assertThat(sets(ABCD, all(is("a", "x"), is("c", "z")))).containsExactly("abcd(f:a+f:c)");
    assertThat(sets(ABCD, all(is("a", "x"), is("c", "z"), is("d", "w"))))
        .containsExactly("abcd(f:a+f:c)", "abcd(f:a+f:d)");
    assertThat(sets(ABCD, all(is("a", "x"), is("b", "y"), is("d", "w"))))
        .containsExactly("abcd(f:a+f:b)", "abcd(f:a+f:d)");
  }

  @Test
  void plan_declaredSets_mustAllHold() {
    assertThat(plan(ABCD, all(is("a", "x"), is("c", "z"), is("d", "w"))).orElseThrow())
        .isInstanceOfSatisfying(
            RoutePredicate.AllOf.class, parts -> assertThat(parts.parts()).hasSize(2));
  }

  @Test
  void plan_listOfValues_asksForEachOfThem() {
    assertThat(elements(plan(ABC, in("a", 3)))).isEqualTo(3);
    assertThat(elements(plan(ABC, all(in("a", 3), is("b", "y"))))).isEqualTo(3);
    assertThat(sets(ABC, all(in("a", 3), is("b", "y")))).containsExactly("abc(f:a+f:b)");
  }

  @Test
  void plan_severalLists_multiplyOut() {
    RowPredicate both = all(in("a", 8), in("b", 8));

    assertThat(elements(plan(ABC, both))).isEqualTo(64);
    assertThat(sets(ABC, both)).containsExactly("abc(f:a+f:b)");
  }

  @Test
  void plan_moreCombinationsThanTheBound_asksBySmallerSets() {
    RowPredicate both = all(in("a", 5), in("b", 13));

    assertThat(elements(plan(ABC, both))).isEqualTo(5);
    assertThat(sets(ABC, both)).containsExactly("abc(f:a)");
    assertThat(sets(ABCD, all(in("a", 5), in("b", 13), in("c", 2))))
        .containsExactly("abcd(f:a+f:c)");
  }

  @Test
  void plan_oneLongList_isAskedWhole() {
    assertThat(elements(plan(ABC, in("a", 1_000)))).isEqualTo(1_000);
    assertThat(sets(ABC, all(is("a", "x"), in("b", 64)))).containsExactly("abc(f:a+f:b)");
    assertThat(sets(ABC, all(is("a", "x"), in("b", 65)))).containsExactly("abc(f:a)");
    assertThat(sets(ABCD, all(in("a", 60_000), in("b", 60_000), in("c", 60_000), in("d", 60_000))))
        .containsExactly("abcd(f:a)");
  }

  @Test
  void plan_longListThatTwoIndexesKnow_isAskedOnce_andAShortOneOfBoth() {
    List<IndexDefinition> two = List.of(ABC, IndexDefinition.on("f", "a").named("a").eager());

    assertThat(elements(planner(two).plan(in("a", 65)))).isEqualTo(65);
    assertThat(elements(planner(two).plan(in("a", 64)))).isEqualTo(128);
  }

  @Test
  void plan_valueTwiceInAList_isAskedOnce() {
    assertThat(elements(plan(ABC, RowPredicate.any(List.of(is("a", "x"), is("a", "x"))))))
        .isEqualTo(1);
  }

  @Test
  void plan_disjunctionOfColumns_asksEachPartBySetsOfItsOwn() {
    List<IndexDefinition> two =
        List.of(ABC, IndexDefinition.on("f", "d").and("f", "a").named("da").eager());
    RowPredicate either = RowPredicate.any(List.of(all(is("a", "x"), is("b", "y")), is("d", "w")));
    RoutePlanner planner = planner(two);

    assertThat(planner.setsOf(planner.plan(either).orElseThrow()))
        .containsExactly("abc(f:a+f:b)", "da(f:d)");
    assertThat(planner.plan(RowPredicate.any(List.of(is("a", "x"), is("c", "z"))))).isEmpty();
  }

  private static Optional<RoutePredicate> plan(IndexDefinition index, RowPredicate predicate) {
    return planner(List.of(index)).plan(predicate);
  }

  private static List<String> sets(IndexDefinition index, RowPredicate predicate) {
    RoutePlanner planner = planner(List.of(index));
    return planner.setsOf(planner.plan(predicate).orElseThrow());
  }

  private static RoutePlanner planner(List<IndexDefinition> indexes) {
    TableDescriptor table =
        IndexedTableDescriptor.with(
            TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                .build(),
            indexes.toArray(IndexDefinition[]::new));
    return RoutePlanner.of(table, IndexedTableDescriptor.indexesOf(table));
  }

  private static long elements(Optional<RoutePredicate> predicate) {
    return elements(predicate.orElseThrow());
  }

  private static long elements(RoutePredicate predicate) {
    if (predicate instanceof RoutePredicate.AllOf all) {
      return all.parts().stream().mapToLong(RoutePlannerTest::elements).sum();
    }
    if (predicate instanceof RoutePredicate.AnyOf any) {
      return any.parts().stream().mapToLong(RoutePlannerTest::elements).sum();
    }
    return 1;
  }

  private static RowPredicate all(RowPredicate... parts) {
    return RowPredicate.all(Arrays.asList(parts));
  }

  private static RowPredicate is(String qualifier, String value) {
    return new RowPredicate.Column(column(qualifier), ValueRange.equalTo(bytes(value)));
  }

  private static RowPredicate in(String qualifier, int values) {
    List<RowPredicate> each =
        new ArrayList<>(IntStream.range(0, values).mapToObj(i -> is(qualifier, "v" + i)).toList());
    Collections.reverse(each);
    return RowPredicate.any(each);
  }

  private static ColumnRef column(String qualifier) {
    return ColumnRef.of("f", qualifier);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(US_ASCII);
  }
}
