/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.metrics;

/** How counters are spelled in the registries of HBase. */
final class MetricNames {

  private MetricNames() {}

  /** A counter of one reason, such as {@code scansPlain.indexNotReady}. */
  static String reason(IndexCounter total, String reason) {
    return total.metricName() + "." + reason;
  }

  /** A counter of one table, spelled as HBase spells its own metrics of tables. */
  static String ofTable(String namespace, String table, String name) {
    return "Namespace_" + namespace + "_table_" + table + "_metric_" + name;
  }
}
