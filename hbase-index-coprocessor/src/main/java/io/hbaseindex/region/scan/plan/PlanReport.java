/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan.plan;

import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.predicate.IndexScope;
import io.hbaseindex.core.predicate.RowPredicate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/** Puts into words what a plan does, and why it leaves indexes out. */
@InterfaceAudience.Private
public final class PlanReport {
  private PlanReport() {}

  /**
   * The plan in a few words.
   *
   * @param covered whether its postings carry all that the scan reads
   */
  public static String text(AccessPlan plan, boolean covered) {
    return text(plan) + (covered ? ", rows from postings" : "");
  }

  /**
   * What is read in the order of a column, in a few words.
   *
   * @param covered whether its postings carry all that the scan reads
   */
  public static String text(OrderedAccess access, boolean covered) {
    return "value order of " + access.index().name() + (covered ? ", rows from postings" : "");
  }

  /** The plan in a few words, such as {@code lookup by_city}. */
  public static String text(AccessPlan plan) {
    if (plan instanceof AccessPlan.Lookup lookup) {
      return "lookup " + lookup.index().name();
    }
    if (plan instanceof AccessPlan.Sweep sweep) {
      int slices = sweep.slices().size();
      return "sweep " + sweep.index().name() + (slices == 1 ? "" : " (" + slices + " ranges)");
    }
    if (plan instanceof AccessPlan.Union union) {
      return joined("union", union.members());
    }
    if (plan instanceof AccessPlan.Intersection intersection) {
      return joined("intersection", intersection.members());
    }
    return "nothing, the condition contradicts itself";
  }

  /** What is known beforehand of what a plan reads, and of what it leaves out. */
  public static List<AccessFigures> figures(
      AccessPlanner.Planned planned, PlanEstimates estimates) {
    Map<String, AccessFigures> figures = new LinkedHashMap<>();
    collectFigures(planned.plan(), false, estimates, figures);
    planned.leftOut().forEach(access -> collectFigures(access, true, estimates, figures));
    return List.copyOf(figures.values());
  }

  private static void collectFigures(
      AccessPlan plan,
      boolean leftOut,
      PlanEstimates estimates,
      Map<String, AccessFigures> figures) {
    for (AccessPlan access : plan.accesses()) {
      figures.merge(
          text(access),
          new AccessFigures(text(access), estimates.of(access), leftOut, 0),
          AccessFigures::plus);
    }
  }

  /** The choices of a scan that has a plan and does not follow it, since most rows match. */
  public static List<IndexChoice> walked(List<IndexChoice> choices) {
    return choices.stream()
        .map(
            choice ->
                choice.used()
                    ? new IndexChoice(choice.index(), false, "more than half of all rows match")
                    : choice)
        .toList();
  }

  private static String joined(String how, List<AccessPlan> members) {
    return members.stream()
        .map(PlanReport::text)
        .collect(Collectors.joining(", ", how + " of (", ")"));
  }

  /**
   * For each index whether the plan uses it, and why not.
   *
   * @param ready ids of the indexes that could have been used
   */
  public static List<IndexChoice> choices(
      Collection<IndexDefinition> indexes,
      Set<Integer> ready,
      RowPredicate condition,
      Optional<AccessPlan> plan) {
    Map<Integer, String> uses = new HashMap<>();
    plan.ifPresent(made -> collectUses(made, uses));
    return choices(indexes, ready, condition, plan, uses);
  }

  /** The same where rows are found in the order of a column. */
  public static List<IndexChoice> choices(
      Collection<IndexDefinition> indexes,
      Set<Integer> ready,
      RowPredicate condition,
      OrderedAccess access) {
    return choices(
        indexes,
        ready,
        condition,
        Optional.of(access.unordered()),
        Map.of(access.index().id(), "value order: its postings are read until there are enough"));
  }

  private static List<IndexChoice> choices(
      Collection<IndexDefinition> indexes,
      Set<Integer> ready,
      RowPredicate condition,
      Optional<AccessPlan> plan,
      Map<Integer, String> uses) {
    Set<ColumnRef> mentioned = new HashSet<>();
    collectColumns(condition, mentioned);
    List<IndexChoice> choices = new ArrayList<>();
    for (IndexDefinition index : indexes) {
      String use = uses.get(index.id());
      choices.add(
          new IndexChoice(
              index.name(),
              use != null,
              use != null ? use : whyNot(index, ready, condition, mentioned, plan)));
    }
    return choices;
  }

  private static String whyNot(
      IndexDefinition index,
      Set<Integer> ready,
      RowPredicate condition,
      Set<ColumnRef> mentioned,
      Optional<AccessPlan> plan) {
    ColumnRef first = index.columns().get(0);
    if (!mentioned.contains(first)) {
      return "the condition says nothing about its first column " + first;
    }
    if (!IndexScope.of(index.condition()).isImpliedBy(condition)) {
      return "it has only rows with %s, which the condition does not ask for"
          .formatted(index.condition());
    }
    if (!ready.contains(index.id())) {
      return "it is not ready in this region";
    }
    if (plan.isEmpty()) {
      return "another part of the condition has no index";
    }
    return plan.get() instanceof AccessPlan.Nothing
        ? "no row can meet the condition"
        : "the indexes used cover its part of the condition, or are expected to be narrower";
  }

  private static void collectUses(AccessPlan plan, Map<Integer, String> uses) {
    if (plan instanceof AccessPlan.Lookup lookup) {
      uses.putIfAbsent(lookup.index().id(), "lookup: all its columns are fixed");
    } else if (plan instanceof AccessPlan.Sweep sweep) {
      uses.putIfAbsent(sweep.index().id(), "sweep: its postings are collected and sorted");
    } else if (plan instanceof AccessPlan.Union union) {
      union.members().forEach(member -> collectUses(member, uses));
    } else if (plan instanceof AccessPlan.Intersection intersection) {
      intersection.members().forEach(member -> collectUses(member, uses));
    }
  }

  private static void collectColumns(RowPredicate condition, Set<ColumnRef> columns) {
    if (condition instanceof RowPredicate.All all) {
      all.parts().forEach(part -> collectColumns(part, columns));
    } else if (condition instanceof RowPredicate.Any any) {
      any.parts().forEach(part -> collectColumns(part, columns));
    } else {
      columns.add(((RowPredicate.Column) condition).column());
    }
  }
}
