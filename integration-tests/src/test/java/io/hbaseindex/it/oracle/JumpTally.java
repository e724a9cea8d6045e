/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.oracle;

import java.util.EnumMap;
import java.util.Map;

/**
 * How many queries of each shape used the index where they could have, so that falling back cannot
 * pass for success.
 */
final class JumpTally {

  private static final double REQUIRED = 0.9;

  /** So many may fall back in any case: a run asks each shape less than twenty times. */
  private static final int TOLERATED = 2;

  private static final class Count {
    private int asked;
    private int jumped;
  }

  private final Map<QueryShape, Count> counts = new EnumMap<>(QueryShape.class);

  void add(QueryShape shape, boolean jumped) {
    Count count = counts.computeIfAbsent(shape, key -> new Count());
    count.asked++;
    count.jumped += jumped ? 1 : 0;
  }

  /**
   * Fails unless nine of ten eligible queries of every shape jumped, or all but two, and each shape
   * was asked.
   */
  void requireEnoughJumps() {
    for (QueryShape shape : QueryShape.values()) {
      Count count = counts.getOrDefault(shape, new Count());
      if (shape.eligible()
          && count.jumped < REQUIRED * count.asked
          && count.asked - count.jumped > TOLERATED) {
        throw new AssertionError(
            "Too few queries of shape " + shape + " used the index; all shapes: " + this);
      }
      if (shape.eligible() && count.asked == 0) {
        throw new AssertionError("No query of shape " + shape + " was asked of a ready index");
      }
    }
  }

  @Override
  public String toString() {
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
