/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hbaseindex.core.push.LeaseTerms;
import io.hbaseindex.core.shard.HolderLayout;
import io.hbaseindex.core.time.MachineClock;
import io.hbaseindex.core.time.Moment;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real ZooKeeper, and a connection to it that can be made to fail. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class HolderWatchTest {
  private static final String NODE = "/master";
  private static final String LAYOUT = "/holders";
  private static final String SERVERS = "/rs";
  private static final int SESSION_MILLIS = 60_000;
  private static final LeaseTerms TERMS = LeaseTerms.ofLease(Duration.ofSeconds(1));
  private static final MachineClock CLOCK =
      MachineClock.of(System::nanoTime, System::currentTimeMillis);

  @TempDir Path directory;
  private NIOServerCnxnFactory server;
  private PausingProxy proxy;
  private ZooKeeper connection;
  private HolderWatch watch;

  @BeforeEach
  void start() throws Exception {
    server = new NIOServerCnxnFactory();
    server.configure(new InetSocketAddress("127.0.0.1", 0), 100);
    server.startup(new ZooKeeperServer(directory.toFile(), directory.toFile(), 500));
    proxy = new PausingProxy(server.getLocalPort());
    connection = new ZooKeeper("127.0.0.1:" + proxy.port(), SESSION_MILLIS, event -> {});
    await().until(() -> connection.getState().isConnected());
    watch =
        new HolderWatch(
            () -> connection,
            new HolderWatch.Nodes(NODE, LAYOUT, Optional.of(SERVERS)),
            CLOCK,
            TERMS);
    connection.create(SERVERS, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
  }

  @AfterEach
  void stop() throws Exception {
    watch.close();
    proxy.resume();
    connection.close();
    proxy.close();
    server.shutdown();
  }

  private void becomeActive(ZooKeeper as) throws Exception {
    as.create(NODE, new byte[] {1}, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
  }

  private boolean isCertain() {
    return watch.isCertain(Moment.of(CLOCK), 0);
  }

  private void startCertain() throws Exception {
    becomeActive(connection);
    watch.start(TERMS.heartbeatNanos());
    await().until(this::isCertain);
  }

  @Test
  void silence_endsTheCertainty_longBeforeTheSession_andItComesBackWithTheAnswers()
      throws Exception {
    startCertain();
    long session = connection.getSessionId();
    proxy.pause();
    await().until(() -> !isCertain());
    assertThat(connection.getState().isConnected())
        .as("as far as ZooKeeper's client knows")
        .isTrue();
    proxy.resume();
    await().until(this::isCertain);
    assertThat(connection.getSessionId()).isEqualTo(session);
  }

  @Test
  void lostConnection_endsTheCertainty_andItComesBackWithTheSession() throws Exception {
    startCertain();
    long session = connection.getSessionId();
    proxy.pause();
    proxy.cut();
    await().until(() -> !isCertain());
    proxy.resume();
    await().until(this::isCertain);
    assertThat(connection.getSessionId()).isEqualTo(session);
  }

  @Test
  void anotherMasterOwnsTheNode_certaintyEndsAndDoesNotComeBack() throws Exception {
    startCertain();
    try (ZooKeeper other = other()) {
      other.delete(NODE, -1);
      becomeActive(other);
      await().until(() -> !isCertain());
      await()
          .during(Duration.ofNanos(4 * TERMS.heartbeatNanos()))
          .atMost(Duration.ofMinutes(1))
          .until(() -> !isCertain());
    }
  }

  @Test
  void noNode_neverCertain() throws Exception {
    watch.start(TERMS.heartbeatNanos());
    await()
        .during(Duration.ofNanos(4 * TERMS.heartbeatNanos()))
        .atMost(Duration.ofMinutes(1))
        .until(() -> !isCertain());
    becomeActive(connection);
    await().until(this::isCertain);
  }

  @Test
  void layoutChanges_certaintyOfTheFormerEndsAtOnce_andThatOfTheNextBegins() throws Exception {
    startCertain();
    HolderLayout next = HolderLayout.MASTER.next(4, 2, Map.of());
    connection.create(
        LAYOUT, next.text().getBytes(UTF_8), ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    await().until(() -> watch.isCertain(Moment.of(CLOCK), 1));
    assertThat(isCertain()).isFalse();
    assertThat(watch.layout()).contains(next);
  }

  @Test
  void unreadableLayout_nobodyIsCertain() throws Exception {
    startCertain();
    connection.create(
        LAYOUT, "nonsense".getBytes(UTF_8), ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    await().until(() -> !isCertain());
  }

  @Test
  void serverGoes_isTold_andIsNotOnline() throws Exception {
    List<String> gone = new CopyOnWriteArrayList<>();
    watch.whenGone(gone::add);
    addServer("a,1,10");
    addServer("b,1,10");
    startCertain();
    await().until(() -> watch.isOnline("a,1,10") && watch.isOnline("b,1,10"));
    connection.delete(SERVERS + "/b,1,10", -1);
    await().until(() -> gone.contains("b,1,10"));
    assertThat(watch.isOnline("b,1,10")).isFalse();
    assertThat(watch.isOnline("a,1,10")).isTrue();
  }

  @Test
  void serverStartsAgain_formerOneIsDeadThoughItsNodeIsThere() throws Exception {
    addServer("a,1,10");
    addServer("a,1,11");
    addServer("a,10,9");
    startCertain();
    await().until(() -> watch.isOnline("a,1,11"));
    assertThat(watch.isOnline("a,1,10")).isFalse();
    assertThat(watch.isOnline("a,10,9")).isTrue();
  }

  @Test
  void anotherProcessHasTheAddress_certaintyEndsThoughTheNodeIsStillOurs() throws Exception {
    watch.close();
    String own = SERVERS + "/a,1,10";
    watch =
        new HolderWatch(
            () -> connection,
            new HolderWatch.Nodes(own, LAYOUT, Optional.of(SERVERS)),
            CLOCK,
            TERMS);
    connection.create(own, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
    watch.start(TERMS.heartbeatNanos());
    await().until(this::isCertain);
    addServer("a,1,11");
    await().until(() -> !isCertain());
    assertThat(connection.exists(own, false)).isNotNull();
  }

  private void addServer(String name) throws Exception {
    connection.create(
        SERVERS + "/" + name, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
  }

  private ZooKeeper other() throws IOException {
    ZooKeeper other =
        new ZooKeeper("127.0.0.1:" + server.getLocalPort(), SESSION_MILLIS, event -> {});
    await().until(() -> other.getState().isConnected());
    return other;
  }
}
