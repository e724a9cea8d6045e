/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan;

import io.hbaseindex.common.query.PlainScanReason;
import io.hbaseindex.common.query.ScanReader;
import io.hbaseindex.common.query.ScanVerdict;
import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.IndexSettings;
import io.hbaseindex.core.entry.IndexRowKeys;
import io.hbaseindex.core.time.MachineClock;
import io.hbaseindex.region.context.Frequencies;
import io.hbaseindex.region.context.IndexReadiness;
import io.hbaseindex.region.context.ReadyIndex;
import io.hbaseindex.region.context.RegionIndexes;
import io.hbaseindex.region.context.StalePostings;
import io.hbaseindex.region.metrics.IndexCounter;
import io.hbaseindex.region.metrics.IndexMetrics;
import io.hbaseindex.region.scan.candidates.CandidateOpener;
import io.hbaseindex.region.scan.candidates.Candidates;
import io.hbaseindex.region.scan.candidates.Certainty;
import io.hbaseindex.region.scan.candidates.OneMoment;
import io.hbaseindex.region.scan.candidates.RowBounds;
import io.hbaseindex.region.scan.candidates.ScanLimits;
import io.hbaseindex.region.scan.candidates.ScanTally;
import io.hbaseindex.region.scan.candidates.TooManyCandidatesException;
import io.hbaseindex.region.scan.count.CountMemory;
import io.hbaseindex.region.scan.count.SpanCount;
import io.hbaseindex.region.scan.count.ValueSpan;
import io.hbaseindex.region.scan.order.OrderedWalk;
import io.hbaseindex.region.scan.plan.AccessPlan;
import io.hbaseindex.region.scan.plan.PlanReport;
import io.hbaseindex.region.scan.trace.ScanTraces;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.IsolationLevel;
import org.apache.hadoop.hbase.client.PackagePrivateFieldAccessor;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.security.User;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides for each scan of a region whether it jumps, and wraps its scanner if it does.
 *
 * <p>A scan passes here three times. Before its scanner opens, the plan is made and a {@link
 * RowTracker} put in front of its filter. After, the scanner is wrapped. When the first row is
 * asked for, the postings are opened at the scanner's read point. In each step a scan that cannot
 * jump is left as HBase made it, and the reason counted.
 */
@InterfaceAudience.Private
public final class IndexedScans {
  private static final Logger LOG = LoggerFactory.getLogger(IndexedScans.class);

  /** The class of HBase's own forward scanner, which is not public. */
  private static final String OWN_SCANNER =
      "org.apache.hadoop.hbase.regionserver.RegionScannerImpl";

  private final HRegion region;
  private final IndexRowKeys keys;
  private final IndexReadiness readiness;
  private final ScanTraces traces;
  private final StalePostings stalePostings;
  private final Configuration configuration;

  /** As the access controller knows it: from when the region was opened. */
  private final boolean authorizes;

  private final LongSupplier nanoClock;
  private final LongSupplier wallClockMillis;
  private final ScanReader reader;
  private final ScanPlanner planner;
  private final OrderedScans ordered;
  private final CountMemory counts = new CountMemory();

  /** Scans in the middle of jumping, by the scanner of HBase that they move. */
  private final Map<InternalScanner, Jump> jumping = new ConcurrentHashMap<>();

  /**
   * @param frequencies how frequent values are in the region
   * @param traces keeps what scans did for clients that ask for it
   * @param configuration a view that follows changes of the region server's configuration
   * @param clock the machine's clocks
   */
  public IndexedScans(
      RegionIndexes indexes,
      Frequencies frequencies,
      ScanTraces traces,
      Configuration configuration,
      MachineClock clock) {
    this.region = (HRegion) indexes.region();
    this.keys = indexes.keys();
    this.readiness = indexes.readiness();
    this.traces = traces;
    this.stalePostings = indexes.stalePostings();
    this.configuration = configuration;
    this.authorizes = configuration.getBoolean(User.HBASE_SECURITY_AUTHORIZATION_CONF_KEY, false);
    this.nanoClock = clock::monotonicNanos;
    this.wallClockMillis = clock::wallMillis;
    this.ordered =
        new OrderedScans(region, keys, wallClockMillis, stalePostings, this::isStillReady);
    this.planner = new ScanPlanner(indexes, frequencies, traces, configuration, clock);
    this.reader = ScanReader.knowing(region.getTableDescriptor(), ServerFilters::traitOf);
  }

  /**
   * Plans a scan whose families are final and whose scanner is about to open. Whatever goes wrong,
   * HBase can still run the scan as it is: its filter is replaced last.
   */
  public void beforeOpen(Scan scan) {
    try {
      prepare(scan);
    } catch (RuntimeException | StackOverflowError e) {
      LOG.warn("Scan of {} runs plainly: it could not be planned", region, e);
      traces.countsOf(scan).plainScan(PlainScanReason.PLANNING_FAILED);
    }
  }

  private void prepare(Scan scan) {
    ScanVerdict verdict = judge(scan);
    if (verdict instanceof ScanVerdict.Eligible eligible) {
      planner
          .plan(scan, eligible)
          .ifPresent(intent -> scan.setFilter(new RowTracker(scan.getFilter(), intent)));
    } else if (verdict instanceof ScanVerdict.Plain plain) {
      traces.countsOf(scan).plainScan(plain.reason());
    }
  }

  private ScanVerdict judge(Scan scan) {
    ScanVerdict verdict = reader.read(scan);
    if (verdict instanceof ScanVerdict.Plain) {
      return verdict;
    }
    if (!configuration.getBoolean(IndexSettings.SCANS_ENABLED, true)) {
      return new ScanVerdict.Plain(PlainScanReason.SWITCHED_OFF_BY_CONFIGURATION);
    }
    // Zero or less: the scanner will choose its read point when it opens.
    long wanted = PackagePrivateFieldAccessor.getMvccReadPoint(scan);
    if (wanted > 0 && wanted < region.getReadPoint(IsolationLevel.READ_COMMITTED)) {
      return new ScanVerdict.Plain(PlainScanReason.OLD_READ_POINT);
    }
    return verdict;
  }

  /** Wraps the scanner of a planned scan. */
  public RegionScanner afterOpen(Scan scan, RegionScanner scanner) {
    if (scan.getFilter() instanceof RowTracker tracker) {
      if (scanner instanceof LateScanner || scanner.getClass().getName().equals(OWN_SCANNER)) {
        return new JumpingScanner(
            scanner,
            ScannerOwner.ofThisCall(authorizes),
            tracker,
            () -> start(scanner, tracker),
            walkFor(scanner, tracker.intent()),
            () -> region.addReadRequestsCount(1),
            () -> end(scanner));
      }
      tracker.intent().metrics().plainScan(PlainScanReason.FOREIGN_SCANNER);
    } else if (hasTracker(scan.getFilter())) {
      traces.countsOf(scan).plainScan(PlainScanReason.FOREIGN_SCANNER);
    }
    return scanner;
  }

  /**
   * The walk over the postings of a range of values, for a scan whose rows are only counted. A lazy
   * index is of no use to it: none of its postings is certain. Nor is one whose later columns
   * expire: a row that has lost one has no posting of what it shows, until it is written again.
   */
  private Optional<PostingWalk> walkFor(RegionScanner scanner, ScanIntent intent) {
    Optional<IndexDefinition> index = walked(intent.plan());
    boolean walks =
        index.isPresent()
            && intent.tally().filter(tally -> tally.isToldBy(index.get())).isPresent()
            && index.get().isEager()
            && index.get().columns().stream().skip(1).noneMatch(this::expires);
    if (!walks) {
      return Optional.empty();
    }
    ScanTally tally = new ScanTally(intent.metrics(), intent.trace());
    Optional<SpanCount> ofOneValue = countFor(scanner, intent);
    if (ofOneValue.isEmpty() && !(intent.plan() instanceof AccessPlan.Sweep)) {
      return Optional.empty();
    }
    return Optional.of(
        new PostingWalk(
            region,
            keys,
            index.get(),
            intent.predicate(),
            intent.scan(),
            scanner.getMvccReadPoint(),
            tally,
            () ->
                isStillReady(intent) && intent.plan() instanceof AccessPlan.Sweep sweep
                    ? Optional.of(opener(scanner, intent, tally).inValueOrder(sweep))
                    : Optional.empty(),
            ofOneValue));
  }

  /** The index whose postings are walked, if it is one that the plan reads. */
  private static Optional<IndexDefinition> walked(AccessPlan plan) {
    if (plan instanceof AccessPlan.Sweep sweep) {
      return Optional.of(sweep.index());
    }
    return plan instanceof AccessPlan.Lookup lookup
        ? Optional.of(lookup.index())
        : Optional.empty();
  }

  /** What counts the postings of one value, if nothing but their number is wanted. */
  private Optional<SpanCount> countFor(RegionScanner scanner, ScanIntent intent) {
    boolean isWanted =
        intent.plan() instanceof AccessPlan.Lookup
            && intent.tally().filter(RowTally::isNumberOfAll).isPresent();
    if (!isWanted) {
      return Optional.empty();
    }
    AccessPlan.Lookup lookup = (AccessPlan.Lookup) intent.plan();
    return ValueSpan.of(keys, lookup, RowBounds.of(intent.scan()))
        .map(
            span ->
                new SpanCount(
                    region,
                    new SpanCount.Wanted(span, scanner.getMvccReadPoint(), PlanReport.text(lookup)),
                    new SpanCount.Belief(
                        intent.readiness().get(lookup.index().id()),
                        wallClockMillis.getAsLong(),
                        () -> isStillReady(intent)),
                    intent.scan().getCacheBlocks(),
                    this.counts));
  }

  /**
   * What finds the first rows of an opened scan in the order that it asks for, by the postings of
   * an index; empty if none has the order.
   */
  public Optional<OrderedWalk> inOrder(Scan scan, RegionScanner scanner) {
    return scanner instanceof JumpingScanner && scan.getFilter() instanceof RowTracker tracker
        ? ordered.walk(tracker.intent(), scanner)
        : Optional.empty();
  }

  private boolean expires(ColumnRef column) {
    return region.getTableDescriptor().getColumnFamily(column.family()).getTimeToLive()
        != HConstants.FOREVER;
  }

  /** Whether another coprocessor has put a filter of its own in front of ours. */
  private static boolean hasTracker(Filter filter) {
    return filter instanceof RowTracker
        || filter instanceof FilterList list
            && list.getFilters().stream().anyMatch(IndexedScans::hasTracker);
  }

  private Optional<Jump> start(RegionScanner scanner, RowTracker tracker) throws IOException {
    ScanIntent intent = tracker.intent();
    IndexMetrics metrics = intent.metrics();
    if (!isStillReady(intent)) {
      metrics.plainScan(PlainScanReason.INDEX_NOT_READY);
      return Optional.empty();
    }
    ScanLimits limits = ScanLimits.of(configuration);
    ScanTally tally = new ScanTally(metrics, intent.trace());
    long began = nanoClock.getAsLong();
    Optional<Candidates> candidates = open(scanner, intent, limits, tally);
    intent.trace().ifPresent(trace -> trace.opened(nanoClock.getAsLong() - began));
    tally.flush();
    if (candidates.isEmpty()) {
      return Optional.empty();
    }
    CutOff cutOff = new CutOff(limits.cutOffAfter());
    Jump jump =
        new Jump(
            scanner,
            tracker,
            candidates.get(),
            intent.exact(),
            cutOff,
            tally,
            stalePostings::offer);
    begin(scanner, jump);
    metrics.increment(IndexCounter.SCANS_JUMPED);
    return Optional.of(jump);
  }

  private void begin(RegionScanner scanner, Jump jump) {
    if (scanner instanceof LateScanner late) {
      late.whenOpened(own -> jumping.put(own, jump));
    } else {
      jumping.put(scanner, jump);
    }
  }

  private void end(RegionScanner scanner) {
    Optional<RegionScanner> own =
        scanner instanceof LateScanner late ? late.opened() : Optional.of(scanner);
    own.ifPresent(jumping::remove);
  }

  private boolean isStillReady(ScanIntent intent) {
    for (Map.Entry<Integer, ReadyIndex> ready : intent.readiness().entrySet()) {
      if (readiness.token(ready.getKey()).orElse(null) != ready.getValue()) {
        return false;
      }
    }
    return true;
  }

  private CandidateOpener opener(RegionScanner scanner, ScanIntent intent, ScanTally tally) {
    boolean cells =
        intent.covered().isPresent()
            || intent.tally().isPresent()
                && intent.plan().indexes().stream().anyMatch(intent.tally().get()::needsCellsOf);
    Certainty certainty =
        cells || intent.tally().isPresent()
            ? new Certainty(intent.readiness(), wallClockMillis.getAsLong(), cells)
            : Certainty.NONE;
    OneMoment moment =
        scanner instanceof LateScanner late ? late.moment() : OneMoment.of(region, scanner);
    return new CandidateOpener(moment, keys, intent.scan(), certainty, tally);
  }

  private Optional<Candidates> open(
      RegionScanner scanner, ScanIntent intent, ScanLimits limits, ScanTally tally)
      throws IOException {
    CandidateOpener opener = opener(scanner, intent, tally);
    try {
      return Optional.of(opener.open(intent.plan(), limits));
    } catch (TooManyCandidatesException e) {
      LOG.debug("Scan of {} runs plainly: {}", region, e.getMessage());
      intent.metrics().plainScan(PlainScanReason.TOO_MANY_CANDIDATES);
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      LOG.warn("Scan of {} runs plainly: its postings could not be read", region, e);
      intent.metrics().plainScan(PlainScanReason.INDEX_READ_FAILED);
    }
    return Optional.empty();
  }

  /**
   * Moves a scanner on whose filter has refused a row.
   *
   * @return false if its region has no further match
   */
  public boolean afterRefusedRow(InternalScanner scanner, boolean hasMore) throws IOException {
    Jump jump = jumping.get(scanner);
    if (jump == null) {
      return hasMore;
    }
    jump.refused();
    // HBase goes on to read a row within this call, so it has to be one that is to be read.
    return hasMore && jump.toNextCandidate(false);
  }
}
