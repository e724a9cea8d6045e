/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.oracle;

import java.util.EnumMap;
import java.util.Map;

/**
 * How many queries of each shape used the index where they could have, so that falling back cannot
 * pass for success. Safe for use by many threads.
 */
final class JumpTally {

  private static final double REQUIRED = 0.9;

  private static final class Count {
    private int asked;
    private int jumped;
  }

  private final Map<QueryShape, Count> counts = new EnumMap<>(QueryShape.class);

  synchronized void add(QueryShape shape, boolean jumped) {
    Count count = counts.computeIfAbsent(shape, key -> new Count());
    count.asked++;
    count.jumped += jumped ? 1 : 0;
  }

  /** Fails unless nine of ten eligible queries of every shape jumped, and each shape was asked. */
  synchronized void requireEnoughJumps() {
    for (QueryShape shape : QueryShape.values()) {
      Count count = counts.getOrDefault(shape, new Count());
      if (shape.eligible() && count.jumped < REQUIRED * count.asked) {
        throw new AssertionError(
            "Too few queries of shape " + shape + " used the index; all shapes: " + this);
      }
      if (shape.eligible() && count.asked == 0) {
        throw new AssertionError("No query of shape " + shape + " was asked of a ready index");
      }
    }
  }

  @Override
  public synchronized String toString() {
    StringBuilder text = new StringBuilder();
    counts.forEach(
        (shape, count) ->
            text.append(shape)
                .append(' ')
                .append(count.jumped)
                .append('/')
                .append(count.asked)
                .append("  "));
    return text.toString().trim();
  }
}
