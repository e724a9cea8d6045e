/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.admin.filters;

import io.hbaseindex.core.route.RowRange;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What the master knows of one region and its filter.
 *
 * @param table the region's table
 * @param encodedName the region's short name, as directories and logs have it
 * @param range the keys of the region
 * @param epoch the region's open sequence number
 * @param server the server that announced it
 * @param openReason why its filter is not trusted; empty while it is
 * @param coveredIndexes the ids of the indexes that its filter covers
 * @param generation the filter's generation; 0 if there is no filter
 * @param page the last page of changes applied to it
 * @param size how large its filter is
 * @param silent how long ago anything was heard of it
 * @param lag how long ago its server still knew the filter to be complete; empty if the filter was
 *     never trusted
 */
@InterfaceAudience.Public
public record RegionFilterState(
    TableName table,
    String encodedName,
    RowRange range,
    long epoch,
    String server,
    Optional<String> openReason,
    List<Integer> coveredIndexes,
    long generation,
    long page,
    FilterFigures size,
    Duration silent,
    Optional<Duration> lag) {
  /** Copies the list. */
  public RegionFilterState {
    coveredIndexes = List.copyOf(coveredIndexes);
  }

  /**
   * Whether the region's filter is trusted.
   *
   * @return whether it is, so that the region may be left out by it
   */
  public boolean isPrecise() {
    return openReason.isEmpty();
  }
}
