/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing;

import java.util.Map;
import org.apache.yetus.audience.InterfaceAudience;

/** What JMX shows of a connection's scans. */
@InterfaceAudience.Public
public interface RoutingMXBean {
  /** All counters that are not zero, by name, as {@link RoutingCounters#toMap} has them. */
  Map<String, Long> getCounters();
}
