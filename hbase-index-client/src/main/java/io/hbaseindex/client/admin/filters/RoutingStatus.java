/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.admin.filters;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * How the filters at the active master stand.
 *
 * @param masterServer HBase's name of the master
 * @param master what holds for the master as a whole
 * @param regions the regions that have announced themselves, table by table in key order
 */
@InterfaceAudience.Public
public record RoutingStatus(
    String masterServer, MasterFilterState master, List<RegionFilterState> regions) {
  /** Copies the list. */
  public RoutingStatus {
    regions = List.copyOf(regions);
  }

  /**
   * The filters of the region servers, each the union of those of its regions, in the order of
   * their names.
   *
   * @return one state for each server that has announced regions
   */
  public List<ServerFilterState> servers() {
    Map<String, List<RegionFilterState>> byServer = new TreeMap<>();
    for (RegionFilterState region : regions) {
      byServer.computeIfAbsent(region.server(), server -> new ArrayList<>()).add(region);
    }
    return byServer.entrySet().stream()
        .map(entry -> new ServerFilterState(entry.getKey(), entry.getValue()))
        .toList();
  }

  /**
   * Whether every filter is trusted.
   *
   * @return whether the filter of every region that has announced itself is
   */
  public boolean isPrecise() {
    return regions.stream().allMatch(RegionFilterState::isPrecise);
  }
}
