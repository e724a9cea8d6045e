/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.source;

import io.hbaseindex.core.route.RegionCopy;
import io.hbaseindex.core.shard.HolderLayout;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The filters of a table, as they were at some moment after they were asked for.
 *
 * @param shards the regions of each shard in key order; those of known versions come without their
 *     bits
 * @param complete whether none had to be left out for its size
 * @param shape the number of the table's descriptor at the master, if it said
 * @param cellsMayHide whether users may be shown older cells in place of the newest
 * @param elsewhere where filters are kept, if the question supposed another layout; then there are
 *     none here
 */
@InterfaceAudience.Private
public record FiltersReply(
    List<List<RegionCopy>> shards,
    boolean complete,
    OptionalLong shape,
    boolean cellsMayHide,
    Optional<HolderLayout> elsewhere) {
  /** The filters of a table, or of one shard of it. */
  public static FiltersReply of(
      List<RegionCopy> regions, boolean complete, OptionalLong shape, boolean cellsMayHide) {
    return new FiltersReply(List.of(regions), complete, shape, cellsMayHide, Optional.empty());
  }

  /** Whoever was asked has no filters of the table; they are kept by this layout. */
  static FiltersReply elsewhere(HolderLayout layout) {
    return new FiltersReply(List.of(), false, OptionalLong.empty(), false, Optional.of(layout));
  }

  /** The filters of all shards, given what they said in their order. */
  static FiltersReply of(List<FiltersReply> shards) {
    OptionalLong shape = shards.get(0).shape();
    return new FiltersReply(
        shards.stream().flatMap(reply -> reply.shards().stream()).toList(),
        shards.stream().allMatch(FiltersReply::complete),
        shards.stream().allMatch(reply -> reply.shape().equals(shape))
            ? shape
            : OptionalLong.empty(),
        shards.stream().anyMatch(FiltersReply::cellsMayHide),
        shards.stream().map(FiltersReply::elsewhere).flatMap(Optional::stream).findFirst());
  }
}
