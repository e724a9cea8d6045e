/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.source;

import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.core.shard.HolderLayout;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Where rows may be, as the holder of a filter said.
 *
 * @param shape the number of the table's descriptor at the holder, if it said
 * @param cellsMayHide whether users may be shown older cells in place of the newest
 * @param elsewhere where filters are kept, if another layout is in force than the one that was
 *     asked by; there is no route then
 */
@InterfaceAudience.Private
public record RouteReply(
    RouteAnswer route, OptionalLong shape, boolean cellsMayHide, Optional<HolderLayout> elsewhere) {
  public RouteReply(RouteAnswer route, OptionalLong shape, boolean cellsMayHide) {
    this(route, shape, cellsMayHide, Optional.empty());
  }

  /** Nothing is known, not even the table. */
  static RouteReply unknown(Optional<HolderLayout> elsewhere) {
    return new RouteReply(RouteAnswer.unknownTable(), OptionalLong.empty(), false, elsewhere);
  }
}
