package io.hbaseindex.it.index;

import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.Metric;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistry;

/**
 * The counters of one table as the metric registries of all servers show them, so that tests
 * measure what an operator would see.
 */
public final class ServerCounters {

  private final String prefix;

  public ServerCounters(TableName table) {
    prefix =
        "Namespace_%s_table_%s_metric_"
            .formatted(table.getNamespaceAsString(), table.getQualifierAsString());
  }

  /** What the counter stands at, over all servers. */
  public long value(String counter) {
    long sum = 0;
    for (MetricRegistry registry : MetricRegistries.global().getMetricRegistries()) {
      Metric metric = registry.getMetrics().get(prefix + counter);
      sum += metric instanceof Counter count ? count.getCount() : 0;
    }
    return sum;
  }

  public long scansJumped() {
    return value("scansJumped");
  }

  public long scansPlain() {
    return value("scansPlain");
  }

  /** All counters of the table that are not zero. */
  public Map<String, Long> all() {
    Map<String, Long> values = new TreeMap<>();
    for (MetricRegistry registry : MetricRegistries.global().getMetricRegistries()) {
      registry
          .getMetrics()
          .forEach(
              (name, metric) -> {
                if (name.startsWith(prefix)
                    && metric instanceof Counter count
                    && count.getCount() > 0) {
                  values.merge(name.substring(prefix.length()), count.getCount(), Long::sum);
                }
              });
    }
    return values;
  }
}
