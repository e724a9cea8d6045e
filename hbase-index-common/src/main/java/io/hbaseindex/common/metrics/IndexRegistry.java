/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.common.metrics;

import java.util.EnumMap;
import java.util.Map;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.Metric;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The metric registries of HBase in which the servers count: {@code RegionServer,sub=Index} and
 * {@code Master,sub=Index} in JMX, {@code index_…} and {@code index_master_…} in the Prometheus
 * form.
 *
 * <p>HBase offers each coprocessor a registry too, and drops it, with all its counts, when the last
 * region that has the coprocessor leaves the server. These stay as long as the process.
 */
@InterfaceAudience.Private
public final class IndexRegistry {
  private static final MetricRegistryInfo REGION_SERVER =
      exported("Index", "Metrics about secondary indexes", "RegionServer", "regionserver");

  private static final MetricRegistryInfo MASTER =
      exported("IndexMaster", "Metrics about the routing of queries", "Master", "master");

  private static final MetricRegistryInfo HOLDERS =
      new MetricRegistryInfo(
          "IndexHolder",
          "Metrics about filters held by regions",
          "RegionServer,sub=IndexHolder",
          "regionserver",
          false);

  private IndexRegistry() {}

  /** A registry that HBase shows; one that claims to have a source already is never shown. */
  private static MetricRegistryInfo exported(
      String name, String description, String server, String context) {
    return new MetricRegistryInfo(name, description, server + ",sub=Index", context, false);
  }

  /** The registry of all region servers of this process. */
  public static MetricRegistry ofRegionServer() {
    return of(REGION_SERVER);
  }

  /** The registry of the master of this process. */
  public static MetricRegistry ofMaster() {
    return of(MASTER);
  }

  /** The registry of all holders of filters of this process, but the master. */
  public static MetricRegistry ofHolders() {
    return of(HOLDERS);
  }

  private static MetricRegistry of(MetricRegistryInfo info) {
    MetricRegistries registries = MetricRegistries.global();
    return registries.get(info).orElseGet(() -> registries.create(info));
  }

  /** A counter for each constant, named by {@link MetricName#of(String, Enum)}. */
  public static <E extends Enum<E>> Map<E, Counter> countersOf(
      MetricRegistry registry, String name, Class<E> type) {
    Map<E, Counter> counters = new EnumMap<>(type);
    for (E constant : type.getEnumConstants()) {
      counters.put(constant, registry.counter(MetricName.of(name, constant)));
    }
    return counters;
  }

  /** A gauge for each constant, named by {@link MetricName#of(String, Enum)}. */
  public static <E extends Enum<E>> Map<E, SumGauge> sumsOf(
      MetricRegistry registry, String name, Class<E> type) {
    Map<E, SumGauge> sums = new EnumMap<>(type);
    for (E constant : type.getEnumConstants()) {
      sums.put(constant, sum(registry, MetricName.of(name, constant)));
    }
    return sums;
  }

  /** The gauge of that name, made if there is none. */
  public static SumGauge sum(MetricRegistry registry, String name) {
    Metric gauge = registry.register(name, (Metric) new SumGauge());
    return (SumGauge) gauge;
  }
}
