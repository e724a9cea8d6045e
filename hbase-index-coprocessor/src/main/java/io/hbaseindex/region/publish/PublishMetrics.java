package io.hbaseindex.region.publish;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.Histogram;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.metrics.Timer;

/** What a region server counts of its publishing, in HBase's own metric registry. */
final class PublishMetrics {
  private static final String PREFIX = "hbaseindex.publish.";

  private final Counter pushes;
  private final Counter failures;
  private final Counter rebuilds;
  private final Histogram messages;
  private final Timer waits;

  PublishMetrics(MetricRegistry registry) {
    pushes = registry.counter(PREFIX + "pushes");
    failures = registry.counter(PREFIX + "failed-pushes");
    rebuilds = registry.counter(PREFIX + "filter-rebuilds");
    messages = registry.histogram(PREFIX + "messages-per-push");
    waits = registry.timer(PREFIX + "write-wait");
  }

  void pushed(int count) {
    pushes.increment();
    messages.update(count);
  }

  void pushFailed() {
    failures.increment();
  }

  void waited(long nanos) {
    waits.update(nanos, TimeUnit.NANOSECONDS);
  }

  void rebuilt() {
    rebuilds.increment();
  }
}
