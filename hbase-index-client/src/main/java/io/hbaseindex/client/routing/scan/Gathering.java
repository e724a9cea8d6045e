/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.scan;

import io.hbaseindex.client.routing.RoutePlan;
import io.hbaseindex.client.routing.RoutingSettings;
import io.hbaseindex.client.routing.plan.ScanRouter;
import io.hbaseindex.common.master.EndpointAccess;
import io.hbaseindex.common.master.MasterConnection;
import io.hbaseindex.core.route.RegionEdge;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Scan;

/**
 * Decides which scans of a connection have the first results of their parts gathered, and begins
 * them: by a guess, if there is one, while the route is asked for, and by the route when it comes.
 */
final class Gathering {
  private final ScanRouter router;

  /** Empty where HBase's client has no services to call; its classes are not even loaded then. */
  private final Optional<GatherCalls> calls;

  /**
   * @param conf the connection's
   */
  Gathering(ScanRouter router, Configuration conf) {
    this.router = router;
    boolean possible =
        EndpointAccess.isPossible()
            && router.settings().parallelism() > 1
            // Another codec may be one that gives clients the tags of cells.
            && conf.get(HConstants.RPC_CODEC_CONF_KEY) == null;
    this.calls = possible ? Optional.of(new GatherCalls(router.nanoClock())) : Optional.empty();
  }

  private boolean isWelcome() {
    return calls.isPresent() && calls.get().areWelcome();
  }

  /** The parts of a scan of this table; empty if they are to be read by ordinary scans. */
  Optional<GatheredParts> of(AsyncTable<?> table, Scan scan, Piece.Opener ordinary) {
    return isWelcome()
        ? GatheredParts.of(scan, ordinary, means(calls.get().on(table)))
        : Optional.empty();
  }

  /** The parts of a scan of a table, asked for through a connection; likewise. */
  Optional<GatheredParts> of(
      MasterConnection connection, TableName table, Scan scan, Piece.Opener ordinary) {
    return isWelcome()
        ? GatheredParts.of(
            scan,
            ordinary,
            means(calls.get().on(connection, table, router.settings().timeoutMillis())))
        : Optional.empty();
  }

  private GatheredParts.Means means(GatheredParts.Call call) {
    RoutingSettings settings = router.settings();
    return new GatheredParts.Means(call, settings.parallelism(), settings.timeoutMillis());
  }

  /**
   * The plan of a scan, whose parts are begun before anybody else hears of it.
   *
   * @param ordered decides which parts are visited now, if not all
   */
  CompletableFuture<RoutePlan> plan(
      TableName table,
      Scan scan,
      Optional<GatheredParts> gathered,
      Optional<OrderedParts> ordered) {
    return router
        .plan(table, scan, new Listening(gathered, ordered))
        .thenApply(
            routed -> {
              RoutePlan plan = ordered.map(parts -> parts.narrow(routed)).orElse(routed);
              gathered.ifPresent(parts -> parts.route(plan));
              return plan;
            });
  }

  private record Listening(Optional<GatheredParts> gathered, Optional<OrderedParts> ordered)
      implements ScanRouter.EarlyReader {
    @Override
    public boolean begin(RoutePlan guess) {
      // Where rows may be says nothing of where the first ones are.
      return ordered.isEmpty() && gathered.map(parts -> parts.guess(guess)).orElse(false);
    }

    @Override
    public void edges(List<RegionEdge> edges) {
      ordered.ifPresent(parts -> parts.edges(edges));
    }
  }
}
