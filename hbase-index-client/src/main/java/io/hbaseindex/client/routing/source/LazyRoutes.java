/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.source;

import io.hbaseindex.client.routing.RoutingSettings;
import io.hbaseindex.core.route.RegionCopy;
import io.hbaseindex.core.route.RoutePredicate;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.yetus.audience.InterfaceAudience;

/** Asks the master through a connection that is made when it is first needed. */
@InterfaceAudience.Private
public final class LazyRoutes implements RouteSource {
  private final Supplier<CompletableFuture<AsyncConnection>> connection;
  private final RoutingSettings settings;
  private CompletableFuture<RouteSource> routes;

  public LazyRoutes(
      Supplier<CompletableFuture<AsyncConnection>> connection, RoutingSettings settings) {
    this.connection = connection;
    this.settings = settings;
  }

  @Override
  public CompletableFuture<TableDescriptor> descriptor(TableName table) {
    return routes().thenCompose(made -> made.descriptor(table));
  }

  @Override
  public CompletableFuture<Answer> route(TableName table, RoutePredicate predicate) {
    return routes().thenCompose(made -> made.route(table, predicate));
  }

  @Override
  public CompletableFuture<Filters> filters(
      TableName table, Set<RegionCopy.Version> known, long maxBytes) {
    return routes().thenCompose(made -> made.filters(table, known, maxBytes));
  }

  private synchronized CompletableFuture<RouteSource> routes() {
    // One that could not be made is tried again.
    if (routes == null || routes.isCompletedExceptionally()) {
      routes =
          connection
              .get()
              .thenApply(
                  made ->
                      new PermittedRoutes(
                          new MasterRoutes(made, settings), new RelayedRoutes(made, settings)));
    }
    return routes;
  }
}
