/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.scale.cluster;

import io.hbaseindex.common.metrics.IndexRegistry;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.metrics.Counter;

/** For how long regions were open, by reason, as the region servers of this process count it. */
final class OpenRegionTimes {
  private static final String PREFIX = "publishOpenMs";

  private OpenRegionTimes() {}

  /** Milliseconds so far, by reason. */
  static Map<String, Long> now() {
    Map<String, Long> millis = new TreeMap<>();
    IndexRegistry.ofRegionServer()
        .getMetrics()
        .forEach(
            (name, metric) -> {
              if (name.startsWith(PREFIX) && metric instanceof Counter counter) {
                millis.put(name.substring(PREFIX.length()), counter.getCount());
              }
            });
    return millis;
  }

  /** In words, what has come since an earlier look. */
  static String since(Map<String, Long> before) {
    String open =
        now().entrySet().stream()
            .filter(now -> now.getValue() > before.getOrDefault(now.getKey(), 0L))
            .map(
                now ->
                    seconds(now.getKey(), now.getValue() - before.getOrDefault(now.getKey(), 0L)))
            .collect(Collectors.joining(", "));
    return open.isEmpty() ? "no region was open" : "regions were open in sum: " + open;
  }

  private static String seconds(String reason, long millis) {
    return String.format(Locale.ROOT, "`%s` %.1f s", reason, millis / 1e3);
  }
}
