package io.hbaseindex.core.publish;

import java.util.List;

/**
 * What the master knows of one region.
 *
 * @param region the announced incarnation
 * @param server the server that announced it
 * @param open why its filter is not trusted; null while it is
 * @param coverage the indexes that its filter covers
 * @param size how large its filter is
 * @param silentNanos how long ago anything was heard of it
 */
public record RegionView(
    RegionIncarnation region,
    String server,
    OpenReason open,
    List<IndexCoverage> coverage,
    FilterSize size,
    long silentNanos) {
  /** Whether the region's filter is trusted. */
  public boolean isPrecise() {
    return open == null;
  }
}
