/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.admin.filters;

import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.core.shard.HolderLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Puts together what several holders say of the shards of one region: it stands as the shard does
 * that stands worst, and its filter is as large as all of them.
 */
final class ShardStates {
  private ShardStates() {}

  /** The regions, table by table in key order. */
  static List<RegionFilterState> regions(HolderLayout layout, List<RegionFilterState> shards) {
    Map<String, List<RegionFilterState>> byRegion = new LinkedHashMap<>();
    for (RegionFilterState shard : shards) {
      byRegion.computeIfAbsent(shard.encodedName(), name -> new ArrayList<>()).add(shard);
    }
    Comparator<RegionFilterState> byTable = Comparator.comparing(RegionFilterState::table);
    return byRegion.values().stream()
        .map(ofRegion -> region(layout, ofRegion))
        .sorted(byTable.thenComparing(region -> region.range().start(), Arrays::compareUnsigned))
        .toList();
  }

  private static RegionFilterState region(HolderLayout layout, List<RegionFilterState> shards) {
    RegionFilterState worst =
        shards.stream().filter(shard -> !shard.isPrecise()).findFirst().orElse(shards.get(0));
    boolean complete = shards.size() >= layout.shardsOf(worst.table().getNameAsString());
    return new RegionFilterState(
        worst.table(),
        worst.encodedName(),
        worst.range(),
        worst.epoch(),
        worst.server(),
        complete ? worst.openReason() : Optional.of(OpenReason.ABSENT.name()),
        worst.coveredIndexes(),
        worst.generation(),
        worst.page(),
        size(shards),
        worst.silent(),
        worst.lag());
  }

  private static FilterFigures size(List<RegionFilterState> shards) {
    return shards.stream()
        .map(RegionFilterState::size)
        .reduce(
            (one, other) ->
                new FilterFigures(
                    one.segments() + other.segments(),
                    one.bytes() + other.bytes(),
                    one.cells() + other.cells(),
                    one.bits() + other.bits(),
                    Math.max(one.error(), other.error())))
        .orElseThrow();
  }
}
