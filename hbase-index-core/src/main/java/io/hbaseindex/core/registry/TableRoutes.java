/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.registry;

import io.hbaseindex.core.filter.FilterSnapshot;
import io.hbaseindex.core.matrix.MatrixBudget;
import io.hbaseindex.core.matrix.OwnerSet;
import io.hbaseindex.core.matrix.RouteReading;
import io.hbaseindex.core.matrix.RoutingMatrix;
import io.hbaseindex.core.push.RegionMessage;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.core.route.RegionBounds;
import io.hbaseindex.core.route.RegionCopy;
import io.hbaseindex.core.route.RegionEdge;
import io.hbaseindex.core.route.RegionJudge;
import io.hbaseindex.core.route.RoutePredicate;
import io.hbaseindex.core.route.RouteSink;
import io.hbaseindex.core.route.RowRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The announced regions of one table, which never overlap, and the routing matrix with their
 * filters.
 *
 * <p>Regions come and go under the registry's monitor, filters of a region under the monitor of its
 * entry. A route takes no lock. It reads the clock, then the {@link #layout} and the filter of each
 * region in it, then asks the matrix, and only then looks whether a filter is still in force. That
 * order makes stale answers harmless: a filter that an entry shows was in the matrix before, and a
 * filter is taken out of force before its place in the matrix can be given to another one. Where
 * nearly all filters are trusted, {@link SettledTable} spares the route to look at each.
 */
class TableRoutes {
  /** Fewer regions are shown at once. */
  static final int MANY_REGIONS = 1 << 12;

  /** Some ten or twenty times what it takes to go through a region. */
  static final long REST_NANOS_PER_REGION = 1_000;

  /** Edges that are told at most; regions without one are asked in any case. */
  private static final int MOST_EDGES = 1 << 14;

  private final RoutingMatrix matrix;
  private final TreeMap<byte[], RegionEntry> live = new TreeMap<>(Arrays::compareUnsigned);
  private volatile TableLayout layout = TableLayout.of(List.of());
  private volatile List<IndexCoverage> usualCoverage = List.of();
  private volatile boolean changed;

  /** When routes were shown which regions there are; none before this much later. */
  private long shownNanos;

  /** How often a filter or an entry has come into force or gone out of it. */
  private final AtomicLong changesOfForce = new AtomicLong();

  /** What the last walk over the regions has found; null if they were not settled. */
  private volatile SettledTable settled;

  TableRoutes(MatrixBudget budget) {
    this.matrix = new RoutingMatrix(budget);
  }

  RoutingMatrix matrix() {
    return matrix;
  }

  // ---- regions ----

  /** The announced regions that share a key with the given range. */
  List<RegionEntry> overlapping(RowRange range) {
    List<RegionEntry> found = new ArrayList<>();
    Map.Entry<byte[], RegionEntry> at = live.floorEntry(range.start());
    if (at == null || !at.getValue().incarnation().range().overlaps(range)) {
      at = live.higherEntry(range.start());
    }
    while (at != null && range.isBelowEnd(at.getKey())) {
      found.add(at.getValue());
      at = live.higherEntry(at.getKey());
    }
    return found;
  }

  /** Adds a region that shares no key with those that are there. */
  void add(RegionEntry entry) {
    live.put(entry.incarnation().range().start(), entry);
    changed = true;
  }

  /** Takes a region out for good; its filter is yet to be dropped. */
  void remove(RegionEntry entry) {
    live.remove(entry.incarnation().range().start(), entry);
    changed = true;
  }

  /** Whether regions have come or gone that routes have not been shown. */
  boolean isStale() {
    return changed;
  }

  /** Shows routes which regions have come and gone. */
  void refresh() {
    if (changed) {
      layout = TableLayout.of(live.values());
      changed = false;
    }
  }

  /**
   * As {@link #refresh}, but of very many regions only once in a while, since it goes through all
   * of them: when a thousand servers announce theirs, each by a push of its own, a processor would
   * do nothing else for seconds.
   */
  void refresh(long now) {
    boolean atOnce = layout.size() == 0 || live.size() < MANY_REGIONS;
    if (changed && (atOnce || now - shownNanos >= live.size() * REST_NANOS_PER_REGION)) {
      shownNanos = now;
      refresh();
    }
  }

  /**
   * A filter or an entry has come into force or gone out of it. To be called after it has and
   * before anything else that rests on it.
   */
  void forceChanged() {
    changesOfForce.incrementAndGet();
  }

  // ---- filters ----

  /**
   * Puts a region's staged filter in the place of the one before.
   *
   * @throws io.hbaseindex.core.matrix.RoutingBudgetExceededException if it does not fit; the region
   *     is open then
   */
  void promote(RegionEntry entry) {
    StagedFilter staged = entry.staged();
    FilterSnapshot snapshot = staged.snapshot();
    TrustedFilter former = entry.filter();
    staged.leavePlanes(); // their bytes are those of the columns from now on
    int owner;
    if (former == null) {
      owner = matrix.addOwner(snapshot);
    } else {
      // A route under way may hold the former filter: it must not judge the new bits by the former
      // coverage, so trust in that ends first and the region is open for this moment.
      former.end();
      forceChanged();
      owner = former.owner();
      matrix.replace(owner, snapshot);
    }
    if (former != null) {
      former.heldBounds().release();
    }
    entry.setFilter(
        new TrustedFilter(
            owner,
            staged.generation(),
            shared(staged.coverage()),
            staged.handOverBounds(),
            new SegmentCensus(snapshot),
            staged.page()));
    entry.setStaged(null);
  }

  /** One list for all regions that cover the same: a route looks at that of each region. */
  private List<IndexCoverage> shared(List<IndexCoverage> coverage) {
    List<IndexCoverage> usual = usualCoverage;
    if (usual.equals(coverage)) {
      return usual;
    }
    usualCoverage = coverage;
    return coverage;
  }

  /** Applies a page to a region's filter; what is thrown means that nothing was applied. */
  void apply(RegionEntry entry, RegionMessage.ApplyPage message) {
    matrix.apply(entry.filter().owner(), message.changes());
    entry.filter().applied(message);
  }

  /** Takes a region's filter, if it has one, out of force and out of the matrix. */
  void dropFilter(RegionEntry entry) {
    TrustedFilter filter = entry.filter();
    entry.setStaged(null);
    if (filter != null) {
      filter.end();
      forceChanged();
      entry.setFilter(null);
      takeOutOfMatrix(filter);
    }
  }

  /** Clears the bits of a filter that is out of force, and lets others have its place. */
  void takeOutOfMatrix(TrustedFilter filter) {
    matrix.removeOwner(filter.owner());
    filter.heldBounds().release();
  }

  /** Moves some bits to where routes read them faster; returns whether there may be more. */
  boolean tidy(int steps) {
    return matrix.tidy(steps);
  }

  // ---- questions ----

  /**
   * How far the values of an index reach in the regions whose filters are trusted and say so. Like
   * a route it holds for what was acknowledged before it was asked for.
   */
  List<RegionEdge> edges(RegionEdge.Question question, Trust trust) {
    TableLayout regions = layout;
    TrustedFilter[] filters = regions.filters();
    List<RegionEdge> edges = new ArrayList<>();
    for (int at = 0; at < filters.length && edges.size() < MOST_EDGES; at++) {
      TrustedFilter filter = filters[at];
      if (filter == null || !filter.covers(question.index())) {
        continue;
      }
      Optional<byte[]> prefix =
          filter.bounds().of(question.index().indexId()).edge(question.largest());
      // Looked at last: bounds that were in force until now are wide enough.
      boolean known = prefix.isEmpty() || prefix.get().length > 0;
      if (known && regions.entry(at).whyOpen(filter, trust) == null) {
        edges.add(new RegionEdge(regions.entry(at).incarnation().range(), prefix));
      }
    }
    return edges;
  }

  /** What is known of the regions from a key on, in key order; {@code limit} of them at most. */
  List<RegionView> views(byte[] from, int limit, Trust trust) {
    return layout.from(from).limit(limit).map(entry -> view(entry, trust)).toList();
  }

  private static RegionView view(RegionEntry entry, Trust trust) {
    synchronized (entry) {
      TrustedFilter filter = entry.filter();
      return new RegionView(
          entry.incarnation(),
          entry.key().server(),
          entry.whyOpen(filter, trust),
          filter == null ? List.of() : filter.coverage(),
          filter == null ? 0 : filter.generation(),
          filter == null ? 0 : filter.page(),
          filter == null ? FilterSize.NONE : filter.census().size(),
          entry.silentNanos(trust.now().nanos()),
          filter == null ? OptionalLong.empty() : filter.lagNanos(trust.now()));
    }
  }

  /**
   * The first region that starts at a key or behind it, with its filter; null if there is none. The
   * bits are copied in short steps, and are those of the moment the copy was complete.
   *
   * @param known versions whose bits are not wanted
   * @param trust what may be trusted at the present moment
   */
  RegionCopy copy(byte[] from, Set<RegionCopy.Version> known, Supplier<Trust> trust) {
    RegionEntry entry = layout.from(from).findFirst().orElse(null);
    if (entry == null) {
      return null;
    }
    TrustedFilter filter;
    RoutingMatrix.OwnerCopy bits;
    synchronized (entry) {
      filter = entry.filter();
      if (entry.whyOpen(filter, trust.get()) != null || known.contains(version(entry, filter))) {
        return copied(entry, filter, trust.get(), null);
      }
      bits = matrix.copy(filter.owner());
    }
    bits.fill();
    synchronized (entry) {
      FilterSnapshot snapshot = bits.finish();
      // A filter that has been replaced or dropped meanwhile is out of force.
      return copied(entry, filter, trust.get(), snapshot);
    }
  }

  private static RegionCopy copied(
      RegionEntry entry, TrustedFilter filter, Trust trust, FilterSnapshot bits) {
    RowRange range = entry.incarnation().range();
    OpenReason open = entry.whyOpen(filter, trust);
    return open != null
        ? RegionCopy.open(range, entry.key().server(), open)
        : new RegionCopy(
            range,
            entry.key().server(),
            null,
            version(entry, filter),
            filter.coverage(),
            bits == null ? RegionBounds.EVERYTHING : filter.bounds(),
            bits);
  }

  private static RegionCopy.Version version(RegionEntry entry, TrustedFilter filter) {
    return new RegionCopy.Version(
        entry.key().server(),
        entry.key().region(),
        entry.incarnation().encodedName(),
        entry.incarnation().epoch(),
        filter.generation(),
        filter.page());
  }

  /**
   * Asks for the whole predicate in one reading, however many elements it has: bits are cleared
   * only after the readings that began before. In two readings a row that changes from one of the
   * values asked for to another could have either not yet, or no longer.
   */
  RegionJudge<TrustedFilter> ask(RoutePredicate predicate) {
    return matrix.read(reading -> new RegionJudge<>(predicate, new MatrixProbe(reading)));
  }

  /** Asks the matrix once for each element, for all filters together. */
  private record MatrixProbe(RouteReading reading) implements RegionJudge.Probe<TrustedFilter> {
    @Override
    public boolean covers(TrustedFilter filter, IndexCoverage index) {
      return filter.covers(index);
    }

    @Override
    public RegionBounds bounds(TrustedFilter filter) {
      return filter.bounds();
    }

    @Override
    public Predicate<TrustedFilter> mayHold(long hash) {
      OwnerSet candidates = reading.candidates(hash);
      return filter -> candidates.contains(filter.owner());
    }
  }

  /** Asks for the whole predicate in one reading, for a table that is settled. */
  SettledTable.Verdict ask(SettledTable table, RoutePredicate predicate) {
    return matrix.read(
        reading ->
            new SettledTable.Verdict(
                table.candidates(predicate, reading),
                table.hasOthers() ? new RegionJudge<>(predicate, new MatrixProbe(reading)) : null));
  }

  /** Tells a sink which regions may hold rows that satisfy a predicate. */
  void route(RoutePredicate predicate, Trust trust, RouteSink answer) {
    TableLayout regions = layout;
    long changes = changesOfForce.get();
    SettledTable table = settled;
    if (table != null
        && table.holds(regions, changes, trust)
        && SettledTable.canDecide(predicate)) {
      TrustedFilter[] others = table.filtersOfOthers();
      SettledTable.Verdict verdict = ask(table, predicate);
      if (changesOfForce.get() == changes) {
        table.tell(predicate, verdict, others, trust, answer);
        return;
      }
    }
    int trusted = walk(regions, predicate, trust, answer);
    if (SettledTable.isWorthLooking(trusted, regions.size())
        && (table == null || !table.holds(regions, changes, trust))) {
      settled = SettledTable.find(regions, changes, trust);
    }
  }

  /** Judges one region after the other; returns how many are trusted. */
  private int walk(TableLayout regions, RoutePredicate predicate, Trust trust, RouteSink answer) {
    TrustedFilter[] filters = regions.filters();
    RegionJudge<TrustedFilter> judge = ask(predicate);
    TableLayout.Verdicts verdicts = regions.verdicts(answer);
    int trusted = 0;
    for (int at = 0; at < filters.length; at++) {
      trusted += verdicts.judge(at, filters[at], judge, trust) ? 1 : 0;
    }
    verdicts.end();
    return trusted;
  }
}
