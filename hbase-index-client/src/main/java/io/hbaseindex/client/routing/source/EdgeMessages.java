/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.source;

import io.hbaseindex.core.route.RegionEdge;
import io.hbaseindex.core.route.RowRange;
import io.hbaseindex.protocol.IndexMasterProtos.EdgeQuestion;
import io.hbaseindex.protocol.IndexMasterProtos.RegionEdgeAnswer;
import io.hbaseindex.protocol.IndexMasterProtos.RouteResponse;
import java.util.List;
import java.util.Optional;

/** How far values reach in regions, as it is asked for and told. */
final class EdgeMessages {
  private EdgeMessages() {}

  static EdgeQuestion question(RegionEdge.Question question) {
    return EdgeQuestion.newBuilder()
        .setSpace(question.index().space())
        .setVersion(question.index().version())
        .setSeed(question.index().seed())
        .setShape(question.index().shape())
        .setLargest(question.largest())
        .build();
  }

  /** None if the holder of the filters is of an older release. */
  static List<RegionEdge> read(RouteResponse response) {
    return response.getEdgeList().stream().map(EdgeMessages::read).toList();
  }

  private static RegionEdge read(RegionEdgeAnswer edge) {
    return new RegionEdge(
        new RowRange(edge.getStartKey().toByteArray(), edge.getEndKey().toByteArray()),
        edge.hasPrefix() ? Optional.of(edge.getPrefix().toByteArray()) : Optional.empty());
  }
}
