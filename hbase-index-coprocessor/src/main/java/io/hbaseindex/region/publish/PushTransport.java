/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.publish;

import io.hbaseindex.core.push.Push;
import io.hbaseindex.core.push.PushReply;
import io.hbaseindex.protocol.IndexMasterProtos.FiltersRequest;
import io.hbaseindex.protocol.IndexMasterProtos.FiltersResponse;
import io.hbaseindex.protocol.IndexMasterProtos.RouteRequest;
import io.hbaseindex.protocol.IndexMasterProtos.RouteResponse;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Carries pushes and clients' questions to the active master; never blocks its caller. */
interface PushTransport extends AutoCloseable {
  /**
   * Sends a push. It fails with a {@link PushRefusedException} where the next one would fail in the
   * same way, with a {@link PushHeldUpException} where a busy master asks for a pause, and with
   * anything else where the next one may well succeed.
   */
  CompletableFuture<PushReply> send(Push push);

  /** Asks for a route, in the server's own name. */
  CompletableFuture<RouteResponse> route(RouteRequest request);

  /** Asks for a table's filters, in the server's own name. */
  CompletableFuture<FiltersResponse> filters(FiltersRequest request);

  /** How many regions each table has, by its name; nothing if the other end is no master. */
  default CompletableFuture<Map<String, Integer>> regionCounts() {
    return CompletableFuture.completedFuture(Map.of());
  }

  @Override
  void close();
}
