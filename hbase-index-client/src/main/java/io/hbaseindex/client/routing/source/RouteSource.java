/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.source;

import io.hbaseindex.core.route.RegionCopy;
import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.core.route.RoutePredicate;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.yetus.audience.InterfaceAudience;

/** What a router asks the master for. Answers may come on any thread. */
@InterfaceAudience.Private
public interface RouteSource {
  /**
   * What the master said.
   *
   * @param shape the number of the table's descriptor at the master, if it said
   * @param cellsMayHide whether users may be shown older cells in place of the newest
   */
  record Answer(RouteAnswer route, OptionalLong shape, boolean cellsMayHide) {}

  /**
   * The filters of a table, as they were at some moment after they were asked for.
   *
   * @param regions in key order; those of known versions come without their bits
   * @param complete whether none had to be left out for its size
   */
  record Filters(
      List<RegionCopy> regions, boolean complete, OptionalLong shape, boolean cellsMayHide) {}

  /** The table's descriptor as it is now. */
  CompletableFuture<TableDescriptor> descriptor(TableName table);

  /** Where rows that satisfy the predicate may be. */
  CompletableFuture<Answer> route(TableName table, RoutePredicate predicate);

  /**
   * The table's filters.
   *
   * @param known versions whose bits are not wanted again
   * @param maxBytes how many bytes of bits to send at most
   */
  CompletableFuture<Filters> filters(TableName table, Set<RegionCopy.Version> known, long maxBytes);
}
