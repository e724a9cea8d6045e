/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.metrics;

import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The metric registry of all indexes of a server: {@code RegionServer,sub=Index} in JMX.
 *
 * <p>HBase offers each coprocessor a registry too, and drops it, with all its counts, when the last
 * region that has the coprocessor leaves the server. This one stays as long as the process.
 */
@InterfaceAudience.Private
public final class IndexRegistry {

  private static final MetricRegistryInfo INFO =
      new MetricRegistryInfo(
          "Index",
          "Metrics about secondary indexes",
          "RegionServer,sub=Index",
          "regionserver",
          true);

  private IndexRegistry() {}

  /** The registry of this process. */
  public static MetricRegistry ofServer() {
    MetricRegistries registries = MetricRegistries.global();
    return registries.get(INFO).orElseGet(() -> registries.create(INFO));
  }
}
