/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan;

import io.hbaseindex.common.query.CountedRows;
import io.hbaseindex.common.query.PlainScanReason;
import io.hbaseindex.common.query.ScanVerdict;
import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.entry.IndexRowKeys;
import io.hbaseindex.core.predicate.RowPredicate;
import io.hbaseindex.core.time.MachineClock;
import io.hbaseindex.region.context.Frequencies;
import io.hbaseindex.region.context.IndexReadiness;
import io.hbaseindex.region.context.ReadyIndex;
import io.hbaseindex.region.context.RegionIndexes;
import io.hbaseindex.region.context.StoredRowCount;
import io.hbaseindex.region.scan.candidates.ScanLimits;
import io.hbaseindex.region.scan.plan.AccessCosts;
import io.hbaseindex.region.scan.plan.AccessPlan;
import io.hbaseindex.region.scan.plan.AccessPlanner;
import io.hbaseindex.region.scan.plan.IndexChoice;
import io.hbaseindex.region.scan.plan.PlanEstimates;
import io.hbaseindex.region.scan.plan.PlanReport;
import io.hbaseindex.region.scan.plan.ReadColumns;
import io.hbaseindex.region.scan.trace.ScanTrace;
import io.hbaseindex.region.scan.trace.ScanTraces;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HRegion;

/**
 * Chooses how a scan that indexes may serve finds its rows in this region, or has it walk plainly:
 * because no index serves it, or because its rows are more than half of all rows.
 */
final class ScanPlanner {
  private final HRegion region;
  private final List<IndexDefinition> indexes;
  private final List<IndexDefinition> byId;
  private final IndexRowKeys keys;
  private final IndexReadiness readiness;
  private final Frequencies frequencies;
  private final ScanTraces traces;
  private final Configuration configuration;
  private final MachineClock clock;

  ScanPlanner(
      RegionIndexes indexes,
      Frequencies frequencies,
      ScanTraces traces,
      Configuration configuration,
      MachineClock clock) {
    this.region = (HRegion) indexes.region();
    this.indexes = List.copyOf(indexes.definitions().definitions());
    this.byId = this.indexes.stream().sorted(Comparator.comparing(IndexDefinition::id)).toList();
    this.keys = indexes.keys();
    this.readiness = indexes.readiness();
    this.frequencies = frequencies;
    this.traces = traces;
    this.configuration = configuration;
    this.clock = clock;
  }

  /**
   * What one scan may use.
   *
   * @param ready the indexes that are ready, each with its token
   * @param usable the same, those first that have all that the scan reads
   * @param exact whether the scan shows all columns of its condition, which is all of its filter
   * @param mayCover whether rows may be made of postings
   */
  private record Means(
      Scan scan,
      RowPredicate predicate,
      Map<Integer, ReadyIndex> ready,
      List<IndexDefinition> usable,
      boolean exact,
      boolean mayCover,
      PlanEstimates estimates) {}

  /** The plan of a scan; empty if it is to walk, which is counted with its reason. */
  Optional<ScanIntent> plan(Scan scan, ScanVerdict.Eligible eligible) {
    long began = clock.monotonicNanos();
    Means means = meansOf(scan, eligible);
    Optional<AccessPlanner.Planned> made =
        new AccessPlanner(
                means.usable,
                new AccessCosts(means.estimates, plan -> coveredBy(plan, means).isPresent()),
                CountedRows.in(scan).isPresent())
            .plan(means.predicate);
    Optional<ScanIntent.InOrder> inOrder =
        OrderedScans.plan(
            scan, means.predicate, means.usable, access -> coveredBy(access.unordered(), means));
    Optional<ScanIntent> intent =
        made.map(planned -> intent(means, planned, inOrder)).filter(i -> !isInMostRows(i, means));
    Optional<ScanTrace> trace = traces.of(scan);
    trace.ifPresent(asked -> tell(asked, means, made, intent, clock.monotonicNanos() - began));
    if (intent.isEmpty()) {
      traces.countsOf(scan).plainScan(reasonToWalk(means, made.isPresent()));
    }
    return intent;
  }

  private Means meansOf(Scan scan, ScanVerdict.Eligible eligible) {
    Map<Integer, ReadyIndex> ready = new HashMap<>();
    List<ColumnRef> wanted = CoveredRows.columnsOf(scan);
    List<IndexDefinition> usable = new ArrayList<>();
    List<IndexDefinition> others = new ArrayList<>();
    for (IndexDefinition index : byId) {
      Optional<ReadyIndex> token = readiness.token(index.id());
      if (token.isPresent()) {
        ready.put(index.id(), token.get());
        (CoveredRows.isCoveredBy(index, wanted) ? usable : others).add(index);
      }
    }
    usable.addAll(others);
    boolean exact = eligible.exact() && ReadColumns.include(scan, eligible.predicate());
    return new Means(
        scan,
        eligible.predicate(),
        ready,
        usable,
        exact,
        exact && ReadColumns.areWhole(scan) && CountedRows.in(scan).isEmpty(),
        new PlanEstimates(frequencies, () -> StoredRowCount.atMost(region, familiesOf(scan))));
  }

  private Set<byte[]> familiesOf(Scan scan) {
    return scan.hasFamilies()
        ? scan.getFamilyMap().keySet()
        : region.getTableDescriptor().getColumnFamilyNames();
  }

  private Optional<CoveredRows> coveredBy(AccessPlan plan, Means means) {
    return means.mayCover
        ? CoveredRows.of(
            means.scan, means.scan.getFilter(), means.predicate, plan, keys, clock.wallMillis())
        : Optional.empty();
  }

  private ScanIntent intent(
      Means means, AccessPlanner.Planned planned, Optional<ScanIntent.InOrder> inOrder) {
    boolean complete = means.exact && planned.complete();
    return new ScanIntent(
        means.scan,
        means.predicate,
        planned.plan(),
        complete,
        complete && ReadColumns.areWhole(means.scan) ? tallyOf(means.scan) : Optional.empty(),
        coveredBy(planned.plan(), means),
        inOrder,
        means.ready,
        traces.countsOf(means.scan),
        traces.of(means.scan));
  }

  private Optional<RowTally> tallyOf(Scan scan) {
    return CountedRows.in(scan)
        // A posting has columns that the user may not be allowed to read.
        .filter(request -> request.columns().allMatch(c -> ReadColumns.include(scan, c)))
        .map(
            request -> new RowTally(request, new PostingValues(keys, indexes, clock.wallMillis())));
  }

  /**
   * Whether jumping would be cut off as soon as that is asked for. Not where postings stand for
   * their rows.
   */
  private boolean isInMostRows(ScanIntent intent, Means means) {
    if (intent.tally().isPresent()
        || intent.covered().isPresent()
        || intent.inOrder().isPresent()) {
      return false;
    }
    OptionalLong candidates = means.estimates.of(intent.plan());
    return candidates.isPresent()
        && candidates.getAsLong() > ScanLimits.of(configuration).cutOffAfter()
        && candidates.getAsLong() > means.estimates.rows() / 2;
  }

  private PlainScanReason reasonToWalk(Means means, boolean planned) {
    if (planned) {
      return PlainScanReason.VALUE_IN_MOST_ROWS;
    }
    return new AccessPlanner(indexes).plan(means.predicate).isPresent()
        ? PlainScanReason.INDEX_NOT_READY
        : PlainScanReason.NO_INDEX;
  }

  private void tell(
      ScanTrace trace,
      Means means,
      Optional<AccessPlanner.Planned> made,
      Optional<ScanIntent> intent,
      long nanos) {
    Optional<ScanIntent.InOrder> inOrder = intent.flatMap(ScanIntent::inOrder);
    Optional<AccessPlan> plan = made.map(AccessPlanner.Planned::plan);
    List<IndexChoice> choices =
        inOrder
            .map(
                o -> PlanReport.choices(indexes, means.ready.keySet(), means.predicate, o.access()))
            .orElseGet(
                () -> PlanReport.choices(indexes, means.ready.keySet(), means.predicate, plan));
    trace.planned(
        intent.map(ScanPlanner::text).orElse(""),
        intent.isPresent() ? choices : PlanReport.walked(choices),
        made.filter(planned -> inOrder.isEmpty())
            .map(planned -> PlanReport.figures(planned, means.estimates))
            .orElse(List.of()),
        nanos);
  }

  private static String text(ScanIntent intent) {
    return intent
        .inOrder()
        .map(order -> PlanReport.text(order.access(), order.covered().isPresent()))
        .orElseGet(() -> PlanReport.text(intent.plan(), intent.covered().isPresent()));
  }
}
