/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.source;

import io.hbaseindex.client.routing.RoutePlan;
import io.hbaseindex.client.routing.UnroutedReason;
import io.hbaseindex.core.route.RegionCopy;
import io.hbaseindex.core.route.RoutePredicate;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/**
 * Understands regions that do not know the index service: HBase loads it with the indexes of a
 * table, so the table has none. That is an answer like any other, and says nothing about the
 * master, which has not been asked.
 */
final class UnservedTables implements RouteSource {
  private final RouteSource regions;

  UnservedTables(RouteSource regions) {
    this.regions = regions;
  }

  /** For a table without indexes a descriptor that declares none; no scan of it is routed. */
  @Override
  public CompletableFuture<TableDescriptor> descriptor(TableName table) {
    return unlessUnserved(
        regions.descriptor(table),
        () -> CompletableFuture.completedFuture(TableDescriptorBuilder.newBuilder(table).build()));
  }

  /** For a table without indexes an answer that fits no descriptor, so that it is read again. */
  @Override
  public CompletableFuture<Answer> route(TableName table, RoutePredicate predicate) {
    return unlessUnserved(
        regions.route(table, predicate),
        () ->
            CompletableFuture.completedFuture(
                new Answer(
                    RoutePlan.everywhere(table, UnroutedReason.NO_VALUE_FIXED).answer(),
                    OptionalLong.empty(),
                    false)));
  }

  @Override
  public CompletableFuture<Filters> filters(
      TableName table, Set<RegionCopy.Version> known, long maxBytes) {
    return unlessUnserved(
        regions.filters(table, known, maxBytes),
        () ->
            CompletableFuture.failedFuture(
                new DoNotRetryIOException(
                    "Cannot copy the filters of %s: it has no indexes".formatted(table))));
  }

  private static <T> CompletableFuture<T> unlessUnserved(
      CompletableFuture<T> answer, Supplier<CompletableFuture<T>> unserved) {
    return answer.exceptionallyCompose(
        error ->
            RouteFailure.reasonOf(error) == UnroutedReason.NO_ENDPOINT
                ? unserved.get()
                : CompletableFuture.failedFuture(error));
  }
}
