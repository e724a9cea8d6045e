/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.route;

import java.util.List;
import java.util.function.Predicate;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A copy of the filters of a table as a master trusted them, held by a client. A route through it
 * never excludes the key of a write that was acknowledged before the copy was asked for. Later
 * writes may be missed.
 *
 * <p>Filters are asked one after another, which is fast enough for some thousand regions; the
 * master's matrix is for more. Immutable.
 */
@InterfaceAudience.Private
public final class FilterCopy {
  private final List<RegionCopy> regions;
  private final long bytes;

  /**
   * A copy.
   *
   * @param regions in key order and without overlaps; each has its bits or says why it is open
   */
  public FilterCopy(List<RegionCopy> regions) {
    this.regions = List.copyOf(regions);
    this.bytes = this.regions.stream().mapToLong(RegionCopy::bytes).sum();
  }

  /** The regions, in key order. */
  public List<RegionCopy> regions() {
    return regions;
  }

  /** Bytes of the filters and their bounds. */
  public long bytes() {
    return bytes;
  }

  /** Where rows that satisfy a predicate may be. */
  public RouteAnswer route(RoutePredicate predicate) {
    RegionJudge<RegionCopy> judge = new RegionJudge<>(predicate, new CopyProbe());
    RouteCollector answer = new RouteCollector();
    for (RegionCopy region : regions) {
      if (region.filter() == null) {
        answer.candidate(region.range(), region.server(), region.open());
      } else if (judge.excludes(region)) {
        answer.excluded(region.range(), List.of(region.server()));
      } else {
        answer.candidate(region.range(), region.server(), judge.whyOpen(region));
      }
    }
    return answer.finish();
  }

  /** Asks each filter by itself. */
  private static final class CopyProbe implements RegionJudge.Probe<RegionCopy> {
    @Override
    public boolean covers(RegionCopy region, IndexCoverage index) {
      return region.coverage().contains(index);
    }

    @Override
    public RegionBounds bounds(RegionCopy region) {
      return region.bounds();
    }

    @Override
    public Predicate<RegionCopy> mayHold(long hash) {
      return region -> region.filter().mightContain(hash);
    }
  }
}
