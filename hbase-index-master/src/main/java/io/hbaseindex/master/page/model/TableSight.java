/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master.page.model;

import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * One table that has indexes.
 *
 * @param regions its regions in key order, up to a bound
 * @param regionsInAll how many there are
 * @param problem why its indexes cannot be shown; empty if they can
 */
@InterfaceAudience.Private
public record TableSight(
    String name,
    List<IndexSight> indexes,
    List<RegionSight> regions,
    int regionsInAll,
    String problem) {
  public TableSight {
    indexes = List.copyOf(indexes);
    regions = List.copyOf(regions);
  }

  /** How many of the regions looked at are of a colour. */
  public long count(RegionColour colour) {
    return regions.stream().filter(region -> region.colour() == colour).count();
  }
}
