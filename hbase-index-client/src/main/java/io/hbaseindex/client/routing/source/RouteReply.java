/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.source;

import io.hbaseindex.core.route.RegionEdge;
import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.core.shard.HolderLayout;
import java.util.List;
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
 * @param edges how far values reach in regions, as far as that was asked for and is known
 */
@InterfaceAudience.Private
public record RouteReply(
    RouteAnswer route,
    OptionalLong shape,
    boolean cellsMayHide,
    Optional<HolderLayout> elsewhere,
    List<RegionEdge> edges) {
  public RouteReply(
      RouteAnswer route, OptionalLong shape, boolean cellsMayHide, List<RegionEdge> edges) {
    this(route, shape, cellsMayHide, Optional.empty(), edges);
  }

  public RouteReply(RouteAnswer route, OptionalLong shape, boolean cellsMayHide) {
    this(route, shape, cellsMayHide, List.of());
  }

  /** Nothing is known, not even the table. */
  static RouteReply unknown(Optional<HolderLayout> elsewhere) {
    return new RouteReply(
        RouteAnswer.unknownTable(), OptionalLong.empty(), false, elsewhere, List.of());
  }
}
