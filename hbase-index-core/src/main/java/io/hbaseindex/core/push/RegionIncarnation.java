/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.push;

import io.hbaseindex.core.route.RowRange;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * One region between one open and the next: what it is called, which keys it holds, and what orders
 * it before or after others that have held the same keys.
 *
 * <p>HBase gives a region made by a split or a merge a higher id than those it was made from, and a
 * region that is opened again a higher open sequence number. Sequence numbers of differently named
 * regions say nothing about each other: they start over when a table is truncated.
 *
 * @param table full name of the table
 * @param encodedName HBase's encoded name of the region
 * @param regionId when the region was created, by HBase's count; part of its name
 * @param epoch the region's open sequence number
 * @param range the keys of the region
 */
@InterfaceAudience.Private
public record RegionIncarnation(
    String table, String encodedName, long regionId, long epoch, RowRange range) {
  /** The same incarnation, in a registry that knows its table by another name. */
  public RegionIncarnation ofTable(String name) {
    return new RegionIncarnation(name, encodedName, regionId, epoch, range);
  }

  /** Whether both are the same region, whatever its epoch. */
  public boolean sameRegion(RegionIncarnation other) {
    return table.equals(other.table) && encodedName.equals(other.encodedName);
  }

  /** Whether this one is certainly newer than another one that held some of the same keys. */
  public boolean isNewerThan(RegionIncarnation other) {
    return sameRegion(other) ? epoch > other.epoch : regionId > other.regionId;
  }

  /** Whether some key of the same table lies in both. */
  public boolean overlaps(RegionIncarnation other) {
    return table.equals(other.table) && range.overlaps(other.range);
  }

  @Override
  public String toString() {
    return table + "/" + encodedName + "@" + epoch + range;
  }
}
