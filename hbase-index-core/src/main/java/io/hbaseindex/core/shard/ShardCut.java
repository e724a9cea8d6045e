/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.shard;

import io.hbaseindex.core.publish.PublishedRegion;
import java.util.List;
import java.util.stream.Stream;

/** The shards that a region had at one time. */
final class ShardCut {
  final List<ShardPlace> places;
  final List<ShardedRegion.Part> parts;

  /** The shard that has the region's bounds. */
  final int bounded;

  /** Batches that have begun with these shards and not ended; changed under the region's lock. */
  int batches;

  ShardCut(List<ShardPlace> places, List<ShardedRegion.Part> parts, int bounded) {
    this.places = places;
    this.parts = parts;
    this.bounded = bounded;
  }

  Stream<PublishedRegion> regions() {
    return parts.stream().map(ShardedRegion.Part::region);
  }
}
