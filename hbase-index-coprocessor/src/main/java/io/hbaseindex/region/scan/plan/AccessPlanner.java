/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan.plan;

import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.predicate.RowPredicate;
import io.hbaseindex.core.predicate.RowPredicate.Subject;
import io.hbaseindex.core.predicate.UsableIndexes;
import io.hbaseindex.core.predicate.ValueRange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Chooses the indexes that serve a condition: by rules that cost nothing to evaluate, and by how
 * frequent values are, where the region's filter knows. A poor choice costs time, and the cut-off
 * bounds it.
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
 *   <li><b>Partial indexes</b> are offered where the condition, or the part of it that is planned,
 *       implies theirs. Their postings also say that their condition holds, so parts that follow
 *       from it need no access of their own.
 *   <li><b>Frequencies.</b> Of what the rules have chosen, that part is taken which {@linkplain
 *       AccessCosts costs} least, the rarest first; or another index, if rows can be made of its
 *       postings and that costs less. Without a filter all of it is taken, in the order of the
 *       rules.
 *   <li><b>Or.</b> Every member needs an access. More than {@value #MAX_LOOKUPS_IN_UNION} lookups
 *       (a long IN list) become one sweep per index, so that the number of open scanners stays
 *       small; sweeps of one index are made in one pass.
 * </ul>
 */
@InterfaceAudience.Private
public final class AccessPlanner {
  static final int MAX_LOOKUPS_IN_UNION = 16;
  static final int MAX_INTERSECTION = 4;

  private static final Optional<Planned> NOTHING =
      Optional.of(new Planned(new AccessPlan.Nothing(), true, List.of()));

  private final UsableIndexes indexes;
  private final AccessCosts costs;
  private final boolean completeIfPossible;

  /**
   * A planner that knows nothing of frequencies.
   *
   * @param indexes those that may be used; of two that serve equally well the first is taken
   */
  public AccessPlanner(Collection<IndexDefinition> indexes) {
    this(indexes, AccessCosts.unknown(), false);
  }

  /**
   * A planner that compares costs.
   *
   * @param indexes those that may be used; of two that serve equally well the first is taken
   * @param completeIfPossible whether a complete plan is to be made if there is one, whatever it
   *     costs: postings answer a count only if they answer all of it
   */
  public AccessPlanner(
      Collection<IndexDefinition> indexes, AccessCosts costs, boolean completeIfPossible) {
    this.indexes = UsableIndexes.of(indexes);
    this.costs = costs;
    this.completeIfPossible = completeIfPossible;
  }

  /**
   * A plan and what it leaves out.
   *
   * @param complete whether every part of the condition is looked up, so that a candidate that
   *     fails the condition has a stale posting
   * @param leftOut what could have been intersected too, and would have cost more than it saves
   */
  public record Planned(AccessPlan plan, boolean complete, List<AccessPlan> leftOut) {}

  /** A plan whose candidates include every row that meets the condition, if the indexes allow. */
  public Optional<Planned> plan(RowPredicate condition) {
    return plan(condition, indexes);
  }

  private Optional<Planned> plan(RowPredicate condition, UsableIndexes around) {
    UsableIndexes usable = around.in(condition);
    if (condition instanceof RowPredicate.Any any) {
      return planAny(any.parts(), usable);
    }
    return planAll(
        condition instanceof RowPredicate.All all ? all.parts() : List.of(condition), usable);
  }

  private Optional<Planned> planAll(List<RowPredicate> parts, UsableIndexes usable) {
    Map<Subject, ValueRange> ranges = new LinkedHashMap<>();
    for (RowPredicate part : parts) {
      if (part instanceof RowPredicate.Column column) {
        ranges.merge(column.subject(), column.range(), ValueRange::intersect);
      }
    }
    if (ranges.values().stream().anyMatch(ValueRange::isEmpty)) {
      return NOTHING;
    }
    List<IndexOffer> offers = IndexOffer.offers(ranges, usable.list());
    if (offers.size() == 1 && parts.stream().allMatch(RowPredicate.Column.class::isInstance)) {
      return Optional.of(only(offers.get(0), ranges));
    }
    List<IndexOffer> uses = IndexOffer.chosenOf(offers);
    List<RowPredicate> unnested = new ArrayList<>();
    List<Optional<Planned>> nested = new ArrayList<>();
    for (RowPredicate part : parts) {
      if (part instanceof RowPredicate.Column) {
        continue;
      }
      if (uses.stream().anyMatch(use -> use.implies(part))) {
        unnested.add(part);
      } else {
        nested.add(plan(part, usable));
      }
    }
    boolean contradiction =
        nested.stream()
            .flatMap(Optional::stream)
            .anyMatch(planned -> planned.plan() instanceof AccessPlan.Nothing);
    if (contradiction) {
      return NOTHING;
    }
    List<Access> members =
        Stream.of(
                uses.stream().filter(IndexOffer::isLookup).map(Access::of),
                nested.stream().flatMap(Optional::stream).map(Access::of),
                uses.stream().filter(use -> !use.isLookup()).map(Access::of))
            .flatMap(accesses -> accesses)
            .toList();
    if (members.isEmpty()) {
      return Optional.empty();
    }
    List<Access> others =
        offers.stream().filter(offer -> !uses.contains(offer)).map(Access::of).toList();
    ranges.forEach(
        (subject, range) ->
            unnested.add(new RowPredicate.Column(subject.column(), range, subject.order())));
    Predicate<List<Access>> complete =
        chosen ->
            unnested.stream().allMatch(part -> isLookedUp(part, chosen))
                && chosen.stream().allMatch(Access::complete)
                && chosen.stream().filter(Access::nested).count() == nested.size();
    List<Access> chosen = choose(members, others, complete);
    List<AccessPlan> leftOut =
        members.stream().filter(access -> !chosen.contains(access)).map(Access::plan).toList();
    AccessPlan plan = AccessCosts.intersection(chosen.stream().map(Access::plan).toList());
    return Optional.of(new Planned(plan, complete.test(chosen), leftOut));
  }

  /** Where there is nothing to choose from, as for most scans: the same that choosing comes to. */
  private static Planned only(IndexOffer offer, Map<Subject, ValueRange> ranges) {
    boolean complete = true;
    for (Map.Entry<Subject, ValueRange> said : ranges.entrySet()) {
      Subject of = said.getKey();
      complete &=
          offer.covered().contains(of)
              || offer.implies(new RowPredicate.Column(of.column(), said.getValue(), of.order()));
    }
    return new Planned(offer.plan(), complete, List.of());
  }

  /** Whether rows that do not meet a part of the condition have no posting in one of these. */
  private static boolean isLookedUp(RowPredicate part, List<Access> chosen) {
    return chosen.stream()
        .anyMatch(
            access ->
                part instanceof RowPredicate.Column leaf
                        && access.covered().contains(leaf.subject())
                    || isImplied(part, access.plan().indexes()));
  }

  private static boolean isImplied(RowPredicate part, List<IndexDefinition> by) {
    return !by.isEmpty() && by.stream().allMatch(index -> IndexOffer.implies(index, part));
  }

  /**
   * A way to rows that meet a part of a condition.
   *
   * @param covered what is said of columns that it takes care of
   * @param nested whether it is that of a nested condition, and takes care of it if it is complete
   */
  private record Access(AccessPlan plan, List<Subject> covered, boolean nested, boolean complete) {

    static Access of(IndexOffer use) {
      return new Access(use.plan(), use.covered(), false, true);
    }

    static Access of(Planned nested) {
      return new Access(nested.plan(), List.of(), true, nested.complete());
    }
  }

  /**
   * What to intersect.
   *
   * @param members what the rules take, best first
   * @param others what each could be taken in place of all of them
   */
  private List<Access> choose(
      List<Access> members, List<Access> others, Predicate<List<Access>> complete) {
    boolean choice = members.size() + others.size() > 1;
    if (!choice || !costs.knowsAny(members.stream().map(Access::plan).toList())) {
      return members.subList(0, Math.min(members.size(), MAX_INTERSECTION));
    }
    List<Access> rarest =
        members.stream()
            .sorted(Comparator.comparing(Access::plan, costs.rarestFirst()))
            .limit(MAX_INTERSECTION)
            .toList();
    boolean onlyComplete = completeIfPossible && complete.test(rarest);
    return Stream.concat(subsets(rarest), others.stream().map(List::of))
        .filter(way -> !onlyComplete || complete.test(way))
        // What leads is known: nobody knows how large a range is that is taken in its place.
        .filter(way -> costs.knowsAny(List.of(way.get(0).plan())))
        .min(Comparator.comparingDouble(way -> costs.of(way.stream().map(Access::plan).toList())))
        .orElse(rarest);
  }

  /** All that can be chosen of some, all of them first: of two that cost the same it is taken. */
  private static Stream<List<Access>> subsets(List<Access> of) {
    return IntStream.iterate((1 << of.size()) - 1, mask -> mask > 0, mask -> mask - 1)
        .mapToObj(
            mask ->
                IntStream.range(0, of.size())
                    .filter(at -> (mask >>> at & 1) != 0)
                    .mapToObj(of::get)
                    .toList());
  }

  private Optional<Planned> planAny(List<RowPredicate> parts, UsableIndexes usable) {
    List<Optional<Planned>> planned = parts.stream().map(part -> plan(part, usable)).toList();
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
    return Optional.of(new Planned(union(members), complete, List.of()));
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
