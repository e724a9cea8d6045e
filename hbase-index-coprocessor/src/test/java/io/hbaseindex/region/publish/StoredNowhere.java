/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.publish;

import io.hbaseindex.common.metrics.IndexRegistry;
import io.hbaseindex.core.filter.FilterGeometry;
import io.hbaseindex.core.shard.ShardedRegion;
import io.hbaseindex.region.context.FilterCustody;
import java.util.Optional;
import java.util.OptionalLong;

/** A region without store files: its filter is never stored, and none ever was. */
final class StoredNowhere implements FilterCustody, FilterKeeper.PostingFiles {
  static FilterKeeper keeperOf(ShardedRegion region) {
    StoredNowhere nowhere = new StoredNowhere();
    return new FilterKeeper(
        new FilterKeeper.Identity("r", 1, FilterGeometry.standard()),
        region,
        nowhere,
        null,
        nowhere,
        () -> 1,
        new PublishMetrics(IndexRegistry.ofRegionServer()));
  }

  @Override
  public Optional<Held> held() {
    return Optional.empty();
  }

  @Override
  public boolean hold(Held stored) {
    throw new AssertionError("nothing is stored");
  }

  @Override
  public OptionalLong latest() {
    return OptionalLong.empty();
  }

  @Override
  public long bytesAfter(long timestamp) {
    return 0;
  }
}
