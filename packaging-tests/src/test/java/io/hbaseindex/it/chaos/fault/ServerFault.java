/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.chaos.fault;

import java.util.List;
import java.util.Locale;

/** A kind of fault of a server or of the wires and clocks around it. */
enum ServerFault {
  KILL_REGION_SERVER,
  KILL_TWO_REGION_SERVERS,
  /** At once, while regions of a table hold the filters and these servers have some of them. */
  KILL_TWO_HOLDERS,
  KILL_ACTIVE_MASTER,
  KILL_ANY_MASTER,
  KILL_DATA_NODE,
  KILL_ZOOKEEPER,
  /** For less than a lease. */
  PAUSE_REGION_SERVER_SHORT,
  /** For longer than a lease, and less than a session. */
  PAUSE_REGION_SERVER_LEASE,
  /** For longer than a session: it is taken for dead, and comes back. */
  PAUSE_REGION_SERVER_SESSION,
  PAUSE_MASTER_SHORT,
  PAUSE_MASTER_LEASE,
  PAUSE_MASTER_SESSION,
  PAUSE_DATA_NODE,
  PAUSE_NAME_NODE,
  PAUSE_ZOOKEEPER_SHORT,
  PAUSE_ZOOKEEPER_SESSION,
  /** Between a region server and the active master, both ways. */
  LOSE_REGION_SERVER_MASTER,
  /** Between the active master and ZooKeeper: it is deposed and still reachable. */
  LOSE_MASTER_ZOOKEEPER,
  LOSE_REGION_SERVER_ZOOKEEPER,
  /** The active master and one region server lose ZooKeeper, and keep each other and the client. */
  LOSE_MASTER_AND_REGION_SERVER_ZOOKEEPER,
  LOSE_CLIENT_MASTER,
  LOSE_CLIENT_REGION_SERVER,
  LOSE_REGION_SERVER_DATA_NODE,
  /** Between any two. */
  LOSE_ANY,
  /** From one to another, but not back. */
  LOSE_ONE_WAY,
  /**
   * Region servers only: HBase's master orders its own procedures by the wall clock, and a clock
   * that goes back there brings finished ones back to life.
   */
  STEP_REGION_SERVER_CLOCK,
  ROLLING_RESTART_OTHER_BUILD;

  boolean needsNetwork() {
    return name().startsWith("LOSE");
  }

  boolean needsClocks() {
    return name().endsWith("CLOCK");
  }

  String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  static List<ServerFault> all() {
    return List.of(values());
  }
}
