/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.admin.explain;

import io.hbaseindex.client.routing.RoutePlan;
import io.hbaseindex.core.route.RowRange;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Where a scan was sent, out of where it could have gone. Regions outside the scan's own bounds are
 * not counted at all.
 *
 * @param unrouted why no filter was asked; empty if filters were
 * @param regions regions within the scan's bounds
 * @param candidates those of them that the scan has to look at
 * @param positive candidates whose filter says that they may hold a row that is asked for
 * @param open candidates whose filter could not be asked, or that have none
 * @param openReasons why, with the number of key ranges it holds for
 * @param servers servers that have regions within the bounds
 * @param candidateServers those of them that have candidates
 * @param askedBy the sets of columns that filters were asked by, as {@code index(column+column)}:
 *     what regions were skipped by
 * @param guessed whether the scan had begun to read, by a guess, before its route was there
 */
@InterfaceAudience.Public
public record RouteFigures(
    Optional<String> unrouted,
    int regions,
    int candidates,
    int positive,
    int open,
    Map<String, Integer> openReasons,
    int servers,
    int candidateServers,
    List<String> askedBy,
    boolean guessed) {

  /** Copies the map and the list. */
  public RouteFigures {
    openReasons = Map.copyOf(openReasons);
    askedBy = List.copyOf(askedBy);
  }

  /** Regions that need not be looked at. */
  public int skipped() {
    return regions - candidates;
  }

  /** Servers that need not be asked. */
  public int skippedServers() {
    return servers - candidateServers;
  }

  /** Whether every region within the bounds was judged by its filter. */
  public boolean isPrecise() {
    return unrouted.isEmpty() && open == 0;
  }

  /** The figures of a scan that goes everywhere. */
  static RouteFigures everywhere(String reason, List<HRegionLocation> regions, Scan scan) {
    List<HRegionLocation> inside = within(regions, scan);
    int servers = serversOf(inside).size();
    return new RouteFigures(
        Optional.of(reason),
        inside.size(),
        inside.size(),
        0,
        0,
        Map.of(),
        servers,
        servers,
        List.of(),
        false);
  }

  /** The figures of a scan that goes where the plan says. */
  static RouteFigures of(RoutePlan plan, List<HRegionLocation> regions, Scan scan) {
    List<HRegionLocation> inside = within(regions, scan);
    // By region: HBase's locations are equal if their servers are.
    Set<RegionInfo> candidates = new HashSet<>();
    Set<RegionInfo> open = new HashSet<>();
    Map<String, Integer> reasons = new TreeMap<>();
    for (RoutePlan.Part part : plan.parts()) {
      List<RegionInfo> meant =
          inside.stream()
              .map(HRegionLocation::getRegion)
              .filter(region -> overlaps(region, part.range()))
              .toList();
      candidates.addAll(meant);
      if (part.openReason().isPresent() && !meant.isEmpty()) {
        open.addAll(meant);
        reasons.merge(part.openReason().get(), 1, Integer::sum);
      }
    }
    return new RouteFigures(
        Optional.empty(),
        inside.size(),
        candidates.size(),
        candidates.size() - open.size(),
        open.size(),
        reasons,
        serversOf(inside).size(),
        serversOf(inside.stream().filter(at -> candidates.contains(at.getRegion())).toList())
            .size(),
        plan.askedBy(),
        plan.guessed());
  }

  private static Set<String> serversOf(List<HRegionLocation> regions) {
    Set<String> servers = new HashSet<>();
    regions.forEach(at -> servers.add(String.valueOf(at.getServerName())));
    return servers;
  }

  private static List<HRegionLocation> within(List<HRegionLocation> regions, Scan scan) {
    byte[] low = scan.isReversed() ? scan.getStopRow() : scan.getStartRow();
    byte[] high = scan.isReversed() ? scan.getStartRow() : scan.getStopRow();
    boolean lowIncluded = scan.isReversed() ? scan.includeStopRow() : scan.includeStartRow();
    boolean highIncluded = scan.isReversed() ? scan.includeStartRow() : scan.includeStopRow();
    byte[] first = lowIncluded || low.length == 0 ? low : Arrays.copyOf(low, low.length + 1);
    byte[] end = highIncluded && high.length > 0 ? Arrays.copyOf(high, high.length + 1) : high;
    return regions.stream().filter(at -> overlaps(at.getRegion(), first, end)).toList();
  }

  private static boolean overlaps(RegionInfo region, RowRange range) {
    return overlaps(region, range.start(), range.end());
  }

  private static boolean overlaps(RegionInfo region, byte[] start, byte[] end) {
    return startsBefore(region.getStartKey(), end) && startsBefore(start, region.getEndKey());
  }

  private static boolean startsBefore(byte[] start, byte[] end) {
    return end.length == 0 || Arrays.compareUnsigned(start, end) < 0;
  }
}
