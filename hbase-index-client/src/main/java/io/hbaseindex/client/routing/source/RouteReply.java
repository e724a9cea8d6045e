/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.source;

import io.hbaseindex.core.route.RouteAnswer;
import java.util.OptionalLong;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Where rows may be, as the master said.
 *
 * @param shape the number of the table's descriptor at the master, if it said
 * @param cellsMayHide whether users may be shown older cells in place of the newest
 */
@InterfaceAudience.Private
public record RouteReply(RouteAnswer route, OptionalLong shape, boolean cellsMayHide) {}
