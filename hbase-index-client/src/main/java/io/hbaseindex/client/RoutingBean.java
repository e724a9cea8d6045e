/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client;

import io.hbaseindex.client.routing.RoutingCounters;
import io.hbaseindex.client.routing.RoutingMXBean;
import java.lang.management.ManagementFactory;
import java.util.UUID;
import javax.management.JMException;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows the counters of one connection in JMX, as {@code io.hbaseindex:type=Routing,id=…}, from the
 * time it is made until it is closed. A process without JMX does without.
 */
final class RoutingBean implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RoutingBean.class);

  private final ObjectName name;

  private RoutingBean(ObjectName name) {
    this.name = name;
  }

  static RoutingBean show(RoutingCounters counters, String kind) {
    try {
      ObjectName name =
          new ObjectName("io.hbaseindex:type=Routing,client=" + kind + ",id=" + UUID.randomUUID());
      RoutingMXBean bean = counters::toMap;
      ManagementFactory.getPlatformMBeanServer().registerMBean(bean, name);
      return new RoutingBean(name);
    } catch (JMException | SecurityException e) {
      LOG.warn("Cannot show the counters of a connection in JMX", e);
      return new RoutingBean(null);
    }
  }

  @Override
  public void close() {
    if (name != null) {
      try {
        ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
      } catch (JMException e) {
        LOG.warn("Cannot take the counters of a connection out of JMX", e);
      }
    }
  }
}
