/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.shard;

import io.hbaseindex.core.filter.FilterImage;
import io.hbaseindex.core.publish.FilterLoading;
import io.hbaseindex.core.publish.PublishedRegion;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.RegionBounds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The filters of a region's shards that are being put together from what was stored of them, one
 * shard after the other.
 *
 * <p>One caller at a time.
 */
@InterfaceAudience.Private
public final class ShardedLoading {
  private final List<PublishedRegion> shards;
  private final int bounded;
  private final List<FilterLoading> filters = new ArrayList<>();

  /**
   * @param bounded the shard that has the region's bounds
   */
  ShardedLoading(List<PublishedRegion> shards, int bounded) {
    this.shards = shards;
    this.bounded = bounded;
  }

  /** What the filter of the next shard is to be read into; empty if there is no memory for it. */
  public Optional<FilterLoading> next(FilterImage.Outline outline) {
    Optional<FilterLoading> next = shards.get(filters.size()).loading(outline);
    next.ifPresent(filters::add);
    return next;
  }

  /** Inserts live postings that the stored filters, which have all been read, may lack. */
  public void insert(long... elements) {
    for (long element : elements) {
      filters.get(Shards.of(element, shards.size())).insert(element);
    }
  }

  /** Live postings that the stored filters may lack lie within these bounds. */
  public void widen(RegionBounds bounds) {
    filters.get(bounded).widen(bounds);
  }

  /**
   * The filters hold every live posting of the given indexes: they are the shards' from now on.
   *
   * @return false if some shard cannot have its filter any more; the others may have theirs
   */
  public boolean complete(List<IndexCoverage> coverage) {
    // An earlier release may have stored bounds elsewhere, which nobody would widen from now on.
    for (int shard = 0; shard < filters.size(); shard++) {
      if (shard != bounded) {
        filters.get(shard).restore(RegionBounds.EVERYTHING);
      }
    }
    return filters.stream().allMatch(filter -> filter.complete(coverage));
  }

  /** Gives up every filter that is not a shard's yet. */
  public void abandon() {
    filters.forEach(FilterLoading::abandon);
  }
}
