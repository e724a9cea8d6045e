/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master;

import io.hbaseindex.core.registry.ActiveMasterLease;
import io.hbaseindex.core.time.MachineClock;
import io.hbaseindex.core.time.Moment;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks ZooKeeper again and again whether this process is the active master, and keeps an {@link
 * ActiveMasterLease} by the answers.
 *
 * <p>HBase itself ends a master when its session has expired, which it may learn late: after the
 * process was stopped, or when the connection has come back. Until then it would answer. So the
 * lease rests on answers, counted from the question, and not on the absence of bad news. Bad news
 * ends it at once: the connection is lost, or the node of the active master has changed.
 *
 * <p>The question goes through the leader of the ensemble ({@code sync}), as a follower that is cut
 * off may show an old state. The answer counts if the session of this very process owns the node.
 */
final class ActiveMasterWatch implements Watcher, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ActiveMasterWatch.class);

  private final Supplier<ZooKeeper> zooKeeper;
  private final String node;
  private final MachineClock clock;
  private final ActiveMasterLease lease;
  private final ScheduledExecutorService timer;

  /**
   * A watch that has not asked yet.
   *
   * @param zooKeeper the master's own connection, by whose session it is the active one
   * @param node the node that the active master owns
   */
  ActiveMasterWatch(
      Supplier<ZooKeeper> zooKeeper, String node, MachineClock clock, ActiveMasterLease lease) {
    this.zooKeeper = zooKeeper;
    this.node = node;
    this.clock = clock;
    this.lease = lease;
    this.timer =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "hbase-index-active-master");
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Asks from now on, so often. */
  void start(long everyNanos) {
    timer.scheduleWithFixedDelay(this::askOrLose, 0, everyNanos, TimeUnit.NANOSECONDS);
  }

  private void askOrLose() {
    try {
      ask();
    } catch (RuntimeException e) {
      // The timer must go on; nobody is trusted until ZooKeeper can be asked again.
      lease.lost();
      LOG.error("Cannot ask ZooKeeper who is the active master; trying again", e);
    }
  }

  private void ask() {
    ZooKeeper connection = zooKeeper.get();
    if (connection == null || !connection.getState().isConnected()) {
      lease.lost();
      return;
    }
    Moment asked = Moment.of(clock);
    connection.sync(node, (code, path, context) -> {}, null);
    connection.getData(
        node,
        this,
        (code, path, context, data, stat) -> {
          boolean ours =
              code == KeeperException.Code.OK.intValue()
                  && stat.getEphemeralOwner() == connection.getSessionId();
          if (ours) {
            lease.confirmed(asked);
          } else {
            lease.lost();
          }
        },
        null);
  }

  /** Is told by ZooKeeper, in order with the answers, what has become of connection and node. */
  @Override
  public void process(WatchedEvent event) {
    boolean reconnected =
        event.getType() == Event.EventType.None
            && event.getState() == Event.KeeperState.SyncConnected;
    if (!reconnected) {
      lease.lost();
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
    lease.lost();
  }
}
