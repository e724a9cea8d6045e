/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.registry;

import io.hbaseindex.core.push.RegionIncarnation;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.OpenReason;
import java.util.List;
import java.util.OptionalLong;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * One region as the master shows it to administrators.
 *
 * @param region the announced incarnation
 * @param server the server that announced it
 * @param open why its filter is not trusted; null while it is
 * @param coverage the indexes that its filter covers
 * @param generation the filter's generation; 0 if there is no filter
 * @param page the last page of changes applied to it
 * @param size how large its filter is
 * @param silentNanos how long ago anything was heard of it
 * @param lagNanos how long ago its server still knew the filter to be complete: the age of the
 *     token that trust is counted from; empty if the filter was never trusted
 */
@InterfaceAudience.Private
public record RegionView(
    RegionIncarnation region,
    String server,
    OpenReason open,
    List<IndexCoverage> coverage,
    long generation,
    long page,
    FilterSize size,
    long silentNanos,
    OptionalLong lagNanos) {
  public RegionView {
    coverage = List.copyOf(coverage);
  }

  /** Whether the region's filter is trusted. */
  public boolean isPrecise() {
    return open == null;
  }
}
