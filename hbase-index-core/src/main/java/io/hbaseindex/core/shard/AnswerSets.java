/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.shard;

import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.core.route.RouteAnswer.Candidate;
import io.hbaseindex.core.route.RowRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;

/**
 * Combines the answers that several holders give for the same table.
 *
 * <p>The holders may know the table at different moments, before and after a split for example, so
 * answers are combined by keys, not by regions. Counts are of the ranges in the combined answer.
 */
final class AnswerSets {
  private AnswerSets() {}

  /** The keys that both answers leave. */
  static RouteAnswer intersection(RouteAnswer one, RouteAnswer other) {
    return combined(one, other, true);
  }

  /** The keys that one of the answers leaves. */
  static RouteAnswer union(RouteAnswer one, RouteAnswer other) {
    return combined(one, other, false);
  }

  private static RouteAnswer combined(RouteAnswer one, RouteAnswer other, boolean bothNeeded) {
    Cursor first = new Cursor(one.candidates());
    Cursor second = new Cursor(other.candidates());
    List<Candidate> left = new ArrayList<>();
    for (RowRange range : cut(one, other)) {
      Candidate here = first.at(range);
      Candidate there = second.at(range);
      boolean candidate =
          bothNeeded ? here != null && there != null : here != null || there != null;
      if (candidate) {
        add(left, range, here, there, bothNeeded);
      }
    }
    int positive = (int) left.stream().filter(range -> range.open() == null).count();
    int open = (int) left.stream().filter(AnswerSets::isOpenRegion).count();
    int seen = Math.max(regions(one), regions(other));
    // Regions that are joined count as one; none of them is excluded.
    int most =
        bothNeeded ? one.excluded() + other.excluded() : Math.min(one.excluded(), other.excluded());
    int excluded = Math.max(0, Math.min(seen - positive - open, most));
    return new RouteAnswer(left, excluded, positive, open);
  }

  private static boolean isOpenRegion(Candidate candidate) {
    return candidate.open() != null && candidate.server() != null;
  }

  private static int regions(RouteAnswer answer) {
    return answer.excluded() + answer.positive() + answer.open();
  }

  /** A filter that was asked says more than one that was not, where both are needed. */
  private static void add(
      List<Candidate> left, RowRange range, Candidate here, Candidate there, boolean bothNeeded) {
    Candidate known = here == null ? there : here;
    if (here != null && there != null && (here.open() == null) != (there.open() == null)) {
      known = (here.open() == null) == bothNeeded ? here : there;
    }
    // Where one answer has joined regions that it knows nothing of, the other may know the region.
    if (here != null && there != null && isUnnamed(known) && known.open() == null) {
      known = isUnnamed(here) ? there : here;
    }
    int last = left.size() - 1;
    // Pieces of one candidate that only the other answer has cut belong together again.
    if (last >= 0 && isContinued(left.get(last), range, known)) {
      RowRange joined = new RowRange(left.get(last).range().start(), range.end());
      left.set(last, new Candidate(joined, known.server(), known.open()));
    } else {
      left.add(new Candidate(range, known.server(), known.open()));
    }
  }

  private static boolean isUnnamed(Candidate candidate) {
    return candidate.server() == null;
  }

  private static boolean isContinued(Candidate last, RowRange range, Candidate known) {
    return Arrays.equals(last.range().end(), range.start())
        && range.start().length > 0
        && last.range().overlaps(known.range())
        && last.open() == known.open()
        && Objects.equals(last.server(), known.server());
  }

  /** All keys, cut wherever a candidate of either answer begins or ends. */
  private static List<RowRange> cut(RouteAnswer one, RouteAnswer other) {
    TreeSet<byte[]> bounds = new TreeSet<>(Arrays::compareUnsigned);
    bounds.add(RowRange.ALL.start());
    for (RouteAnswer answer : List.of(one, other)) {
      for (Candidate candidate : answer.candidates()) {
        bounds.add(candidate.range().start());
        bounds.add(candidate.range().end());
      }
    }
    List<RowRange> ranges = new ArrayList<>(bounds.size());
    byte[] start = null;
    for (byte[] bound : bounds) {
      if (start != null) {
        ranges.add(new RowRange(start, bound));
      }
      start = bound;
    }
    ranges.add(new RowRange(start, RowRange.ALL.end()));
    return ranges;
  }

  /** Finds the candidate that a range lies in, for ranges in key order. */
  private static final class Cursor {
    private final List<Candidate> candidates;
    private int next;

    Cursor(List<Candidate> candidates) {
      this.candidates = candidates;
    }

    Candidate at(RowRange range) {
      while (next < candidates.size() && isBefore(candidates.get(next).range(), range)) {
        next++;
      }
      boolean inside =
          next < candidates.size() && candidates.get(next).range().contains(range.start());
      return inside ? candidates.get(next) : null;
    }

    private static boolean isBefore(RowRange candidate, RowRange range) {
      return !candidate.isBelowEnd(range.start());
    }
  }
}
