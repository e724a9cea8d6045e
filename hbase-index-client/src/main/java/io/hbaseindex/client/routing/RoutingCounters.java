/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing;

import java.util.Map;
import org.apache.yetus.audience.InterfaceAudience;

/** The counters of a connection's scans. Safe for use by many threads. */
@InterfaceAudience.Public
public interface RoutingCounters {
  /** How much of something there was. */
  long get(RoutingCounter counter);

  /** How many scans were not narrowed for this reason. */
  long unrouted(UnroutedReason reason);

  /** All that is not zero, by name: {@code routed}, {@code unrouted.masterSlow} and so on. */
  Map<String, Long> toMap();
}
