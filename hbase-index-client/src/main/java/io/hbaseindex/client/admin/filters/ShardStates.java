/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.admin.filters;

import io.hbaseindex.core.route.HoldingServers;
import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.core.shard.HolderLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

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

  /**
   * Which servers may hold what a route has left of all keys.
   *
   * @param announced the servers and how many regions each has, by one shard
   */
  static HoldingServers servers(HoldingServers announced, RouteAnswer route) {
    Map<String, List<RouteAnswer.Candidate>> left =
        route.candidates().stream()
            .filter(candidate -> candidate.server() != null)
            .collect(Collectors.groupingBy(RouteAnswer.Candidate::server));
    Map<String, Integer> regions = new TreeMap<>();
    left.forEach((server, candidates) -> regions.put(server, candidates.size()));
    announced
        .servers()
        .forEach(
            one ->
                regions.merge(
                    one.server(), one.negative() + one.positive() + one.open(), Math::max));
    List<HoldingServers.ServerAnswer> servers = new ArrayList<>();
    regions.forEach(
        (server, count) -> {
          List<RouteAnswer.Candidate> candidates = left.getOrDefault(server, List.of());
          int open = (int) candidates.stream().filter(one -> one.open() != null).count();
          servers.add(
              new HoldingServers.ServerAnswer(
                  server, count - candidates.size(), candidates.size() - open, open));
        });
    int unannounced = (int) route.candidates().stream().filter(one -> one.server() == null).count();
    return new HoldingServers(servers, unannounced);
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
