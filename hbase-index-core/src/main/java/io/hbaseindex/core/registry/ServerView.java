/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.registry;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The filter of a region server: the union of the filters of the regions it has announced. It takes
 * no memory of its own, and a region that moves takes its part along.
 *
 * @param server the server
 * @param regions its regions in key order, table by table
 */
@InterfaceAudience.Private
public record ServerView(String server, List<RegionView> regions) {
  public ServerView {
    regions = List.copyOf(regions);
  }

  /** The servers of some regions, in the order of their names. */
  public static List<ServerView> of(List<RegionView> regions) {
    Map<String, List<RegionView>> byServer = new TreeMap<>();
    for (RegionView region : regions) {
      byServer.computeIfAbsent(region.server(), server -> new ArrayList<>()).add(region);
    }
    return byServer.entrySet().stream()
        .map(entry -> new ServerView(entry.getKey(), entry.getValue()))
        .toList();
  }

  /** How large the union is; an absent element passes it if it passes any part. */
  public FilterSize size() {
    return regions.stream().map(RegionView::size).reduce(FilterSize.NONE, FilterSize::with);
  }

  /** Number of regions whose filter is trusted. */
  public long precise() {
    return regions.stream().filter(RegionView::isPrecise).count();
  }

  /** Number of regions whose filter is not trusted: the server is a candidate for anything. */
  public long open() {
    return regions.size() - precise();
  }

  /** The lag of the region that lags most among those with a filter; empty if there is none. */
  public OptionalLong lagNanos() {
    return regions.stream().map(RegionView::lagNanos).flatMapToLong(OptionalLong::stream).max();
  }
}
