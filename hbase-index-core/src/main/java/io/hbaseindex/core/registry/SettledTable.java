/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.registry;

import io.hbaseindex.core.matrix.OwnerSet;
import io.hbaseindex.core.matrix.RouteReading;
import io.hbaseindex.core.push.LeaseToken;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.core.route.RoutePredicate;
import io.hbaseindex.core.route.RoutePredicate.AllOf;
import io.hbaseindex.core.route.RoutePredicate.AnyOf;
import io.hbaseindex.core.route.RoutePredicate.Element;
import io.hbaseindex.core.route.RouteSink;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A table all of whose regions are trusted, with filters that cover the same. What {@link
 * io.hbaseindex.core.route.RegionJudge} decides for one region after the other is then decided for
 * all of them by sets of owners, so that a route does not touch the regions it leaves out: of a
 * table with many regions that takes most of a route's time, since none of them is in the
 * processor's caches.
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
 * <p>Immutable.
 */
final class SettledTable {
  private static final int NOWHERE = -1;

  private final TableLayout regions;
  private final long changes;
  private final LeaseToken oldest;
  private final List<IndexCoverage> coverage;

  /** The position of the region whose filter has an id, by id. */
  private final int[] positions;

  private SettledTable(TableLayout regions, long changes, Walk found) {
    this.regions = regions;
    this.changes = changes;
    this.oldest = new LeaseToken(0, found.nanos, found.wallMillis);
    this.coverage = found.coverage;
    this.positions = found.positions;
  }

  /**
   * Goes over the regions of a table.
   *
   * @param changes how often filters had come into force or gone out of it before
   * @return null if the table is not settled
   */
  static SettledTable find(TableLayout regions, long changes, Trust trust) {
    Walk walk = new Walk(regions.size());
    for (int at = 0; at < regions.size(); at++) {
      if (!walk.add(at, regions.entry(at), trust)) {
        return null;
      }
    }
    return regions.size() == 0 ? null : new SettledTable(regions, changes, walk);
  }

  /** What is known of the regions before one. */
  private static final class Walk {
    private List<IndexCoverage> coverage;
    private long nanos;
    private long wallMillis;
    private int[] positions;

    Walk(int regions) {
      positions = new int[regions];
      Arrays.fill(positions, NOWHERE);
    }

    boolean add(int at, RegionEntry entry, Trust trust) {
      TrustedFilter filter = entry.filter();
      if (filter == null || !filter.isTrusted(trust) || entry.over() != null) {
        return false;
      }
      // Read after it was found to be worth trust: it can only be a newer one.
      LeaseToken token = filter.token();
      if (coverage == null) {
        coverage = filter.coverage();
        nanos = token.issuedNanos();
        wallMillis = token.issuedWallMillis();
      } else if (!coverage.equals(filter.coverage())) {
        return false;
      }
      nanos = token.issuedNanos() - nanos < 0 ? token.issuedNanos() : nanos;
      wallMillis = Math.min(wallMillis, token.issuedWallMillis());
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

  /** Whether all filters found are in force and trusted. */
  boolean holds(TableLayout now, long changesNow, Trust trust) {
    return now == regions && changesNow == changes && trust.whyNotBy(oldest) == null;
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
   * Tells a sink which regions may hold rows that satisfy a predicate.
   *
   * @param owners those whose filters do not refute it; null for all
   */
  void tell(RoutePredicate predicate, OwnerSet owners, RouteSink answer) {
    OpenReason open = covers(predicate) ? null : OpenReason.NOT_COVERED;
    TableLayout.Verdicts verdicts = regions.verdicts(answer);
    candidates(owners).forEach(at -> verdicts.candidate(at, open));
    verdicts.end();
  }

  private IntStream candidates(OwnerSet owners) {
    return owners == null
        ? IntStream.range(0, regions.size())
        : Arrays.stream(owners.toArray()).map(this::position).filter(at -> at != NOWHERE).sorted();
  }

  /** Owners that have just come are of no region yet, and cannot have been asked for. */
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
