/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.TableIndexes;
import io.hbaseindex.core.definition.ValueType;
import io.hbaseindex.core.predicate.FormRanges;
import io.hbaseindex.core.predicate.RowPredicate;
import io.hbaseindex.core.predicate.ValueRange;
import io.hbaseindex.region.context.Frequencies;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AccessPlannerTest {
  private static final IndexDefinition A = IndexDefinition.on("f", "a").named("a").eager();
  private static final IndexDefinition B = IndexDefinition.on("f", "b").named("b").eager();
  private static final IndexDefinition AB =
      IndexDefinition.on("f", "a").and("f", "b").named("ab").eager();

  @Test
  void plan_equality_isALookup() {
    assertThat(plan(is("a", "1"), A, B)).isEqualTo("a=1");
  }

  @Test
  void plan_range_isASweep() {
    assertThat(plan(in("a", ValueRange.startingWith(bytes("1"))), A))
        .isEqualTo("sweep a([31, 32))");
  }

  @Test
  void plan_columnWithoutIndex_isNone() {
    assertThat(plan(is("c", "1"), A, B)).isEqualTo("none");
    assertThat(plan(is("b", "1"), AB)).as("not its leading column").isEqualTo("none");
  }

  @Test
  void plan_indexesThatAreOfNoUse_changeNothing() {
    IndexDefinition other = IndexDefinition.on("f", "z").named("z").eager();
    for (RowPredicate condition :
        List.of(is("a", "1"), RowPredicate.all(List.of(is("a", "1"), is("y", "2"))))) {
      AccessPlanner.Planned alone = planned(condition, A);
      AccessPlanner.Planned beside = planned(condition, other, A);
      assertThat(print(beside.plan())).isEqualTo(print(alone.plan())).isEqualTo("a=1");
      assertThat(beside.complete()).isEqualTo(alone.complete());
      assertThat(beside.leftOut()).isEmpty();
    }
    assertThat(planned(is("a", "1"), other, A).complete()).isTrue();
  }

  @Test
  void plan_and_intersectsLookups() {
    assertThat(plan(all(is("a", "1"), is("b", "2")), A, B)).isEqualTo("(a=1 & b=2)");
    assertThat(planned(all(is("a", "1"), is("b", "2")), A, B).complete()).isTrue();
  }

  @Test
  void plan_andWithConditionsNoIndexServes_ignoresThem() {
    assertThat(plan(all(is("a", "1"), is("c", "2")), A, B)).isEqualTo("a=1");
    assertThat(planned(all(is("a", "1"), is("c", "2")), A, B).complete()).isFalse();
    assertThat(plan(all(is("a", "1"), any(is("b", "2"), is("c", "2"))), A, B)).isEqualTo("a=1");
  }

  private static final IndexDefinition A_OPEN =
      IndexDefinition.on("f", "a").where("f:s=open").named("a_open").eager();

  @Test
  void plan_partialIndex_isUsedWhereItsConditionIsImplied() {
    assertThat(plan(all(is("a", "1"), is("s", "open")), A_OPEN)).isEqualTo("a_open=1");
    assertThat(plan(all(is("a", "1"), is("s", "done")), A_OPEN)).isEqualTo("none");
    assertThat(plan(is("a", "1"), A_OPEN)).isEqualTo("none");
    assertThat(plan(is("a", "1"), A_OPEN, A)).isEqualTo("a=1");
    // Of two that serve alike the one with fewer rows.
    assertThat(plan(all(is("a", "1"), is("s", "open")), A, A_OPEN)).isEqualTo("a_open=1");
  }

  /** Rows without the first column are not in the index, whatever its condition. */
  @Test
  void e3_plan_conditionOfAPartialIndexAlone_doesNotUseIt() {
    assertThat(plan(is("s", "open"), A_OPEN)).isEqualTo("none");
    assertThat(plan(all(is("s", "open"), is("b", "2")), A_OPEN)).isEqualTo("none");
  }

  @Test
  void plan_partialIndex_impliedByAPartAroundOrByOneAlternative() {
    RowPredicate list = any(is("a", "1"), is("a", "2"));
    assertThat(plan(all(list, is("s", "open")), A_OPEN)).isEqualTo("(a_open=1 | a_open=2)");
    RowPredicate either = any(all(is("a", "1"), is("s", "open")), is("b", "2"));
    assertThat(plan(either, A_OPEN, B)).isEqualTo("(a_open=1 | b=2)");
    assertThat(plan(any(is("a", "1"), is("s", "open")), A_OPEN)).isEqualTo("none");
  }

  @Test
  void plan_partialIndex_saysThatItsConditionHolds() {
    assertThat(planned(all(is("a", "1"), is("s", "open")), A_OPEN).complete()).isTrue();
    IndexDefinition some = IndexDefinition.on("f", "a").where("f:s=open|new").named("some").eager();
    assertThat(planned(all(is("a", "1"), is("s", "open")), some).complete()).isFalse();
    RowPredicate list = any(is("s", "open"), is("s", "new"));
    assertThat(planned(all(is("a", "1"), list), some).complete()).isTrue();
    RowPredicate either = any(is("a", "1"), is("a", "2"));
    assertThat(planned(all(either, is("s", "open")), A_OPEN).complete()).isTrue();
    assertThat(planned(all(either, is("s", "open")), A).complete()).isFalse();
    IndexDefinition s = IndexDefinition.on("f", "s").named("s").eager();
    assertThat(plan(all(is("a", "1"), list), some, s)).isEqualTo("some=1");
  }

  @Test
  void plan_compositeThatCoversEverything_replacesSingles() {
    assertThat(plan(all(is("a", "1"), is("b", "2")), A, B, AB)).isEqualTo("ab=1,2");
  }

  @Test
  void plan_compositeWithLeadingEqualityAndRange_isOneSweep() {
    RowPredicate condition = all(is("a", "1"), in("b", ValueRange.atLeast(bytes("2"))));
    assertThat(plan(condition, AB)).isEqualTo("sweep ab(1, [32, ∞))");
    assertThat(plan(condition, A, AB)).isEqualTo("(a=1 & sweep ab(1, [32, ∞)))");
    assertThat(plan(is("a", "1"), AB)).isEqualTo("sweep ab(1)");
    assertThat(plan(in("a", ValueRange.atLeast(bytes("2"))), AB)).isEqualTo("sweep ab([32, ∞))");
  }

  @Test
  void plan_twoBoundsOfOneColumn_becomeOneRange() {
    RowPredicate between =
        all(in("a", ValueRange.atLeast(bytes("1"))), in("a", ValueRange.lessThan(bytes("5"))));
    assertThat(plan(between, A)).isEqualTo("sweep a([31, 35))");
  }

  @Test
  void plan_twoRanges_sweepsTheBoundedOneOnly() {
    RowPredicate condition =
        all(in("a", ValueRange.atLeast(bytes("1"))), in("b", ValueRange.startingWith(bytes("2"))));
    assertThat(plan(condition, A, B)).isEqualTo("sweep b([32, 33))");
    assertThat(planned(condition, A, B).complete()).isFalse();
  }

  @Test
  void plan_contradiction_isNothing() {
    assertThat(plan(all(is("a", "1"), is("a", "2")), A)).isEqualTo("nothing");
    assertThat(plan(any(all(is("a", "1"), is("a", "2")), is("b", "3")), A, B)).isEqualTo("b=3");
    assertThat(plan(all(is("b", "3"), any(all(is("a", "1"), is("a", "2")))), A, B))
        .isEqualTo("nothing");
  }

  @Test
  void plan_or_needsAnIndexForEveryMember() {
    assertThat(plan(any(is("a", "1"), is("b", "2")), A, B)).isEqualTo("(a=1 | b=2)");
    assertThat(plan(any(is("a", "1"), is("c", "2")), A, B)).isEqualTo("none");
  }

  @Test
  void plan_orOfRanges_isOneSweepPerIndex() {
    RowPredicate condition =
        any(
            in("a", ValueRange.startingWith(bytes("5"))),
            is("b", "1"),
            in("a", ValueRange.startingWith(bytes("2"))));
    assertThat(plan(condition, A, B)).isEqualTo("(b=1 | sweep a([35, 36)) ([32, 33)))");
  }

  @Test
  void plan_longInList_isASweepSoThatFewScannersAreOpen() {
    int most = AccessPlanner.MAX_LOOKUPS_IN_UNION;
    assertThat(plan(inList(most), A)).contains("a=v0 | a=v1");
    assertThat(plan(inList(most + 1), A)).startsWith("sweep a(v0) (v1)");
  }

  @Test
  void plan_andOfManyAccesses_keepsFew() {
    RowPredicate condition =
        all(
            is("a", "1"),
            is("b", "2"),
            any(is("a", "1"), is("b", "3")),
            any(is("a", "1"), is("b", "4")),
            any(is("a", "1"), is("b", "5")));
    assertThat(plan(condition, A, B)).isEqualTo("(a=1 & b=2 & (a=1 | b=3) & (a=1 | b=4))");
    assertThat(planned(condition, A, B).complete()).isFalse();
  }

  @Test
  void plan_typedColumn_looksWhereItsPostingsAre() {
    IndexDefinition typed =
        IndexDefinition.on("f", "a").as(ValueType.SHORT).and("f", "b").named("t").eager();
    ValueRange positive = ValueRange.atMost(new byte[] {0, 7});
    ValueRange negative = ValueRange.atLeast(new byte[] {-1, -2});

    assertThat(plan(in("a", positive), typed))
        .isEqualTo("sweep t([018000, 018008)) ([02, 02000700))");
    assertThat(plan(in("a", negative), typed))
        .isEqualTo("sweep t([017ffe, 018000)) ([02fffe, 03))");
    assertThat(plan(in("a", ValueRange.equalTo(new byte[] {0, 7})), typed))
        .isEqualTo("sweep t(\u0001\uFFFD\u0007)");
    assertThat(plan(in("a", ValueRange.atLeast(new byte[0])), typed))
        .isEqualTo("sweep t([01, 03))");
  }

  /** Bytes of decimals do not lie together; numbers do, and whatever is no decimal is asked. */
  @Test
  void plan_decimals_byNumberOrOneByOne() {
    IndexDefinition typed = IndexDefinition.on("f", "a").as(ValueType.DECIMAL).named("t").eager();
    RowPredicate numbers =
        new RowPredicate.Column(
            ColumnRef.of("f", "a"), FormRanges.from(new byte[] {1, 2}), ValueType.DECIMAL);

    assertThat(plan(numbers, typed)).isEqualTo("sweep t([0102, 02)) ([02, 03))");
    assertThat(plan(numbers, A)).as("without a type").isEqualTo("none");
    assertThat(plan(in("a", ValueRange.atLeast(new byte[] {5})), typed)).isEqualTo("none");
    assertThat(plan(is("a", "x"), typed)).isEqualTo("t=\u0002x");
    RowPredicate both = all(numbers, in("a", ValueRange.atLeast(new byte[] {5})));
    assertThat(plan(both, typed)).isEqualTo("sweep t([0102, 02)) ([02, 03))");
    assertThat(planned(both, typed).complete()).isFalse();
  }

  @Test
  void frequencies_rarestComesFirst() {
    RowPredicate condition = all(is("a", "1"), is("b", "2"));
    assertThat(cheapest(condition, Map.of("a=1", 3_000L, "b=2", 1_000L), A, B))
        .isEqualTo("(b=2 & a=1)");
    assertThat(cheapest(condition, Map.of("a=1", 1_000L, "b=2", 3_000L), A, B))
        .isEqualTo("(a=1 & b=2)");
    assertThat(cheapest(condition, Map.of("b=2", 50_000L), A, B))
        .as("nothing is known of the other")
        .isEqualTo("(b=2 & a=1)");
    assertThat(cheapest(condition, Map.of(), A, B)).as("no filter").isEqualTo("(a=1 & b=2)");
  }

  @Test
  void frequencies_memberThatHardlyNarrows_isLeftOut() {
    RowPredicate condition = all(is("a", "1"), is("b", "2"));
    Map<String, Long> unique = Map.of("a=1", 1L, "b=2", 5_000L);
    Map<String, Long> huge = Map.of("a=1", 90_000L, "b=2", 2_000L);
    assertThat(cheapest(condition, unique, A, B)).isEqualTo("a=1");
    assertThat(cheapest(condition, huge, A, B)).isEqualTo("b=2");

    AccessPlanner.Planned planned =
        withFrequencies(huge, false, A, B).plan(condition).orElseThrow();
    assertThat(planned.complete()).isFalse();
    assertThat(planned.leftOut()).hasSize(1);
    assertThat(print(planned.leftOut().get(0))).isEqualTo("a=1");
  }

  @Test
  void frequencies_rangeBesideARareValue_isLeftOut() {
    RowPredicate condition = all(is("a", "1"), in("b", ValueRange.atLeast(bytes("2"))));
    assertThat(cheapest(condition, Map.of("a=1", 10L), A, B)).isEqualTo("a=1");
    assertThat(cheapest(condition, Map.of("a=1", 90_000L), A, B))
        .isEqualTo("(a=1 & sweep b([32, ∞)))");
  }

  @Test
  void frequencies_count_takesAllThatAnswersIt() {
    RowPredicate condition = all(is("a", "1"), is("b", "2"));
    Map<String, Long> huge = Map.of("a=1", 90_000L, "b=2", 2_000L);
    AccessPlanner.Planned planned = withFrequencies(huge, true, A, B).plan(condition).orElseThrow();
    assertThat(print(planned.plan())).isEqualTo("(b=2 & a=1)");
    assertThat(planned.complete()).isTrue();
  }

  @Test
  void frequencies_coveringIndex_isTakenWhereThatCostsLess() {
    IndexDefinition covering =
        IndexDefinition.on("f", "a").and("f", "b").including("f:c").named("ab").eager();
    RowPredicate condition = is("a", "1");
    assertThat(cheapest(condition, Map.of("a=1", 200L, "ab=1", 200L), A, covering))
        .as("rows come from its postings")
        .isEqualTo("sweep ab(1)");
    assertThat(cheapest(condition, Map.of("a=1", 50_000L, "ab=1", 50_000L), A, covering))
        .as("more than may be sorted")
        .isEqualTo("a=1");
    assertThat(cheapest(condition, Map.of(), A, covering)).as("no filter").isEqualTo("a=1");
  }

  /** The cheapest plan in a region of 100,000 rows, where some frequencies are known. */
  private static String cheapest(
      RowPredicate condition, Map<String, Long> frequencies, IndexDefinition... indexes) {
    return print(withFrequencies(frequencies, false, indexes).plan(condition).orElseThrow().plan());
  }

  private static AccessPlanner withFrequencies(
      Map<String, Long> frequencies, boolean completeIfPossible, IndexDefinition... indexes) {
    Frequencies known =
        (index, set, forms) -> {
          Long found = frequencies.get(index.name() + "=" + text(forms));
          return found == null ? OptionalLong.empty() : OptionalLong.of(found);
        };
    return new AccessPlanner(
        definitions(indexes),
        new AccessCosts(
            new PlanEstimates(known, () -> 100_000),
            plan -> plan.indexes().stream().anyMatch(index -> !index.included().isEmpty())),
        completeIfPossible);
  }

  private static RowPredicate inList(int values) {
    return new RowPredicate.Any(
        IntStream.range(0, values).mapToObj(i -> is("a", "v" + i)).toList());
  }

  private static String plan(RowPredicate condition, IndexDefinition... indexes) {
    return planner(indexes).plan(condition).map(p -> print(p.plan())).orElse("none");
  }

  private static AccessPlanner.Planned planned(RowPredicate condition, IndexDefinition... indexes) {
    return planner(indexes).plan(condition).orElseThrow();
  }

  private static AccessPlanner planner(IndexDefinition... indexes) {
    return new AccessPlanner(definitions(indexes));
  }

  private static List<IndexDefinition> definitions(IndexDefinition... indexes) {
    TableIndexes table = TableIndexes.none();
    for (IndexDefinition index : indexes) {
      table = table.with(index, () -> 1L);
    }
    return List.copyOf(table.definitions());
  }

  private static String print(AccessPlan plan) {
    if (plan instanceof AccessPlan.Lookup lookup) {
      return lookup.index().name() + "=" + text(lookup.values());
    }
    if (plan instanceof AccessPlan.Sweep sweep) {
      List<String> slices = sweep.slices().stream().map(AccessPlannerTest::print).toList();
      return "sweep " + sweep.index().name() + String.join(" ", slices);
    }
    if (plan instanceof AccessPlan.Union union) {
      return "(" + String.join(" | ", union.members().stream().map(m -> print(m)).toList()) + ")";
    }
    if (plan instanceof AccessPlan.Intersection both) {
      return "(" + String.join(" & ", both.members().stream().map(m -> print(m)).toList()) + ")";
    }
    return "nothing";
  }

  private static String print(AccessPlan.Slice slice) {
    String leading = text(slice.leading());
    Optional<String> next = slice.next().map(ValueRange::toString);
    String separator = leading.isEmpty() || next.isEmpty() ? "" : ", ";
    return "(" + leading + separator + next.orElse("") + ")";
  }

  private static String text(List<byte[]> values) {
    return String.join(
        ",", values.stream().map(v -> new String(v, StandardCharsets.UTF_8)).toList());
  }

  private static RowPredicate is(String qualifier, String value) {
    return in(qualifier, ValueRange.equalTo(bytes(value)));
  }

  private static RowPredicate in(String qualifier, ValueRange range) {
    return new RowPredicate.Column(ColumnRef.of("f", qualifier), range);
  }

  private static RowPredicate all(RowPredicate... parts) {
    return new RowPredicate.All(List.of(parts));
  }

  private static RowPredicate any(RowPredicate... parts) {
    return new RowPredicate.Any(List.of(parts));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
