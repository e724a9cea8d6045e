/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master;

import io.hbaseindex.common.metrics.MetricName;
import io.hbaseindex.common.metrics.ShownGauges;
import io.hbaseindex.core.registry.FilterRegistry;
import io.hbaseindex.core.registry.RegionView;
import io.hbaseindex.core.route.OpenReason;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.apache.hadoop.hbase.metrics.MetricRegistry;

/**
 * Shows how a registry stands in HBase's metrics. Whoever reads them asks for all gauges one after
 * the other, so the regions are counted once for a second of questions.
 */
final class RegistryGauges implements AutoCloseable {
  private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** The regions, counted. */
  record Census(long takenNanos, Map<OpenReason, Long> open, long precise, long lagNanos) {
    long openRegions() {
      return open.values().stream().mapToLong(Long::longValue).sum();
    }
  }

  private final FilterRegistry registry;
  private final LongSupplier nanoTime;
  private final ShownGauges shown;
  private Census census;

  /**
   * @param nanoTime a monotonic clock
   */
  RegistryGauges(FilterRegistry registry, LongSupplier nanoTime, MetricRegistry metrics) {
    this.registry = registry;
    this.nanoTime = nanoTime;
    this.shown =
        new ShownGauges(metrics)
            .show("filterBytes", () -> registry.view().filterBytes())
            .show("filterByteLimit", () -> registry.view().filterByteLimit());
    show("regionsPrecise", Census::precise);
    show("regionsOpen", Census::openRegions);
    show("filterLagMs", counted -> TimeUnit.NANOSECONDS.toMillis(counted.lagNanos()));
    for (OpenReason reason : OpenReason.values()) {
      show(
          MetricName.of("regionsOpen", reason), counted -> counted.open().getOrDefault(reason, 0L));
    }
  }

  private void show(String name, ToLongFunction<Census> of) {
    shown.show(name, () -> of.applyAsLong(census()));
  }

  /** The regions, counted within the last second. */
  synchronized Census census() {
    long now = nanoTime.getAsLong();
    if (census == null || now - census.takenNanos() >= FRESH_NANOS) {
      census = take(now);
    }
    return census;
  }

  private Census take(long now) {
    List<RegionView> regions = new ArrayList<>();
    registry.tableNames().forEach(table -> regions.addAll(registry.regions(table)));
    Map<OpenReason, Long> open = new EnumMap<>(OpenReason.class);
    long precise = 0;
    long lag = 0;
    for (RegionView region : regions) {
      if (region.isPrecise()) {
        precise++;
        lag = Math.max(lag, region.lagNanos().orElse(0));
      } else {
        open.merge(region.open(), 1L, Long::sum);
      }
    }
    return new Census(now, open, precise, lag);
  }

  /** Shows nothing any more. */
  @Override
  public void close() {
    shown.close();
  }
}
