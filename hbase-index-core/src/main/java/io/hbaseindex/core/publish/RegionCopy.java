package io.hbaseindex.core.publish;

import io.hbaseindex.core.filter.FilterSnapshot;
import java.util.List;

/**
 * A region and its filter as the master trusted it at one moment.
 *
 * @param range the region's keys
 * @param server the server that announced it
 * @param open why its filter was not trusted; null if it was
 * @param version tells this filter from all others; null without one
 * @param coverage the indexes that the filter covers
 * @param filter the bits; null without them, and where the receiver has those of this version
 */
public record RegionCopy(
    RowRange range,
    String server,
    OpenReason open,
    Version version,
    List<IndexCoverage> coverage,
    FilterSnapshot filter) {
  /** One state of one region's filter. */
  public record Version(String region, long epoch, long generation, long page) {}

  public RegionCopy {
    coverage = List.copyOf(coverage);
  }

  /** A region about which nothing is proven. */
  static RegionCopy open(RegionEntry entry, OpenReason reason) {
    return new RegionCopy(
        entry.incarnation().range(), entry.key().server(), reason, null, List.of(), null);
  }

  /** The same region with bits that are known from before. */
  public RegionCopy with(FilterSnapshot known) {
    return new RegionCopy(range, server, open, version, coverage, known);
  }

  /** The same region without bits, so that nothing is proven about it. */
  public RegionCopy without(OpenReason reason) {
    return new RegionCopy(range, server, reason, null, List.of(), null);
  }
}
