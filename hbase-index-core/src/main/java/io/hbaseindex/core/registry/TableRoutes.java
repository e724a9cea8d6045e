/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.registry;

import io.hbaseindex.core.filter.FilterSnapshot;
import io.hbaseindex.core.matrix.OwnerSet;
import io.hbaseindex.core.matrix.RouteReading;
import io.hbaseindex.core.matrix.RoutingMatrix;
import io.hbaseindex.core.push.RegionMessage;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.core.route.RegionCopy;
import io.hbaseindex.core.route.RegionJudge;
import io.hbaseindex.core.route.RoutePredicate;
import io.hbaseindex.core.route.RouteSink;
import io.hbaseindex.core.route.RowRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The announced regions of one table, which never overlap, and the routing matrix with their
 * filters.
 *
 * <p>Everything but {@link #route} is called under the registry's lock. A route takes no lock. It
 * reads the clock, then the {@link #layout}, then asks the matrix, and only then looks whether a
 * filter is still in force. That order makes stale answers harmless: a filter that is in the layout
 * was in the matrix before, and a filter is taken out of force before its place in the matrix can
 * be given to another one.
 */
class TableRoutes {
  /** A region as routes see it; the filter is null while there is none. */
  private record Slot(RegionEntry region, TrustedFilter filter) {
    RowRange range() {
      return region.incarnation().range();
    }

    String server() {
      return region.key().server();
    }
  }

  private final RoutingMatrix matrix;
  private final TreeMap<byte[], RegionEntry> live = new TreeMap<>(Arrays::compareUnsigned);
  private volatile Slot[] layout = {};
  private boolean changed;

  TableRoutes(long byteBudget) {
    this.matrix = new RoutingMatrix(byteBudget);
  }

  RoutingMatrix matrix() {
    return matrix;
  }

  /** The announced regions, in key order. */
  Collection<RegionEntry> entries() {
    return live.values();
  }

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

  /** Routes have to be shown that something has changed. */
  void changed() {
    changed = true;
  }

  /** Adds a region that shares no key with those that are there. */
  void add(RegionEntry entry) {
    live.put(entry.incarnation().range().start(), entry);
    changed = true;
  }

  /** Takes a region out for good. */
  void remove(RegionEntry entry) {
    dropFilter(entry);
    live.remove(entry.incarnation().range().start(), entry);
  }

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
    int owner;
    if (former == null) {
      owner = matrix.addOwner(snapshot);
    } else {
      // A route under way may hold the former filter: it must not judge the new bits by the former
      // coverage, so trust in that ends first and the region is open for this moment.
      former.end();
      owner = former.owner();
      matrix.replace(owner, snapshot);
    }
    entry.setFilter(
        new TrustedFilter(
            owner,
            staged.generation(),
            staged.coverage(),
            new SegmentCensus(snapshot),
            staged.page()));
    entry.setStaged(null);
    changed = true;
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
    changed = true;
    if (filter != null) {
      filter.end();
      entry.setFilter(null);
      takeOutOfMatrix(filter);
    }
  }

  /** Clears the bits of a filter that is out of force, and lets others have its place. */
  void takeOutOfMatrix(TrustedFilter filter) {
    matrix.removeOwner(filter.owner());
  }

  /** Bytes that promoting a region's staged filter would take on top. */
  long bytesToPromote(RegionEntry entry) {
    return matrix.bytesToAdd(entry.staged().snapshot());
  }

  /** Bytes of heap of the matrix. */
  long bytes() {
    return matrix.bytes();
  }

  /** Shows routes what has changed. */
  void refresh() {
    if (changed) {
      layout =
          live.values().stream().map(entry -> new Slot(entry, entry.filter())).toArray(Slot[]::new);
      changed = false;
    }
  }

  /** What is known of the regions from a key on, in key order; {@code limit} of them at most. */
  List<RegionView> views(byte[] from, int limit, Trust trust) {
    return live.tailMap(from, true).values().stream()
        .limit(limit)
        .map(entry -> view(entry, trust))
        .toList();
  }

  private static RegionView view(RegionEntry entry, Trust trust) {
    TrustedFilter filter = entry.filter();
    OpenReason open = filter == null ? entry.reason() : filter.whyNotTrusted(trust);
    return new RegionView(
        entry.incarnation(),
        entry.key().server(),
        open,
        filter == null ? List.of() : filter.coverage(),
        filter == null ? 0 : filter.generation(),
        filter == null ? 0 : filter.page(),
        filter == null ? FilterSize.NONE : filter.census().size(),
        entry.silentNanos(trust.now().nanos()),
        filter == null ? OptionalLong.empty() : filter.lagNanos(trust.now()));
  }

  /**
   * The first region that starts at a key or behind it, with its filter; null if there is none.
   *
   * @param known versions whose bits are not wanted
   */
  RegionCopy copy(byte[] from, Set<RegionCopy.Version> known, Trust trust) {
    Map.Entry<byte[], RegionEntry> at = live.ceilingEntry(from);
    if (at == null) {
      return null;
    }
    RegionEntry entry = at.getValue();
    TrustedFilter filter = entry.filter();
    OpenReason open = filter == null ? entry.reason() : filter.whyNotTrusted(trust);
    if (open != null) {
      return RegionCopy.open(entry.incarnation().range(), entry.key().server(), open);
    }
    RegionCopy.Version version =
        new RegionCopy.Version(
            entry.key().server(),
            entry.key().region(),
            entry.incarnation().encodedName(),
            entry.incarnation().epoch(),
            filter.generation(),
            filter.page());
    return new RegionCopy(
        entry.incarnation().range(),
        entry.key().server(),
        null,
        version,
        filter.coverage(),
        known.contains(version) ? null : matrix.snapshot(filter.owner()));
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
    public Predicate<TrustedFilter> mayHold(long hash) {
      OwnerSet candidates = reading.candidates(hash);
      return filter -> candidates.contains(filter.owner());
    }
  }

  /** Tells a sink which regions may hold rows that satisfy a predicate. */
  void route(RoutePredicate predicate, Trust trust, RouteSink answer) {
    Slot[] slots = layout;
    RegionJudge<TrustedFilter> judge = ask(predicate);
    for (Slot slot : slots) {
      OpenReason open =
          slot.filter == null ? slot.region.reason() : slot.filter.whyNotTrusted(trust);
      if (open != null) {
        answer.open(slot.range(), slot.server(), open);
      } else {
        judge.judge(slot.filter, slot.range(), slot.server(), answer);
      }
    }
  }
}
