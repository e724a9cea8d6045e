/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.shard;

import io.hbaseindex.core.route.FilterCopy;
import io.hbaseindex.core.route.RegionCopy;
import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.core.route.RoutePredicate;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A client's copy of the filters of a table that is cut into shards: one {@link FilterCopy} for
 * each of them. A route through it never excludes the key of a write that was acknowledged before
 * the first of them was asked for. Immutable.
 */
@InterfaceAudience.Private
public final class ShardedCopy {
  private final List<FilterCopy> shards;

  /** A copy, given those of all shards in their order. */
  public ShardedCopy(List<FilterCopy> shards) {
    this.shards = List.copyOf(shards);
  }

  /** All regions of all shards. */
  public Stream<RegionCopy> regions() {
    return shards.stream().flatMap(shard -> shard.regions().stream());
  }

  /** Bytes of the filters. */
  public long bytes() {
    return shards.stream().mapToLong(FilterCopy::bytes).sum();
  }

  /** Where rows that satisfy a predicate may be. */
  public RouteAnswer route(RoutePredicate predicate) {
    return ShardedRoute.ask(
            predicate,
            shards.size(),
            (shard, part) -> CompletableFuture.completedFuture(shards.get(shard).route(part)))
        .join();
  }
}
