/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master.page.model;

import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.core.route.RowRange;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * One region of an indexed table.
 *
 * @param name HBase's encoded name
 * @param server where it is, or was last; empty if nowhere
 * @param open why its filter is not trusted; null while it is
 * @param filterBytes what its filter takes at the master
 * @param error the estimated probability that an absent value passes its filter
 * @param building how far the index is that it has built least of
 */
@InterfaceAudience.Private
public record RegionSight(
    String name,
    RowRange range,
    String server,
    OpenReason open,
    long filterBytes,
    double error,
    Building building) {
  /** How the page colours it. */
  public RegionColour colour() {
    return RegionColour.of(open);
  }
}
