/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.publish;

import io.hbaseindex.common.holders.HoldersTable;
import io.hbaseindex.core.shard.HolderLayout;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.zookeeper.ZKWatcher;
import org.apache.zookeeper.ZooKeeper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows where filters are kept, as ZooKeeper last said. Nothing rests on how new that is: a region
 * that publishes to the wrong place is open at the right one.
 */
final class LayoutWatch implements Supplier<HolderLayout> {
  private static final Logger LOG = LoggerFactory.getLogger(LayoutWatch.class);
  private static final long FIRST_LOOK_MILLIS = 1_000;

  private final Supplier<ZooKeeper> zooKeeper;
  private final String node;
  private final CountDownLatch heard = new CountDownLatch(1);
  private volatile HolderLayout layout = HolderLayout.MASTER;

  private LayoutWatch(Supplier<ZooKeeper> zooKeeper, String node) {
    this.zooKeeper = zooKeeper;
    this.node = node;
  }

  /** Watches by a server's own connection. */
  static LayoutWatch through(ZKWatcher watcher) {
    return new LayoutWatch(
        () -> watcher.getRecoverableZooKeeper().getZooKeeper(),
        HoldersTable.node(watcher.getZNodePaths().baseZNode));
  }

  /** Filters are kept at the master for as long as the process lives. */
  static LayoutWatch ofMaster() {
    return new LayoutWatch(() -> null, "");
  }

  @Override
  public HolderLayout get() {
    return layout;
  }

  /** Asks; the answer is known some moments later. */
  void look() {
    ZooKeeper connection = zooKeeper.get();
    if (connection != null && connection.getState().isConnected()) {
      connection.getData(node, false, (code, path, context, data, stat) -> hear(code, data), null);
    }
  }

  /**
   * Asks for the first time, and waits for the answer, but not for long: what is not known yet only
   * costs that filters are built once for the master and once for their holders.
   */
  void lookFirst() {
    look();
    try {
      if (!node.isEmpty() && !heard.await(FIRST_LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
        LOG.warn("ZooKeeper has not said yet where filters are kept; the master gets them first");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void hear(int code, byte[] data) {
    try {
      HoldersTable.layout(code, data).ifPresent(this::set);
    } catch (IllegalArgumentException e) {
      LOG.warn("Filters stay where they are ({}): {}", layout.text(), e.getMessage());
    } finally {
      heard.countDown();
    }
  }

  private void set(HolderLayout newest) {
    if (!newest.equals(layout)) {
      LOG.info("Filters are kept by another layout from now on: {}", newest.text());
      layout = newest;
    }
  }
}
