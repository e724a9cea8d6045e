/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.admin.filters;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The filter of a region server: the union of the filters of the regions it has announced. It takes
 * no memory of its own, and a region that moves takes its part along.
 *
 * @param server the server
 * @param regions its regions in key order, table by table
 */
@InterfaceAudience.Public
public record ServerFilterState(String server, List<RegionFilterState> regions) {
  /** Copies the list. */
  public ServerFilterState {
    regions = List.copyOf(regions);
  }

  /**
   * How large the union is.
   *
   * @return the sum of its parts; an absent element passes it if it passes any part
   */
  public FilterFigures size() {
    return regions.stream()
        .map(RegionFilterState::size)
        .reduce(FilterFigures.NONE, FilterFigures::with);
  }

  /**
   * The number of regions whose filter is trusted.
   *
   * @return how many
   */
  public long precise() {
    return regions.stream().filter(RegionFilterState::isPrecise).count();
  }

  /**
   * The number of regions whose filter is not trusted: any of them makes the server a candidate for
   * every value.
   *
   * @return how many
   */
  public long open() {
    return regions.size() - precise();
  }

  /**
   * The lag of the region that lags most among those with a filter.
   *
   * @return the lag; empty if no region has a filter
   */
  public Optional<Duration> lag() {
    return regions.stream().flatMap(region -> region.lag().stream()).max(Comparator.naturalOrder());
  }
}
