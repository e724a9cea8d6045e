/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.filter;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A chain of split counting filters with a plausible but wrong rule for where inserts and deletes
 * go. Each rule loses elements; the contract suite must notice.
 */
final class UnsafeChain implements CountingFilter {
  /** The wrong rules. */
  enum Rule {
    /** The published one: insert into any segment below half, delete from the first positive. */
    ANY_SEGMENT_WITH_ROOM,
    /** Always insert into the newest; delete from the first positive. */
    ALWAYS_NEWEST,
    /** Insert and delete at the last positive segment. */
    LAST_POSITIVE,
    /** Delete from every positive segment. */
    ALL_POSITIVE,
    /** First positive, but a sealed segment that has lost elements takes new ones again. */
    REOPEN_SEALED,
    /** First positive, with two neighbouring segments in the middle merged now and then. */
    MERGE_MIDDLE,
    /** First positive, but counting copies in the side table as soon as counters look high. */
    HEAVY_WITHOUT_COUNTING,
    /** First positive, but the side table forgets an element that still has copies in it. */
    HEAVY_FORGETS
  }

  private final Rule rule;
  private final FilterGeometry geometry;
  private final List<SplitCountingBloomFilter> segments = new ArrayList<>();
  private final List<Boolean> sealed = new ArrayList<>();
  private final Map<Long, Integer> heavy = new HashMap<>();

  UnsafeChain(Rule rule, FilterGeometry geometry) {
    this.rule = rule;
    this.geometry = geometry;
    grow();
  }

  @Override
  public boolean mightContain(long element) {
    return segments.stream().anyMatch(segment -> segment.mightContain(element));
  }

  @Override
  public void insert(long element) {
    if (rule == Rule.HEAVY_WITHOUT_COUNTING || rule == Rule.HEAVY_FORGETS) {
      if (insertHeavy(element)) {
        return;
      }
    }
    int target = insertTarget(element);
    segments.get(target).insert(element);
    if (segments.get(target).isFull()) {
      sealed.set(target, true);
    }
    if (rule == Rule.MERGE_MIDDLE && segments.size() > 3) {
      mergeSecondAndThird();
    }
  }

  @Override
  public boolean delete(long element) {
    if (heavy.getOrDefault(element, 0) > 0) {
      heavy.merge(element, -1, Integer::sum);
      return true;
    }
    boolean deleted = false;
    for (int at = 0; at < segments.size(); at++) {
      int index = rule == Rule.LAST_POSITIVE ? segments.size() - 1 - at : at;
      if (segments.get(index).mightContain(element)) {
        segments.get(index).delete(element);
        deleted = true;
        if (rule != Rule.ALL_POSITIVE) {
          break;
        }
      }
    }
    return deleted;
  }

  private int insertTarget(long element) {
    int newest = segments.size() - 1;
    switch (rule) {
      case ANY_SEGMENT_WITH_ROOM:
        for (int at = 0; at <= newest; at++) {
          if (!segments.get(at).isFull()) {
            return at;
          }
        }
        return grow();
      case ALWAYS_NEWEST:
      case ALL_POSITIVE:
        return segments.get(newest).isFull() ? grow() : newest;
      case LAST_POSITIVE:
        for (int at = newest; at >= 0; at--) {
          if (segments.get(at).mightContain(element)) {
            return at;
          }
        }
        return segments.get(newest).isFull() ? grow() : newest;
      default:
        for (int at = 0; at <= newest; at++) {
          if (segments.get(at).mightContain(element)) {
            return at;
          }
        }
        if (rule == Rule.REOPEN_SEALED) {
          for (int at = 0; at <= newest; at++) {
            if (!segments.get(at).isFull()) {
              return at;
            }
          }
        }
        return sealed.get(newest) ? grow() : newest;
    }
  }

  private boolean insertHeavy(long element) {
    for (SplitCountingBloomFilter segment : segments) {
      if (segment.mightContain(element)) {
        if (lowest(segment, element) >= 2) {
          if (rule == Rule.HEAVY_FORGETS && heavy.size() > 2) {
            heavy.remove(heavy.keySet().iterator().next());
          }
          heavy.merge(element, 1, Integer::sum);
          return true;
        }
        return false;
      }
    }
    return false;
  }

  private static int lowest(SplitCountingBloomFilter segment, long element) {
    int lowest = Integer.MAX_VALUE;
    for (int slice = 0; slice < segment.sizeClass().slices(); slice++) {
      long position = segment.sizeClass().position(element, slice);
      lowest = Math.min(lowest, segment.counters().get(position));
    }
    return lowest;
  }

  private void mergeSecondAndThird() {
    SplitCountingBloomFilter into = segments.get(1);
    SplitCountingBloomFilter from = segments.remove(2);
    sealed.remove(2);
    CellCounters counts = into.counters();
    from.plane()
        .forEachSet(
            position -> {
              for (int count = from.counters().get(position); count > 0; count--) {
                counts.endWriting(counts.up(position) ? 1 : 0);
              }
            });
  }

  private int grow() {
    segments.add(new SplitCountingBloomFilter(geometry.sizeClass(0, 0)));
    sealed.add(false);
    return segments.size() - 1;
  }
}
