/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.admin;

import io.hbaseindex.core.registry.RegionView;
import io.hbaseindex.core.registry.RegistryView;
import io.hbaseindex.core.registry.ServerView;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * How the filters at the active master stand.
 *
 * @param masterServer HBase's name of the master
 * @param master what holds for the master as a whole
 * @param regions the regions that have announced themselves, table by table in key order
 */
@InterfaceAudience.Public
public record RoutingStatus(String masterServer, RegistryView master, List<RegionView> regions) {
  public RoutingStatus {
    regions = List.copyOf(regions);
  }

  /**
   * The filters of the region servers, each the union of those of its regions, in the order of
   * their names.
   */
  public List<ServerView> servers() {
    return ServerView.of(regions);
  }

  /** Whether the filter of every region that has announced itself is trusted. */
  public boolean isPrecise() {
    return regions.stream().allMatch(RegionView::isPrecise);
  }
}
