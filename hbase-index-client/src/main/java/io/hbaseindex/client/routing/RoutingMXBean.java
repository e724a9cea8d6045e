package io.hbaseindex.client.routing;

import java.util.Map;

/** What JMX shows of a connection's scans. */
public interface RoutingMXBean {
  /** All counters that are not zero, by name, as {@link RoutingCounters#toMap} has them. */
  Map<String, Long> getCounters();
}
