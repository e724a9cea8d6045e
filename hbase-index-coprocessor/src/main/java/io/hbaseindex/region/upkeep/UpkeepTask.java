/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.upkeep;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * What keeps the filter of one region as it should be. It is {@linkplain #look looked at} again and
 * again, and {@linkplain #run run} when there is something to do; never both at a time.
 */
@InterfaceAudience.Private
public interface UpkeepTask {
  /** What a region's filter needs, the least pressing first. */
  enum Need {
    NOTHING,
    /** All postings are to be read, for a filter better than the one there is. */
    BETTER_FILTER,
    /** All postings are to be read: there is no filter, and every scan visits the region. */
    FIRST_FILTER,
    /** A file is to be read or written, or something else that takes little time. */
    FILE;

    /** Whether it takes a while, and much of the server. */
    boolean isLong() {
      return this == BETTER_FILTER || this == FIRST_FILTER;
    }
  }

  /** What there is to do; takes next to no time. */
  Need look();

  /**
   * How often the region was asked; of two regions with equal needs the one asked more is first.
   */
  long asked();

  /** Does what there is to do. */
  void run();
}
