/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.route;

import org.apache.yetus.audience.InterfaceAudience;

/** A receiver for the verdict on each announced region of a table, in key order. */
@InterfaceAudience.Private
public interface RouteSink {
  /** The region is proven not to hold what was asked for. */
  void excluded(RowRange range, String server);

  /** The region's filter answered that it may. */
  void positive(RowRange range, String server);

  /** The region's filter could not be asked. */
  void open(RowRange range, String server, OpenReason reason);
}
