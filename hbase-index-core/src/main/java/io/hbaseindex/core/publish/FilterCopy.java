package io.hbaseindex.core.publish;

import io.hbaseindex.core.publish.RoutePredicate.AllOf;
import io.hbaseindex.core.publish.RoutePredicate.AnyOf;
import io.hbaseindex.core.publish.RoutePredicate.Element;
import java.util.List;

/**
 * The filters of a table as a master trusted them, held by somebody else: a route through it never
 * excludes a key that a write was made to which was acknowledged before the copy was asked for.
 * What was written later may be missed.
 *
 * <p>Filters are asked one after another, which is fast enough for some thousand regions; the
 * master's matrix is for more. Immutable.
 */
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
    this.bytes =
        this.regions.stream()
            .filter(region -> region.filter() != null)
            .mapToLong(region -> region.filter().planeBytes())
            .sum();
  }

  /** The regions, in key order. */
  public List<RegionCopy> regions() {
    return regions;
  }

  /** Bytes of the filters. */
  public long bytes() {
    return bytes;
  }

  /** Where rows that satisfy a predicate may be. */
  public RouteAnswer route(RoutePredicate predicate) {
    RouteCollector answer = new RouteCollector();
    for (RegionCopy region : regions) {
      if (region.filter() == null) {
        answer.open(region.range(), region.server(), region.open());
      } else if (excludes(region, predicate)) {
        answer.excluded(region.range(), region.server());
      } else if (covers(region, predicate)) {
        answer.positive(region.range(), region.server());
      } else {
        answer.open(region.range(), region.server(), OpenReason.NOT_COVERED);
      }
    }
    return answer.finish();
  }

  /** Whether the filter proves that no row of the region satisfies the predicate. */
  private static boolean excludes(RegionCopy region, RoutePredicate predicate) {
    if (predicate instanceof Element element) {
      return region.coverage().contains(element.index())
          && !region.filter().mightContain(element.hash());
    }
    return predicate instanceof AllOf all
        ? all.parts().stream().anyMatch(part -> excludes(region, part))
        : ((AnyOf) predicate).parts().stream().allMatch(part -> excludes(region, part));
  }

  /** Whether the filter covers all that is asked. */
  private static boolean covers(RegionCopy region, RoutePredicate predicate) {
    if (predicate instanceof Element element) {
      return region.coverage().contains(element.index());
    }
    List<RoutePredicate> parts =
        predicate instanceof AllOf all ? all.parts() : ((AnyOf) predicate).parts();
    return parts.stream().allMatch(part -> covers(region, part));
  }
}
