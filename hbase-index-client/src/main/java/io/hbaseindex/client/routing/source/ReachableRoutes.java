/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.source;

import io.hbaseindex.client.routing.UnroutedReason;
import io.hbaseindex.common.master.MasterConnection;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Asks the master directly, and once it has denied an answer asks through regions instead.
 * Permissions that are granted later change nothing about that: regions go on to answer whoever may
 * read. Regions are also asked while the master that is asked directly is not the active one.
 *
 * <p>A region that does not know the index service belongs to a table without indexes, as HBase
 * loads the service with them. That is an answer like any other, and says nothing about the master,
 * which has not been asked.
 */
@InterfaceAudience.Private
public final class ReachableRoutes implements RouteSource {
  private final RouteSource master;
  private final RouteSource regions;
  private volatile boolean denied;

  /** Asks either way through a connection. */
  public static ReachableRoutes through(
      MasterConnection connection, RouteTime time, LongSupplier nanoClock) {
    return new ReachableRoutes(
        new MasterRoutes(connection, time), new RelayedRoutes(connection, time, nanoClock));
  }

  /**
   * @param master asks the master directly
   * @param regions asks through a region of the table
   */
  public ReachableRoutes(RouteSource master, RouteSource regions) {
    this.master = master;
    this.regions = regions;
  }

  @Override
  public <T> CompletableFuture<T> ask(RouteQuestion<T> question) {
    if (denied) {
      return askRegions(question);
    }
    return master
        .ask(question)
        .exceptionallyCompose(
            error -> {
              if (RouteFailure.reasonOf(error) == UnroutedReason.ACCESS_DENIED) {
                denied = true;
                return askRegions(question);
              }
              return MasterConnection.isRefusalOfInactiveMaster(error)
                  ? askRegions(question)
                  : CompletableFuture.failedFuture(error);
            });
  }

  private <T> CompletableFuture<T> askRegions(RouteQuestion<T> question) {
    return regions
        .ask(question)
        .exceptionallyCompose(
            error ->
                RouteFailure.reasonOf(error) == UnroutedReason.NO_ENDPOINT
                    ? question.answerWithoutIndexes()
                    : CompletableFuture.failedFuture(error));
  }
}
