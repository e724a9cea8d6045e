/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.common.metrics;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * How metrics are named: in lower camel case, without dots and dashes, as HBase names its own. A
 * metric of a reason is the name of the whole with the reason behind it, such as {@code
 * scansPlainNoIndex}. HBase capitalizes the names in JMX and makes {@code scans_plain_no_index} of
 * them for Prometheus.
 */
@InterfaceAudience.Private
public final class MetricName {
  private MetricName() {}

  /** The name of a part, such as a reason, of something that is counted. */
  public static String of(String whole, String part) {
    return whole + capitalized(part);
  }

  /** The name of a part that a constant stands for. */
  public static String of(String whole, Enum<?> part) {
    return whole
        + Arrays.stream(part.name().toLowerCase(Locale.ROOT).split("_"))
            .map(MetricName::capitalized)
            .collect(Collectors.joining());
  }

  /** The name of a metric of one table, as HBase spells its own metrics of tables. */
  public static String ofTable(String namespace, String table, String name) {
    return "Namespace_" + namespace + "_table_" + table + "_metric_" + name;
  }

  private static String capitalized(String word) {
    return Character.toUpperCase(word.charAt(0)) + word.substring(1);
  }
}
