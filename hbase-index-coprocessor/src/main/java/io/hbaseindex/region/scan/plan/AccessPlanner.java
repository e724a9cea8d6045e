/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan.plan;

import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.ValueType;
import io.hbaseindex.core.entry.PostingForm;
import io.hbaseindex.core.predicate.FormRanges;
import io.hbaseindex.core.predicate.RowPredicate;
import io.hbaseindex.core.predicate.RowPredicate.Subject;
import io.hbaseindex.core.predicate.ValueRange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Chooses the indexes that serve a condition, by rules that cost nothing to evaluate. No statistics
 * are kept; a poor choice costs time and the cut-off bounds it.
 *
 * <ul>
 *   <li><b>And.</b> Conditions on one column are merged into one range. Each index offers what its
 *       leading columns cover: equalities, then at most one range. An index all of whose columns
 *       are fixed is a lookup, whose postings come in row order and are cheap to leap over; any
 *       other use is a sweep, which must be collected and sorted. Lookups are taken first, those
 *       over more columns before others, as long as each covers a condition not covered yet; then
 *       nested "or"s; then one sweep: the one with most equalities, bounded ranges before
 *       unbounded. At most {@value #MAX_INTERSECTION} accesses are intersected; the conditions left
 *       over are judged on the row by the user's own filter, as all are in any case.
 *   <li><b>Or.</b> Every member needs an access. More than {@value #MAX_LOOKUPS_IN_UNION} lookups
 *       (a long IN list) become one sweep per index, so that the number of open scanners stays
 *       small; sweeps of one index are made in one pass.
 * </ul>
 */
@InterfaceAudience.Private
public final class AccessPlanner {
  static final int MAX_LOOKUPS_IN_UNION = 16;
  static final int MAX_INTERSECTION = 4;

  private final Collection<IndexDefinition> indexes;

  /**
   * @param indexes those that may be used; of two that serve equally well the first is taken
   */
  public AccessPlanner(Collection<IndexDefinition> indexes) {
    this.indexes = List.copyOf(indexes);
  }

  /**
   * A plan and what it leaves out.
   *
   * @param complete whether every part of the condition is looked up, so that a candidate that
   *     fails the condition has a stale posting
   */
  public record Planned(AccessPlan plan, boolean complete) {}

  /** A plan whose candidates include every row that meets the condition, if the indexes allow. */
  public Optional<Planned> plan(RowPredicate condition) {
    if (condition instanceof RowPredicate.Any any) {
      return planAny(any.parts());
    }
    return planAll(condition instanceof RowPredicate.All all ? all.parts() : List.of(condition));
  }

  private Optional<Planned> planAll(List<RowPredicate> parts) {
    Map<Subject, ValueRange> ranges = new LinkedHashMap<>();
    List<Optional<Planned>> nested = new ArrayList<>();
    for (RowPredicate part : parts) {
      if (part instanceof RowPredicate.Column column) {
        ranges.merge(column.subject(), column.range(), ValueRange::intersect);
      } else {
        nested.add(plan(part));
      }
    }
    boolean contradiction =
        ranges.values().stream().anyMatch(ValueRange::isEmpty)
            || nested.stream()
                .flatMap(Optional::stream)
                .anyMatch(planned -> planned.plan() instanceof AccessPlan.Nothing);
    if (contradiction) {
      return Optional.of(new Planned(new AccessPlan.Nothing(), true));
    }
    List<Use> uses = chooseUses(ranges);
    List<AccessPlan> members =
        Stream.of(
                uses.stream().filter(Use::isLookup).map(Use::plan),
                nested.stream().flatMap(Optional::stream).map(Planned::plan),
                uses.stream().filter(use -> !use.isLookup()).map(Use::plan))
            .flatMap(plans -> plans)
            .toList();
    boolean complete =
        coveredBy(uses).containsAll(ranges.keySet())
            && nested.stream().allMatch(planned -> planned.isPresent() && planned.get().complete())
            && members.size() <= MAX_INTERSECTION;
    return intersection(members).map(plan -> new Planned(plan, complete));
  }

  private static Optional<AccessPlan> intersection(List<AccessPlan> members) {
    if (members.isEmpty()) {
      return Optional.empty();
    }
    List<AccessPlan> few = members.subList(0, Math.min(members.size(), MAX_INTERSECTION));
    return Optional.of(few.size() == 1 ? few.get(0) : new AccessPlan.Intersection(few));
  }

  /**
   * What one index can do for a set of ranges that must all hold.
   *
   * @param fixed values of the leading columns, in their form
   * @param next ranges of forms of the column behind them; none if all of it is taken
   * @param isBounded whether there are ranges, with two ends
   * @param covered what is said by these
   */
  private record Use(
      IndexDefinition index,
      List<byte[]> fixed,
      List<ValueRange> next,
      boolean isBounded,
      List<Subject> covered) {

    static Use of(IndexDefinition index, Map<Subject, ValueRange> ranges) {
      List<byte[]> fixed = new ArrayList<>();
      List<Subject> covered = new ArrayList<>();
      for (ColumnRef column : index.columns()) {
        ValueType type = index.types().get(fixed.size());
        Subject bytes = new Subject(column, ValueType.BYTES);
        ValueRange range = ranges.get(bytes);
        if (range == null || !range.isSingleValue()) {
          Subject numbers = new Subject(column, type);
          boolean byNumber = !numbers.equals(bytes) && ranges.containsKey(numbers);
          Subject told = byNumber ? numbers : bytes;
          List<ValueRange> next = next(type, told, ranges.get(told));
          covered.addAll(next.isEmpty() ? List.of() : List.of(told));
          boolean bounded = !next.isEmpty() && isBounded(ranges.get(told));
          return new Use(index, fixed, next, bounded, covered);
        }
        fixed.add(PostingForm.of(type, range.lower()));
        covered.add(bytes);
      }
      return new Use(index, fixed, List.of(), false, covered);
    }

    /** Empty if there is no range, or none that lies together in the index. */
    private static List<ValueRange> next(ValueType type, Subject told, ValueRange range) {
      if (range == null) {
        return List.of();
      }
      // Cells that are no values of the type are judged by their rows.
      return told.order() == ValueType.BYTES
          ? FormRanges.of(type, range).orElse(List.of())
          : List.of(range, FormRanges.others());
    }

    boolean isLookup() {
      return fixed.size() == index.columns().size();
    }

    private static boolean isBounded(ValueRange range) {
      return range.upper().isPresent() && range.lower().length > 0;
    }

    public AccessPlan plan() {
      if (isLookup()) {
        return new AccessPlan.Lookup(index, fixed);
      }
      return new AccessPlan.Sweep(
          index,
          next.isEmpty()
              ? List.of(new AccessPlan.Slice(fixed, Optional.empty()))
              : next.stream().map(r -> new AccessPlan.Slice(fixed, Optional.of(r))).toList());
    }
  }

  private static final Comparator<Use> BEST_FIRST =
      Comparator.comparing(Use::isLookup)
          .thenComparing(use -> use.fixed().size())
          .thenComparing(Use::isBounded)
          .thenComparing(use -> use.covered().size())
          .reversed();

  private List<Use> chooseUses(Map<Subject, ValueRange> ranges) {
    List<Use> offers = indexes.stream().map(i -> Use.of(i, ranges)).sorted(BEST_FIRST).toList();
    List<Use> chosen = new ArrayList<>();
    for (Use offer : offers) {
      boolean secondSweep = !offer.isLookup() && chosen.stream().anyMatch(use -> !use.isLookup());
      if (!secondSweep && !coveredBy(chosen).containsAll(offer.covered())) {
        chosen.add(offer);
      }
    }
    return chosen;
  }

  private static Set<Subject> coveredBy(List<Use> uses) {
    Set<Subject> covered = new HashSet<>();
    uses.forEach(use -> covered.addAll(use.covered()));
    return covered;
  }

  private Optional<Planned> planAny(List<RowPredicate> parts) {
    List<Optional<Planned>> planned = parts.stream().map(this::plan).toList();
    if (planned.stream().anyMatch(Optional::isEmpty)) {
      return Optional.empty();
    }
    boolean complete = planned.stream().allMatch(p -> p.orElseThrow().complete());
    List<AccessPlan> members =
        planned.stream()
            .map(p -> p.orElseThrow().plan())
            .flatMap(
                p -> p instanceof AccessPlan.Union union ? union.members().stream() : Stream.of(p))
            .toList();
    return Optional.of(new Planned(union(members), complete));
  }

  private static AccessPlan union(List<AccessPlan> members) {
    List<AccessPlan> merged = new ArrayList<>();
    Map<Integer, Slices> sweeps = new TreeMap<>();
    long lookups = members.stream().filter(AccessPlan.Lookup.class::isInstance).count();
    for (AccessPlan member : members) {
      if (member instanceof AccessPlan.Sweep sweep) {
        slicesOf(sweep.index(), sweeps).addAll(sweep.slices());
      } else if (member instanceof AccessPlan.Lookup lookup && lookups > MAX_LOOKUPS_IN_UNION) {
        slicesOf(lookup.index(), sweeps)
            .add(new AccessPlan.Slice(lookup.values(), Optional.empty()));
      } else if (!(member instanceof AccessPlan.Nothing)) {
        merged.add(member);
      }
    }
    sweeps.values().forEach(sweep -> merged.add(sweep.plan()));
    if (merged.isEmpty()) {
      return new AccessPlan.Nothing();
    }
    return merged.size() == 1 ? merged.get(0) : new AccessPlan.Union(merged);
  }

  /** What of one index the members of a union ask for, gathered: there may be thousands. */
  private record Slices(IndexDefinition index, List<AccessPlan.Slice> gathered) {
    public AccessPlan.Sweep plan() {
      return new AccessPlan.Sweep(index, List.copyOf(gathered));
    }
  }

  private static List<AccessPlan.Slice> slicesOf(
      IndexDefinition index, Map<Integer, Slices> sweeps) {
    return sweeps
        .computeIfAbsent(index.id(), id -> new Slices(index, new ArrayList<>()))
        .gathered();
  }
}
