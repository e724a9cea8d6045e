/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master;

import io.hbaseindex.common.holders.HoldersTable;
import io.hbaseindex.core.push.ActiveMasterLease;
import io.hbaseindex.core.push.LeaseTerms;
import io.hbaseindex.core.shard.HolderLayout;
import io.hbaseindex.core.time.MachineClock;
import io.hbaseindex.core.time.Moment;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks ZooKeeper again and again whether this process may still hold filters, by which layout they
 * are kept, and which region servers are alive. Keeps an {@link ActiveMasterLease} by the answers.
 *
 * <p>HBase itself ends a process when its session has expired, which that may learn late: after it
 * was stopped, or when the connection has come back. Until then it would answer. So the lease rests
 * on answers, counted from the question, and not on the absence of bad news. Bad news ends it at
 * once: the connection is lost, or one of the nodes has changed.
 *
 * <p>The question goes through the leader of the ensemble ({@code sync}), as a follower that is cut
 * off may show an old state. The answer counts if the session of this very process owns its node:
 * that of the active master, or of the region server.
 */
final class HolderWatch implements Watcher, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HolderWatch.class);

  /**
   * The nodes that are asked for.
   *
   * @param own the node that this process owns while it may hold filters
   * @param layout the node that says where filters are kept
   * @param servers the parent of all region servers' nodes; empty if they are known otherwise
   */
  record Nodes(String own, String layout, Optional<String> servers) {}

  /** What ZooKeeper has said to one question. */
  private static final class Answer {
    private boolean ours;
    private boolean complete;
    private Set<String> online = Set.of();
  }

  private final Supplier<ZooKeeper> zooKeeper;
  private final Nodes nodes;
  private final MachineClock clock;
  private final ActiveMasterLease lease;
  private final ScheduledExecutorService timer;
  private final Set<Consumer<String>> mourners = ConcurrentHashMap.newKeySet();
  private final Set<Runnable> followers = ConcurrentHashMap.newKeySet();
  private volatile HolderLayout layout;
  private volatile Set<String> online = Set.of();

  /**
   * A watch that has not asked yet.
   *
   * @param zooKeeper the connection by whose session the process owns its node
   */
  HolderWatch(Supplier<ZooKeeper> zooKeeper, Nodes nodes, MachineClock clock, LeaseTerms terms) {
    this.zooKeeper = zooKeeper;
    this.nodes = nodes;
    this.clock = clock;
    this.lease = new ActiveMasterLease(terms);
    this.timer =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "hbase-index-holder-watch");
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Asks from now on, so often. */
  void start(long everyNanos) {
    timer.scheduleWithFixedDelay(this::askOrLose, 0, everyNanos, TimeUnit.NANOSECONDS);
  }

  /** The layout that was in force at the last answer; empty if there was none yet. */
  Optional<HolderLayout> layout() {
    return Optional.ofNullable(layout);
  }

  /** Whether a server was alive at the last answer. */
  boolean isOnline(String server) {
    return online.contains(server);
  }

  /** Whether it is certain that this process may hold filters by the layout of this version. */
  boolean isCertain(Moment now, long version) {
    HolderLayout last = layout;
    return last != null && last.version() == version && lease.test(now);
  }

  /** Tells of each server that is no longer alive. */
  void whenGone(Consumer<String> told) {
    mourners.add(told);
  }

  void forget(Consumer<String> told) {
    mourners.remove(told);
  }

  /** Tells whenever the layout has changed. */
  void whenChanged(Runnable told) {
    followers.add(told);
  }

  void forget(Runnable told) {
    followers.remove(told);
  }

  private void askOrLose() {
    try {
      ask();
    } catch (RuntimeException e) {
      // The timer must go on; nobody is trusted until ZooKeeper can be asked again.
      lease.lost();
      LOG.error("Cannot ask ZooKeeper who holds filters; trying again", e);
    }
  }

  private void ask() {
    ZooKeeper connection = zooKeeper.get();
    if (connection == null || !connection.getState().isConnected()) {
      lease.lost();
      return;
    }
    Moment asked = Moment.of(clock);
    Answer answer = new Answer();
    answer.complete = nodes.servers().isEmpty();
    // ZooKeeper answers in the order of the questions.
    connection.sync(nodes.own(), (code, path, context) -> {}, null);
    connection.getData(
        nodes.own(),
        this,
        (code, path, context, data, stat) ->
            answer.ours = isOk(code) && stat.getEphemeralOwner() == connection.getSessionId(),
        null);
    nodes
        .servers()
        .ifPresent(
            parent ->
                connection.getChildren(
                    parent,
                    false,
                    (code, path, context, children) -> {
                      answer.online = isOk(code) ? newestOf(children) : Set.of();
                      answer.complete = isOk(code);
                    },
                    null));
    connection.getData(
        nodes.layout(),
        this,
        (code, path, context, data, stat) -> hear(asked, answer, code, data),
        null);
  }

  private static boolean isOk(int code) {
    return code == KeeperException.Code.OK.intValue();
  }

  /** A server whose successor at the same address is alive is dead, whatever its session says. */
  private static Set<String> newestOf(List<String> servers) {
    Set<String> newest = new HashSet<>(servers);
    for (String server : servers) {
      int start = server.lastIndexOf(',');
      newest.removeIf(
          other ->
              other.length() > start
                  && other.lastIndexOf(',') == start
                  && other.startsWith(server.substring(0, start + 1))
                  && startCode(other) < startCode(server));
    }
    return newest;
  }

  private static long startCode(String server) {
    return Long.parseLong(server.substring(server.lastIndexOf(',') + 1));
  }

  private void hear(Moment asked, Answer answer, int code, byte[] data) {
    try {
      Optional<HolderLayout> now = HoldersTable.layout(code, data);
      if (!answer.ours || !answer.complete || isSucceeded(answer) || now.isEmpty()) {
        lease.lost();
        return;
      }
      Set<String> before = online;
      online = answer.online;
      boolean changed = !now.get().equals(layout);
      layout = now.get();
      if (changed) {
        followers.forEach(Runnable::run);
      }
      for (String server : before) {
        if (!answer.online.contains(server)) {
          mourners.forEach(told -> told.accept(server));
        }
      }
      lease.confirmed(asked);
    } catch (RuntimeException e) {
      // ZooKeeper's own thread must go on; nobody is trusted until the next answer.
      lease.lost();
      LOG.error("Nobody trusts filters held here", e);
    }
  }

  /** Another process has this server's address: the master may have given its regions away. */
  private boolean isSucceeded(Answer answer) {
    String parent = nodes.servers().orElse("") + "/";
    return nodes.servers().isPresent()
        && nodes.own().startsWith(parent)
        && !answer.online.contains(nodes.own().substring(parent.length()));
  }

  /** Is told by ZooKeeper, in order with the answers, what has become of connection and nodes. */
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
