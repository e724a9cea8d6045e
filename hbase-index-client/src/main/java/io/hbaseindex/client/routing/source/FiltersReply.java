/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.source;

import io.hbaseindex.core.route.RegionCopy;
import java.util.List;
import java.util.OptionalLong;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The filters of a table, as they were at some moment after they were asked for.
 *
 * @param regions in key order; those of known versions come without their bits
 * @param complete whether none had to be left out for its size
 * @param shape the number of the table's descriptor at the master, if it said
 * @param cellsMayHide whether users may be shown older cells in place of the newest
 */
@InterfaceAudience.Private
public record FiltersReply(
    List<RegionCopy> regions, boolean complete, OptionalLong shape, boolean cellsMayHide) {}
