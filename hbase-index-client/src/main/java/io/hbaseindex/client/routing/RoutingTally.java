/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing;

import io.hbaseindex.common.query.PlainScanReason;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.yetus.audience.InterfaceAudience;

/** Counts what becomes of the scans of a connection. Safe for use by many threads. */
@InterfaceAudience.Private
public final class RoutingTally implements RoutingCounters {
  private final Map<RoutingCounter, LongAdder> counters = new EnumMap<>(RoutingCounter.class);
  private final Map<UnroutedReason, LongAdder> unrouted = new EnumMap<>(UnroutedReason.class);
  private final Map<PlainScanReason, LongAdder> plain = new EnumMap<>(PlainScanReason.class);

  public RoutingTally() {
    // All are there from the start, so that the maps are never written again.
    for (RoutingCounter counter : RoutingCounter.values()) {
      counters.put(counter, new LongAdder());
    }
    for (UnroutedReason reason : UnroutedReason.values()) {
      unrouted.put(reason, new LongAdder());
    }
    for (PlainScanReason reason : PlainScanReason.values()) {
      plain.put(reason, new LongAdder());
    }
  }

  @Override
  public long get(RoutingCounter counter) {
    return counters.get(counter).sum();
  }

  @Override
  public long unrouted(UnroutedReason reason) {
    return unrouted.get(reason).sum();
  }

  @Override
  public Map<String, Long> toMap() {
    Map<String, Long> all = new TreeMap<>();
    counters.forEach((counter, sum) -> put(all, counter.metricName(), sum));
    unrouted.forEach((reason, sum) -> put(all, "unrouted." + reason.metricName(), sum));
    plain.forEach((reason, sum) -> put(all, "plain." + reason.metricName(), sum));
    return all;
  }

  private static void put(Map<String, Long> all, String name, LongAdder sum) {
    if (sum.sum() != 0) {
      all.put(name, sum.sum());
    }
  }

  /** Counts one. */
  public void add(RoutingCounter counter) {
    counters.get(counter).increment();
  }

  /** Counts a scan that began by a guess, and whether the route has confirmed it. */
  public void addGuess(RoutePlan guess, RoutePlan route) {
    add(RoutingCounter.GUESSES);
    if (route.isRouted() && guess.ranges().containsAll(route.ranges())) {
      add(RoutingCounter.GUESSES_CONFIRMED);
    }
  }

  /** Counts what became of one scan. */
  public void add(RoutePlan plan) {
    add(RoutingCounter.SCANS);
    plan.unrouted()
        .ifPresent(
            reason -> {
              unrouted.get(reason).increment();
              if (reason.isFallback()) {
                add(RoutingCounter.FALLBACKS);
              }
            });
    plan.plain().ifPresent(reason -> plain.get(reason).increment());
    if (plan.isRouted()) {
      add(RoutingCounter.ROUTED);
      add(plan.isPrecise() ? RoutingCounter.PRECISE : RoutingCounter.OPEN);
      if (plan.parts().isEmpty()) {
        add(RoutingCounter.PRUNED_TO_NOTHING);
      }
      counters.get(RoutingCounter.REGIONS_SKIPPED).add(plan.skippedRegions());
      counters.get(RoutingCounter.REGIONS_POSITIVE).add(plan.positiveRegions());
      counters.get(RoutingCounter.REGIONS_OPEN).add(plan.openRegions());
    }
  }

  @Override
  public String toString() {
    return toMap().toString();
  }
}
