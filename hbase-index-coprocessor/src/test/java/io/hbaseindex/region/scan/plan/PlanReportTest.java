/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.TableIndexes;
import io.hbaseindex.core.predicate.RowPredicate;
import io.hbaseindex.core.predicate.ValueRange;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class PlanReportTest {
  private static final Collection<IndexDefinition> INDEXES =
      TableIndexes.none()
          .with(IndexDefinition.on("f", "a").named("a").eager(), () -> 1)
          .with(IndexDefinition.on("f", "a").and("f", "b").named("ab").eager(), () -> 1)
          .with(IndexDefinition.on("f", "c").named("c").eager(), () -> 1)
          .definitions();

  @Test
  void text_namesIndexesAndHowTheyAreUsed() {
    assertThat(text(is("a"))).isEqualTo("lookup a");
    assertThat(text(new RowPredicate.All(List.of(is("a"), is("c")))))
        .isEqualTo("intersection of (lookup a, lookup c)");
    assertThat(text(new RowPredicate.Any(List.of(is("a"), range("c")))))
        .isEqualTo("union of (lookup a, sweep c)");
    assertThat(text(new RowPredicate.Column(column("a"), ValueRange.lessThan(new byte[0]))))
        .isEqualTo("nothing, the condition contradicts itself");
  }

  @Test
  void choices_sayWhyOthersAreNotUsed() {
    assertThat(choices(is("a"), Set.of(1, 2, 3)))
        .containsExactlyInAnyOrder(
            new IndexChoice("a", true, "lookup: all its columns are fixed"),
            new IndexChoice(
                "ab",
                false,
                "the indexes used cover its part of the condition, or are expected to be narrower"),
            new IndexChoice("c", false, "the condition says nothing about its first column f:c"));
  }

  @Test
  void choices_indexNotReady_isSaid() {
    assertThat(choices(is("a"), Set.of(2)))
        .contains(new IndexChoice("a", false, "it is not ready in this region"))
        .contains(new IndexChoice("ab", true, "sweep: its postings are collected and sorted"));
  }

  @Test
  void choices_oneSideOfAnOrWithoutIndex_isSaid() {
    assertThat(choices(new RowPredicate.Any(List.of(is("a"), is("z"))), Set.of(1, 2, 3)))
        .contains(new IndexChoice("a", false, "another part of the condition has no index"));
  }

  private static String text(RowPredicate condition) {
    return PlanReport.text(new AccessPlanner(INDEXES).plan(condition).orElseThrow().plan());
  }

  private static List<IndexChoice> choices(RowPredicate condition, Set<Integer> ready) {
    List<IndexDefinition> usable =
        INDEXES.stream().filter(i -> ready.contains(i.id())).collect(Collectors.toList());
    Optional<AccessPlan> plan =
        new AccessPlanner(usable).plan(condition).map(AccessPlanner.Planned::plan);
    return PlanReport.choices(INDEXES, ready, condition, plan);
  }

  private static RowPredicate is(String qualifier) {
    return new RowPredicate.Column(column(qualifier), ValueRange.equalTo(new byte[] {1}));
  }

  private static RowPredicate range(String qualifier) {
    return new RowPredicate.Column(column(qualifier), ValueRange.atLeast(new byte[] {1}));
  }

  private static ColumnRef column(String qualifier) {
    return ColumnRef.of("f", qualifier);
  }
}
