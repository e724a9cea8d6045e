/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.source;

import io.hbaseindex.client.routing.UnroutedReason;
import io.hbaseindex.core.route.RegionCopy;
import io.hbaseindex.core.route.RoutePredicate;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Asks the master, and once it has denied an answer asks through regions instead. Permissions that
 * are granted later change nothing about that: regions go on to answer whoever may read.
 */
@InterfaceAudience.Private
public final class PermittedRoutes implements RouteSource {
  private final RouteSource master;
  private final RouteSource relayed;
  private volatile boolean denied;

  public PermittedRoutes(RouteSource master, RouteSource relayed) {
    this.master = master;
    this.relayed = new UnservedTables(relayed);
  }

  @Override
  public CompletableFuture<TableDescriptor> descriptor(TableName table) {
    return ask(source -> source.descriptor(table));
  }

  @Override
  public CompletableFuture<Answer> route(TableName table, RoutePredicate predicate) {
    return ask(source -> source.route(table, predicate));
  }

  @Override
  public CompletableFuture<Filters> filters(
      TableName table, Set<RegionCopy.Version> known, long maxBytes) {
    return ask(source -> source.filters(table, known, maxBytes));
  }

  private <T> CompletableFuture<T> ask(Function<RouteSource, CompletableFuture<T>> question) {
    if (denied) {
      return question.apply(relayed);
    }
    return question
        .apply(master)
        .exceptionallyCompose(
            error -> {
              if (RouteFailure.reasonOf(error) != UnroutedReason.ACCESS_DENIED) {
                return CompletableFuture.failedFuture(error);
              }
              denied = true;
              return question.apply(relayed);
            });
  }
}
