/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.route;

import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/** A receiver for the verdict on each announced region of a table, in key order. */
@InterfaceAudience.Private
public interface RouteSink {
  /**
   * Regions are proven not to hold what was asked for.
   *
   * @param keys the keys of them all: each begins where the one before ends
   * @param servers the server of each
   */
  void excluded(RowRange keys, List<String> servers);

  /**
   * A region may hold it.
   *
   * @param open why its filter could not be asked; null if it was, and answered that it may
   */
  void candidate(RowRange range, String server, OpenReason open);

  /**
   * Nothing here tells of a region: the question is about bounds alone, and the region's are kept
   * elsewhere, if anywhere.
   */
  default void undecided(RowRange range, String server) {
    candidate(range, server, null);
  }
}
