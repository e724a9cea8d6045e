/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.registry;

import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.core.route.RegionJudge;
import io.hbaseindex.core.route.RouteSink;
import io.hbaseindex.core.route.RowRange;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/**
 * The regions of a table as routes see them, in key order and without overlaps. Immutable.
 *
 * <p>A route looks at every region of its table, and most of them are left out. What it needs to
 * know of those stands side by side here, so that it does not follow five references for each.
 */
final class TableLayout {
  private final RegionEntry[] entries;
  private final RowRange[] ranges;
  private final List<String> servers;

  /** The first region behind each that does not begin where the one before it ends. */
  private final int[] breaks;

  private TableLayout(List<RegionEntry> regions) {
    this.entries = regions.toArray(RegionEntry[]::new);
    this.ranges = new RowRange[entries.length];
    this.breaks = new int[entries.length];
    this.servers = regions.stream().map(entry -> entry.key().server()).toList();
    for (int at = 0; at < entries.length; at++) {
      ranges[at] = entries[at].incarnation().range();
    }
    for (int at = entries.length - 1; at >= 0; at--) {
      int next = at + 1;
      boolean continues =
          next < entries.length && Arrays.equals(ranges[at].end(), ranges[next].start());
      breaks[at] = continues ? breaks[next] : next;
    }
  }

  /** A layout of regions that come in key order. */
  static TableLayout of(Collection<RegionEntry> regions) {
    return new TableLayout(List.copyOf(regions));
  }

  int size() {
    return entries.length;
  }

  RegionEntry entry(int at) {
    return entries[at];
  }

  /** The regions that start at a key or behind it. */
  Stream<RegionEntry> from(byte[] key) {
    int low = 0;
    int high = ranges.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Arrays.compareUnsigned(ranges[middle].start(), key) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return Arrays.stream(entries, low, entries.length);
  }

  /** The filter of each region at this moment; null where there is none. */
  TrustedFilter[] filters() {
    TrustedFilter[] filters = new TrustedFilter[entries.length];
    for (int at = 0; at < entries.length; at++) {
      filters[at] = entries[at].filter();
    }
    return filters;
  }

  /** Tells a sink of all regions; those of which nothing is said are excluded. */
  Verdicts verdicts(RouteSink answer) {
    return new Verdicts(answer);
  }

  /** The verdicts of one route, given in the order of the regions. */
  final class Verdicts {
    private final RouteSink answer;

    /** Regions before this one have been told of. */
    private int next;

    private Verdicts(RouteSink answer) {
      this.answer = answer;
    }

    /**
     * A region is not excluded.
     *
     * @param open why its filter could not be asked; null if it was
     */
    void candidate(int at, OpenReason open) {
      excludeUntil(at);
      next = at + 1;
      answer.candidate(ranges[at], servers.get(at), open);
    }

    private void undecided(int at) {
      excludeUntil(at);
      next = at + 1;
      answer.undecided(ranges[at], servers.get(at));
    }

    /**
     * A region is judged by itself, and told of unless it is excluded.
     *
     * @param filter its filter, as it was before it was asked
     * @return whether the filter is trusted
     */
    boolean judge(int at, TrustedFilter filter, RegionJudge<TrustedFilter> judge, Trust trust) {
      OpenReason open = entries[at].whyOpen(filter, trust);
      if (open != null) {
        candidate(at, open);
      } else if (!judge.excludes(filter)) {
        if (judge.isUndecided(filter)) {
          undecided(at);
        } else {
          candidate(at, judge.whyOpen(filter));
        }
      }
      return open == null;
    }

    /** There is no further region to speak of. */
    void end() {
      excludeUntil(entries.length);
    }

    private void excludeUntil(int end) {
      while (next < end) {
        int first = next;
        next = Math.min(end, breaks[first]);
        answer.excluded(
            new RowRange(ranges[first].start(), ranges[next - 1].end()),
            servers.subList(first, next));
      }
    }
  }
}
