/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.source;

import io.hbaseindex.core.route.RegionCopy;
import io.hbaseindex.core.route.RoutePredicate;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;

/** A source whose answers a test writes, by the kind of question; it gives none unasked. */
public abstract class FakeRoutes implements RouteSource {
  // A question of one kind wants the answer of that kind.
  @SuppressWarnings("unchecked")
  @Override
  public final <T> CompletableFuture<T> ask(RouteQuestion<T> question) {
    if (question instanceof RouteQuestion.Descriptor descriptor) {
      return (CompletableFuture<T>) descriptor(descriptor.table());
    }
    if (question instanceof RouteQuestion.Route route) {
      return (CompletableFuture<T>) route(route.table(), route.predicate());
    }
    RouteQuestion.Filters filters = (RouteQuestion.Filters) question;
    return (CompletableFuture<T>) filters(filters.table(), filters.known(), filters.maxBytes());
  }

  protected CompletableFuture<TableDescriptor> descriptor(TableName table) {
    throw new AssertionError("Nobody should ask for the descriptor of " + table);
  }

  protected CompletableFuture<RouteReply> route(TableName table, RoutePredicate predicate) {
    throw new AssertionError("Nobody should ask for a route in " + table);
  }

  protected CompletableFuture<FiltersReply> filters(
      TableName table, Set<RegionCopy.Version> known, long maxBytes) {
    throw new AssertionError("Nobody should ask for the filters of " + table);
  }
}
