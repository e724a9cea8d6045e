/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.timecount;

/** Windows aligned in event time that wait for late events. */
record EventTimeWindowing(long width, long lateness) implements Windowing {
  /** Windows that wait at the same time; each may hold a filter in memory. */
  static final int MAX_OPEN_WINDOWS = 1024;

  EventTimeWindowing {
    if (width < 1 || width > StreamHistory.MAX_TIME) {
      throw new IllegalArgumentException(
          "Cannot cut windows by event time: width was "
              + width
              + "; it must lie between 1 and "
              + StreamHistory.MAX_TIME);
    }
    if (lateness < 0
        || lateness > StreamHistory.MAX_TIME
        || lateness / width > MAX_OPEN_WINDOWS - 2) {
      throw new IllegalArgumentException(
          "Cannot cut windows by event time: lateness was "
              + lateness
              + "; it must lie between 0 and "
              + (MAX_OPEN_WINDOWS - 2)
              + " windows of "
              + width
              + ", and not above "
              + StreamHistory.MAX_TIME);
    }
  }

  @Override
  public long windowOf(long time) {
    return Math.floorDiv(time, width);
  }

  @Override
  public boolean isOver(long window, long newest) {
    // No overflow: time, width and lateness are all within MAX_TIME, an eighth of what a long
    // holds.
    return newest - lateness >= (window + 1) * width;
  }

  @Override
  public int maxOpenWindows() {
    return (int) (lateness / width) + 2;
  }
}
