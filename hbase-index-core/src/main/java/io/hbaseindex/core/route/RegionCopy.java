/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.route;

import io.hbaseindex.core.filter.FilterSnapshot;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A region and its filter as the master trusted it at one moment.
 *
 * @param range the region's keys
 * @param server the server that announced it
 * @param open why its filter was not trusted; null if it was
 * @param version tells this filter from all others; null without one
 * @param coverage the indexes that the filter covers
 * @param bounds of the values that the filter holds; they come and go with the bits
 * @param filter the bits; null without them, and where the receiver has those of this version
 */
@InterfaceAudience.Private
public record RegionCopy(
    RowRange range,
    String server,
    OpenReason open,
    Version version,
    List<IndexCoverage> coverage,
    RegionBounds bounds,
    FilterSnapshot filter) {
  /**
   * One state of one region's filter. The region's name and epoch do not tell it from all others: a
   * table that is dropped and cloned again from the same snapshot has them once more. The number
   * that its server gave it does, as a server's name holds its start code.
   *
   * @param server the server that published it; empty if that was not said, by a peer of an older
   *     release
   * @param number the region's number at that server
   */
  public record Version(
      String server, int number, String region, long epoch, long generation, long page) {
    /** Whether no other filter has this version. */
    public boolean isUnique() {
      return !server.isEmpty();
    }
  }

  public RegionCopy {
    coverage = List.copyOf(coverage);
  }

  /** A region about which nothing is proven. */
  public static RegionCopy open(RowRange range, String server, OpenReason reason) {
    return new RegionCopy(range, server, reason, null, List.of(), RegionBounds.EVERYTHING, null);
  }

  /** The same region with bits and bounds of this version that are known from before. */
  public RegionCopy with(RegionCopy known) {
    return new RegionCopy(range, server, open, version, coverage, known.bounds, known.filter);
  }

  /** Bytes of the bits and of the bounds. */
  public long bytes() {
    return filter == null ? 0 : filter.planeBytes() + bounds.bytes();
  }

  /** The same region without bits, so that nothing is proven about it. */
  public RegionCopy without(OpenReason reason) {
    return open(range, server, reason);
  }
}
