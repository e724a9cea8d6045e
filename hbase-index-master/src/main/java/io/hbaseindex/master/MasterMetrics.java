/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master;

import io.hbaseindex.common.metrics.IndexRegistry;
import io.hbaseindex.core.push.PushReply;
import io.hbaseindex.core.push.RegionReply;
import io.hbaseindex.core.push.RegionReply.Verdict;
import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.master.page.model.HistorySample;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.Histogram;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.metrics.Timer;

/** What the master counts of publishing and routing, in HBase's own metric registry. */
final class MasterMetrics {
  private final MetricRegistry registry;
  private final Counter pushes;
  private final Counter messages;
  private final Histogram pushBytes;
  private final Timer pushTime;
  private final Map<Verdict, Counter> answers;
  private final Map<OpenReason, Counter> openAnswers;
  private final Timer routeTime;
  private final Counter preciseRoutes;
  private final Counter openRoutes;
  private final Counter excludedRegions;
  private final Counter askedRegions;
  private final Map<OpenReason, Counter> openRanges;

  MasterMetrics(MetricRegistry registry) {
    this.registry = registry;
    pushes = registry.counter("pushes");
    messages = registry.counter("pushMessages");
    pushBytes = registry.histogram("pushBytes");
    pushTime = registry.timer("pushTime");
    answers = IndexRegistry.countersOf(registry, "pushAnswers", Verdict.class);
    openAnswers = IndexRegistry.countersOf(registry, "pushAnswersOpen", OpenReason.class);
    routeTime = registry.timer("routeTime");
    preciseRoutes = registry.counter("routesPrecise");
    openRoutes = registry.counter("routesOpen");
    excludedRegions = registry.counter("routesExcludedRegions");
    askedRegions = registry.counter("routesAskedRegions");
    openRanges = IndexRegistry.countersOf(registry, "routesOpenRanges", OpenReason.class);
  }

  /** Counts refusals of one kind of call. */
  Consumer<Refusal> refusals(String calls) {
    Map<Refusal, Counter> counters =
        IndexRegistry.countersOf(registry, calls + "Refused", Refusal.class);
    return reason -> counters.get(reason).increment();
  }

  void pushed(int bytes, PushReply reply, long nanos) {
    pushes.increment();
    messages.increment(reply.replies().size());
    pushBytes.update(bytes);
    pushTime.update(nanos, TimeUnit.NANOSECONDS);
    for (RegionReply answer : reply.replies()) {
      answers.get(answer.verdict()).increment();
      if (answer.reason() != null) {
        openAnswers.get(answer.reason()).increment();
      }
    }
  }

  void routed(RouteAnswer answer, long nanos) {
    routeTime.update(nanos, TimeUnit.NANOSECONDS);
    excludedRegions.increment(answer.excluded());
    askedRegions.increment(answer.positive() + answer.open());
    boolean precise = true;
    for (RouteAnswer.Candidate candidate : answer.candidates()) {
      if (candidate.open() != null) {
        openRanges.get(candidate.open()).increment();
        precise = false;
      }
    }
    (precise ? preciseRoutes : openRoutes).increment();
  }

  /**
   * What was counted so far, with the regions as they stand.
   *
   * @param nanos the moment, by a monotonic clock
   */
  HistorySample sample(long nanos, RegistryGauges.Census regions) {
    return new HistorySample(
        TimeUnit.NANOSECONDS.toMillis(nanos),
        pushes.getCount(),
        preciseRoutes.getCount() + openRoutes.getCount(),
        excludedRegions.getCount(),
        askedRegions.getCount(),
        regions.precise(),
        regions.open());
  }
}
