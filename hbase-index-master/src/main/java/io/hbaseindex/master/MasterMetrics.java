package io.hbaseindex.master;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.Histogram;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.metrics.Timer;

/** What the master counts of publishing and routing, in HBase's own metric registry. */
final class MasterMetrics {
  private static final String PREFIX = "hbaseindex.master.";

  private final Counter pushes;
  private final Counter messages;
  private final Counter refusedPushes;
  private final Counter refusedRoutes;
  private final Counter excludedRegions;
  private final Histogram pushBytes;
  private final Timer routes;

  MasterMetrics(MetricRegistry registry) {
    pushes = registry.counter(PREFIX + "pushes");
    messages = registry.counter(PREFIX + "push-messages");
    refusedPushes = registry.counter(PREFIX + "refused-pushes");
    refusedRoutes = registry.counter(PREFIX + "refused-routes");
    excludedRegions = registry.counter(PREFIX + "routes-excluded-regions");
    pushBytes = registry.histogram(PREFIX + "push-bytes");
    routes = registry.timer(PREFIX + "route-time");
  }

  void pushed(int bytes, int count) {
    pushes.increment();
    messages.increment(count);
    pushBytes.update(bytes);
  }

  void refusedPush() {
    refusedPushes.increment();
  }

  void routed(long nanos, int excluded) {
    routes.update(nanos, TimeUnit.NANOSECONDS);
    excludedRegions.increment(excluded);
  }

  void refusedRoute() {
    refusedRoutes.increment();
  }
}
