/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.publish;

import io.hbaseindex.core.publish.RegionPublishStatus;
import io.hbaseindex.core.route.OpenReason;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Adds up how long the regions of one server are open, by reason. It looks at them from time to
 * time, and what it sees counts for the time since it looked before: short openings may be missed,
 * or counted for up to {@link #INTERVAL_NANOS}. Used by one thread.
 *
 * <p>Servers of one process share their metrics, so present states are shown as differences.
 */
final class OpenTimes {
  private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private final PublishMetrics metrics;
  private final Map<OpenReason, Long> open = new EnumMap<>(OpenReason.class);
  private long precise;
  private long unconfirmedBytes;
  private long filterBytes;
  private long lookedNanos;

  OpenTimes(PublishMetrics metrics, long now) {
    this.metrics = metrics;
    this.lookedNanos = now;
  }

  /** Whether it is time to look again. */
  boolean isDue(long now) {
    return now - lookedNanos >= INTERVAL_NANOS;
  }

  /**
   * Takes note of how all regions of the server stand.
   *
   * @param filterBytesNow memory that their filters take together
   */
  void look(long now, Collection<RegionPublishStatus> regions, long filterBytesNow) {
    long millis = TimeUnit.NANOSECONDS.toMillis(now - lookedNanos);
    // The rest of a millisecond counts with the next look.
    lookedNanos += TimeUnit.MILLISECONDS.toNanos(millis);
    Map<OpenReason, Long> openNow = new EnumMap<>(OpenReason.class);
    long preciseNow = 0;
    long bytesNow = 0;
    for (RegionPublishStatus region : regions) {
      bytesNow += region.unconfirmedBytes();
      if (region.openReason() == null) {
        preciseNow++;
      } else {
        openNow.merge(region.openReason(), 1L, Long::sum);
      }
    }
    openNow.forEach((reason, count) -> metrics.openFor(reason, count * millis));
    metrics.preciseRegions(preciseNow - precise);
    metrics.unconfirmedBytes(bytesNow - unconfirmedBytes);
    metrics.filterBytes(filterBytesNow - filterBytes);
    for (OpenReason reason : OpenReason.values()) {
      long more = openNow.getOrDefault(reason, 0L) - open.getOrDefault(reason, 0L);
      if (more != 0) {
        metrics.openRegions(reason, more);
      }
    }
    open.clear();
    open.putAll(openNow);
    precise = preciseNow;
    unconfirmedBytes = bytesNow;
    filterBytes = filterBytesNow;
  }

  /** The server publishes no more: none of its regions is in any state. */
  void end(long now) {
    look(now, List.of(), 0);
  }
}
