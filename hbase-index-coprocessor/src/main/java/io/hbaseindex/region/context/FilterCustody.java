/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.context;

import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Knows which stored filter belongs to the region's store files, through every flush and
 * compaction, and over the end of the process.
 */
@InterfaceAudience.Private
public interface FilterCustody {
  /**
   * A filter that is stored.
   *
   * @param id tells it from every other stored filter
   * @param through the filter has all live postings whose last change has a timestamp up to this
   *     one, and no posting is ever written with such a timestamp again
   */
  record Held(long id, long through) {}

  /** The filter that belongs to the store files; empty if there is none that can be relied on. */
  Optional<Held> held();

  /**
   * Takes note of a filter that has been stored.
   *
   * @return whether that is durable; if not, the one before may still be needed
   */
  boolean hold(Held stored);
}
