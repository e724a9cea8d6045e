/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.matrix;

import io.hbaseindex.core.filter.FilterSnapshot;
import io.hbaseindex.core.filter.SizeClass;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The number of segments of each class that an update adds, from which its least bytes are
 * computed.
 */
final class SegmentDemand {
  private final Map<SizeClass, Integer> counts = new HashMap<>();
  private int segments;

  /**
   * What a whole filter asks for.
   *
   * @throws IllegalArgumentException if two of its segments have the same id
   */
  static SegmentDemand of(FilterSnapshot filter) {
    SegmentDemand demand = new SegmentDemand();
    Set<Integer> ids = new HashSet<>();
    for (FilterSnapshot.Segment segment : filter.segments()) {
      if (!ids.add(segment.id())) {
        throw new IllegalArgumentException(
            "Cannot take a filter: two of its segments have the id " + segment.id());
      }
      demand.add(segment.sizeClass());
    }
    return demand;
  }

  void add(SizeClass sizeClass) {
    counts.merge(sizeClass, 1, Integer::sum);
    segments++;
  }

  /** Number of segments per class. */
  Map<SizeClass, Integer> counts() {
    return counts;
  }

  /** Number of segments of all classes. */
  int segments() {
    return segments;
  }
}
