/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.admin.status;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * How the indexes of one region are doing.
 *
 * @param region name of the region
 * @param unindexed why it keeps no index at all; empty if it does
 * @param indexes its indexes
 * @param counters what it has counted since it opened, by name
 * @param stalePostingsWaiting postings that wait to be looked at again
 * @param filterPercent how far its filter is that is being built from its postings; empty if none
 *     is
 * @param postings what its postings take in store files; empty if nothing was flushed yet
 */
@InterfaceAudience.Public
public record RegionStatus(
    String region,
    Optional<String> unindexed,
    List<IndexStatus> indexes,
    Map<String, Long> counters,
    int stalePostingsWaiting,
    OptionalInt filterPercent,
    Optional<PostingSize> postings) {

  /** Copies the list and the map. */
  public RegionStatus {
    indexes = List.copyOf(indexes);
    counters = Map.copyOf(counters);
  }

  /** Whether every index is ready or never will be. */
  public boolean isSettled() {
    return indexes.stream().allMatch(IndexStatus::isSettled);
  }
}
