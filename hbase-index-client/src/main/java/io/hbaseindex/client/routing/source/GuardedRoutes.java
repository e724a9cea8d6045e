/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.source;

import io.hbaseindex.core.route.RegionCopy;
import io.hbaseindex.core.route.RoutePredicate;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.yetus.audience.InterfaceAudience;

/** Bounds how long the master may take, and leaves it alone for a while when it keeps failing. */
@InterfaceAudience.Private
public final class GuardedRoutes implements RouteSource {
  /** The master was not asked at all. */
  static final class LeftAloneException extends IOException {
    private static final long serialVersionUID = 1L;

    LeftAloneException() {
      super("Cannot ask the master: it failed several times in a row and is left alone");
    }
  }

  private final RouteSource master;
  private final RouteBreaker breaker;
  private final long timeoutMillis;
  private final long filtersTimeoutMillis;

  /**
   * @param timeoutMillis for what a scan waits for
   * @param filtersTimeoutMillis for filters, of which there may be many megabytes
   */
  public GuardedRoutes(
      RouteSource master, RouteBreaker breaker, long timeoutMillis, long filtersTimeoutMillis) {
    this.master = master;
    this.breaker = breaker;
    this.timeoutMillis = timeoutMillis;
    this.filtersTimeoutMillis = filtersTimeoutMillis;
  }

  @Override
  public CompletableFuture<TableDescriptor> descriptor(TableName table) {
    return guarded(() -> master.descriptor(table));
  }

  @Override
  public CompletableFuture<Answer> route(TableName table, RoutePredicate predicate) {
    return guarded(() -> master.route(table, predicate));
  }

  /**
   * A large answer that is slow to come is no sign of a sick master, so how it goes is not
   * reported; a master that is left alone is not asked for it either.
   */
  @Override
  public CompletableFuture<Filters> filters(
      TableName table, Set<RegionCopy.Version> known, long maxBytes) {
    if (breaker.rests()) {
      return CompletableFuture.failedFuture(new LeftAloneException());
    }
    return begin(() -> master.filters(table, known, maxBytes))
        .orTimeout(filtersTimeoutMillis, TimeUnit.MILLISECONDS);
  }

  private <T> CompletableFuture<T> guarded(Supplier<CompletableFuture<T>> call) {
    if (!breaker.allows()) {
      return CompletableFuture.failedFuture(new LeftAloneException());
    }
    return begin(call)
        .orTimeout(timeoutMillis, TimeUnit.MILLISECONDS)
        .whenComplete(
            (answer, error) -> {
              if (error != null && RouteFailure.reasonOf(error).isMasterFailure()) {
                breaker.failed();
              } else {
                breaker.answered();
              }
            });
  }

  /** A call that cannot even be begun, on a connection that is closed, fails like any other. */
  private static <T> CompletableFuture<T> begin(Supplier<CompletableFuture<T>> call) {
    try {
      return call.get();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }
}
