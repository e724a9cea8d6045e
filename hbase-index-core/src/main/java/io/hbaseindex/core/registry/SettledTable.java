/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.registry;

import io.hbaseindex.core.matrix.OwnerSet;
import io.hbaseindex.core.matrix.RouteReading;
import io.hbaseindex.core.push.LeaseToken;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.core.route.RegionJudge;
import io.hbaseindex.core.route.RoutePredicate;
import io.hbaseindex.core.route.RoutePredicate.AllOf;
import io.hbaseindex.core.route.RoutePredicate.AnyOf;
import io.hbaseindex.core.route.RoutePredicate.Element;
import io.hbaseindex.core.route.RouteSink;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A table nearly all of whose regions are trusted, with filters that cover the same. What {@link
 * RegionJudge} decides for one region after the other is then decided for all of these by sets of
 * owners, so that a route does not touch the regions it leaves out: of a table with many regions
 * that takes most of a route's time, since none of them is in the processor's caches. The few
 * others are judged one by one: of very many regions some have always just been moved.
 *
 * <p>It is what one walk over the regions has found, and holds for later routes because
 *
 * <ul>
 *   <li>no filter or entry of the table has come into force or gone out of it since: {@link
 *       TableRoutes} counts that, and a route looks at the count before and after it asks the
 *       matrix, as it otherwise looks at each filter and entry;
 *   <li>trust in a filter is only ever prolonged: while the oldest of the tokens found is worth
 *       trust, all filters are trusted. Before that one is over, the next walk finds newer ones.
 * </ul>
 *
 * <p>Of the others nothing is taken for known.
 *
 * <p>Immutable.
 */
final class SettledTable {
  private static final int NOWHERE = -1;

  /** A table is settled if no more than one region in so many has to be judged by itself. */
  private static final int FEW = 8;

  private final TableLayout regions;
  private final long changes;
  private final LeaseToken oldest;
  private final List<IndexCoverage> coverage;

  /** The position of the region whose filter has an id, by id; of the others there is none. */
  private final int[] positions;

  /** The positions of the regions that are judged one by one, ascending. */
  private final int[] others;

  private SettledTable(TableLayout regions, long changes, Walk found) {
    this.regions = regions;
    this.changes = changes;
    this.oldest = new LeaseToken(0, found.nanos, found.wallMillis);
    this.coverage = found.coverage;
    this.positions = found.positions;
    this.others = Arrays.copyOf(found.others, found.otherCount);
  }

  /** Whether a table with so many trusted regions may be settled. */
  static boolean isWorthLooking(int trusted, int regions) {
    return regions - trusted <= regions / FEW;
  }

  /**
   * Goes over the regions of a table.
   *
   * @param changes how often filters had come into force or gone out of it before
   * @return null if the table is not settled
   */
  static SettledTable find(TableLayout regions, long changes, Trust trust) {
    Walk walk = new Walk(usualCoverage(regions), regions.size());
    for (int at = 0; at < regions.size(); at++) {
      if (!walk.add(at, regions.entry(at), trust)) {
        return null;
      }
    }
    return regions.size() == 0 ? null : new SettledTable(regions, changes, walk);
  }

  /** What the filters of most regions cover, if those of most cover the same. */
  private static List<IndexCoverage> usualCoverage(TableLayout regions) {
    List<IndexCoverage> usual = List.of();
    int lead = 0;
    for (TrustedFilter filter : regions.filters()) {
      if (filter != null) {
        usual = lead == 0 ? filter.coverage() : usual;
        lead += usual.equals(filter.coverage()) ? 1 : -1;
      }
    }
    return usual;
  }

  /** What is known of the regions before one. */
  private static final class Walk {
    private final List<IndexCoverage> coverage;
    private boolean begun;
    private long nanos;
    private long wallMillis;
    private int[] positions;
    private final int[] others;
    private int otherCount;

    Walk(List<IndexCoverage> coverage, int regions) {
      this.coverage = coverage;
      this.positions = new int[regions];
      this.others = new int[regions / FEW];
      Arrays.fill(positions, NOWHERE);
    }

    /** Returns false if too many regions have to be judged by themselves. */
    boolean add(int at, RegionEntry entry, Trust trust) {
      TrustedFilter filter = entry.filter();
      if (filter == null
          || !filter.isTrusted(trust)
          || entry.over() != null
          || !coverage.equals(filter.coverage())) {
        if (otherCount == others.length) {
          return false;
        }
        others[otherCount++] = at;
        return true;
      }
      // Read after it was found to be worth trust: it can only be a newer one.
      LeaseToken token = filter.token();
      boolean older = !begun || token.issuedNanos() - nanos < 0;
      nanos = older ? token.issuedNanos() : nanos;
      wallMillis =
          begun ? Math.min(wallMillis, token.issuedWallMillis()) : token.issuedWallMillis();
      begun = true;
      put(filter.owner(), at);
      return true;
    }

    private void put(int owner, int at) {
      if (owner >= positions.length) {
        int before = positions.length;
        positions = Arrays.copyOf(positions, owner + 1 + (before >> 1));
        Arrays.fill(positions, before, positions.length, NOWHERE);
      }
      positions[owner] = at;
    }
  }

  /** Whether all filters found, but for those of the others, are in force and trusted. */
  boolean holds(TableLayout now, long changesNow, Trust trust) {
    return now == regions && changesNow == changes && trust.whyNotBy(oldest) == null;
  }

  /** The filters of the regions that are judged one by one; to be read before they are asked. */
  TrustedFilter[] filtersOfOthers() {
    TrustedFilter[] filters = new TrustedFilter[others.length];
    for (int at = 0; at < others.length; at++) {
      filters[at] = regions.entry(others[at]).filter();
    }
    return filters;
  }

  /** Whether sets of owners can decide a predicate: bounds are looked at region by region. */
  static boolean canDecide(RoutePredicate predicate) {
    if (predicate instanceof AllOf all) {
      return all.parts().stream().allMatch(SettledTable::canDecide);
    }
    if (predicate instanceof AnyOf any) {
      return any.parts().stream().allMatch(SettledTable::canDecide);
    }
    return predicate instanceof Element;
  }

  /** The owners whose filters do not refute a predicate; null if none does. */
  OwnerSet candidates(RoutePredicate predicate, RouteReading reading) {
    if (predicate instanceof Element element) {
      return coverage.contains(element.index()) ? reading.candidates(element.hash()) : null;
    }
    return predicate instanceof AllOf all
        ? ofAll(all.parts(), reading)
        : ofAny(((AnyOf) predicate).parts(), reading);
  }

  private OwnerSet ofAll(List<RoutePredicate> parts, RouteReading reading) {
    OwnerSet common = null;
    for (RoutePredicate part : parts) {
      OwnerSet owners = candidates(part, reading);
      if (common == null) {
        common = owners;
      } else if (owners != null) {
        common.retainAll(owners);
      }
    }
    return common;
  }

  private OwnerSet ofAny(List<RoutePredicate> parts, RouteReading reading) {
    OwnerSet union = new OwnerSet();
    for (RoutePredicate part : parts) {
      OwnerSet owners = candidates(part, reading);
      if (owners == null) {
        return null;
      }
      union.addAll(owners);
    }
    return union;
  }

  /**
   * What the filters have answered.
   *
   * @param owners those whose filters do not refute the predicate; null for all
   * @param judge of the others; null if there are none
   */
  record Verdict(OwnerSet owners, RegionJudge<TrustedFilter> judge) {}

  /** Whether some regions have to be judged one by one. */
  boolean hasOthers() {
    return others.length > 0;
  }

  /**
   * Tells a sink which regions may hold rows that satisfy a predicate.
   *
   * @param filters of the others, as they were before they were asked
   */
  void tell(
      RoutePredicate predicate,
      Verdict verdict,
      TrustedFilter[] filters,
      Trust trust,
      RouteSink answer) {
    OpenReason open = covers(predicate) ? null : OpenReason.NOT_COVERED;
    TableLayout.Verdicts verdicts = regions.verdicts(answer);
    int other = 0;
    for (int at : candidates(verdict.owners).toArray()) {
      while (other < others.length && others[other] < at) {
        verdicts.judge(others[other], filters[other], verdict.judge, trust);
        other++;
      }
      if (other == others.length || others[other] != at) {
        verdicts.candidate(at, open);
      }
    }
    for (; other < others.length; other++) {
      verdicts.judge(others[other], filters[other], verdict.judge, trust);
    }
    verdicts.end();
  }

  private IntStream candidates(OwnerSet owners) {
    return owners == null
        ? IntStream.range(0, regions.size())
        : Arrays.stream(owners.toArray()).map(this::position).filter(at -> at != NOWHERE).sorted();
  }

  /**
   * Owners that have just come are of no region yet, and cannot have been asked for; those of the
   * others are judged apart.
   */
  private int position(int owner) {
    return owner < positions.length ? positions[owner] : NOWHERE;
  }

  private boolean covers(RoutePredicate predicate) {
    if (predicate instanceof Element element) {
      return coverage.contains(element.index());
    }
    return predicate instanceof AllOf all
        ? all.parts().stream().allMatch(this::covers)
        : ((AnyOf) predicate).parts().stream().allMatch(this::covers);
  }
}
