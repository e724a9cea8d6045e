/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.filter.FilterGeometry;
import io.hbaseindex.core.publish.PublishedRegion;
import io.hbaseindex.core.publish.WriteTicket;
import io.hbaseindex.core.push.LeaseTerms;
import io.hbaseindex.core.push.Push;
import io.hbaseindex.core.push.PushReply;
import io.hbaseindex.core.push.RegionIncarnation;
import io.hbaseindex.core.push.RegionReply;
import io.hbaseindex.core.registry.FilterRegistry;
import io.hbaseindex.core.registry.RegistryLimits;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.RoutePredicate;
import io.hbaseindex.core.route.RowRange;
import io.hbaseindex.core.shard.ShardPlace;
import io.hbaseindex.core.time.MachineClock;
import io.hbaseindex.protocol.IndexMasterProtos.FiltersRequest;
import io.hbaseindex.protocol.IndexMasterProtos.FiltersResponse;
import io.hbaseindex.protocol.IndexMasterProtos.RouteRequest;
import io.hbaseindex.protocol.IndexMasterProtos.RouteResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
import org.apache.hadoop.hbase.metrics.impl.MetricRegistryImpl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The threads around the publisher, with the registry of a master at the other end. */
@Timeout(60)
class PublishingThreadTest {
  private static final MachineClock CLOCK =
      MachineClock.of(System::nanoTime, System::currentTimeMillis);
  private static final LeaseTerms TERMS = LeaseTerms.ofLease(Duration.ofMillis(400));
  private static final IndexCoverage INDEX = new IndexCoverage(1, 1, 7, 0);

  private final ConcurrentMap<String, Object> home = new ConcurrentHashMap<>();
  private final MetricRegistry metrics =
      new MetricRegistryImpl(new MetricRegistryInfo("Test", "", "Test", "test", false));
  private final FilterRegistry master =
      new FilterRegistry(
          1,
          MachineClock.of(System::nanoTime, System::currentTimeMillis),
          TERMS,
          RegistryLimits.ofBytes(1 << 20),
          server -> true,
          now -> true);
  private final Wire wire = new Wire();
  private final PublishingThread publishing = acquire("server", wire);

  /** Carries pushes to the registry, unless told otherwise. */
  private final class Wire implements PushTransport {
    private final AtomicInteger sent = new AtomicInteger();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile RuntimeException broken;
    private volatile Exception failure;
    private volatile Error error;
    private volatile long leaseNanos = TERMS.leaseNanos();

    @Override
    public CompletableFuture<PushReply> send(Push push) {
      sent.incrementAndGet();
      if (error != null) {
        throw error;
      }
      if (broken != null) {
        throw broken;
      }
      return failure == null
          ? CompletableFuture.supplyAsync(() -> withLease(master.apply(push)))
          : CompletableFuture.failedFuture(failure);
    }

    private PushReply withLease(PushReply reply) {
      return new PushReply(
          reply.number(),
          reply.token(),
          leaseNanos,
          reply.senior(),
          reply.inStep(),
          reply.credit(),
          reply.replies());
    }

    @Override
    public CompletableFuture<RouteResponse> route(RouteRequest request) {
      return CompletableFuture.failedFuture(new IOException("nobody asks for routes here"));
    }

    @Override
    public CompletableFuture<FiltersResponse> filters(FiltersRequest request) {
      return CompletableFuture.failedFuture(new IOException("nobody asks for filters here"));
    }

    @Override
    public void close() {
      closed.countDown();
    }
  }

  private PublishingThread acquire(String server, PushTransport transport) {
    return PublishingThread.acquire(
        home,
        server,
        CLOCK,
        TERMS,
        1 << 24,
        holder -> transport,
        LayoutWatch.ofMaster(),
        () -> new PublishMetrics(metrics));
  }

  @AfterEach
  void release() {
    while (!home.isEmpty()) {
      ((PublishingThread) home.values().iterator().next()).release();
    }
  }

  private PublishedRegion open() {
    RowRange all = new RowRange(new byte[0], new byte[0]);
    PublishedRegion region =
        publishing
            .open(
                ShardPlace.MASTER,
                new RegionIncarnation("t", "r", 1, 1, all),
                FilterGeometry.standard(),
                CLOCK.monotonicNanos())
            .region();
    region.startRebuild(0);
    region.completeRebuild(List.of(INDEX));
    publishing.wake();
    return region;
  }

  /** Waits for as long as it takes on a machine that is busy with other things. */
  private void awaitTrusted(PublishedRegion region) throws InterruptedException {
    while (!region.status().trusted()) {
      Thread.sleep(5);
    }
  }

  private boolean mayHold(long element) {
    return master.route("t", new RoutePredicate.Element(INDEX, element)).excluded() == 0;
  }

  private long counted(String name) {
    return ((Counter) metrics.get(name).orElseThrow()).getCount();
  }

  @Test
  void write_settled_isKnownToTheMaster() throws Exception {
    PublishedRegion region = open();
    awaitTrusted(region);
    for (long element = 1; element < 200; element++) {
      WriteTicket ticket = region.insert(element);
      publishing.sendNow(IntStream.of(ShardPlace.MASTER));
      assertThat(publishing.await(() -> region.isSettled(ticket))).isTrue();
      assertThat(mayHold(element)).isTrue();
    }
    assertThat(counted("publishPushes")).isPositive();
  }

  @Test
  void writers_manyAtOnce_areAllSettled() throws Exception {
    PublishedRegion region = open();
    awaitTrusted(region);
    ExecutorService writers = Executors.newFixedThreadPool(8);
    try {
      List<Future<Boolean>> settled = new ArrayList<>();
      for (int writer = 0; writer < 8; writer++) {
        long first = 1_000L * writer;
        settled.add(
            writers.submit(
                () -> {
                  boolean all = true;
                  for (long element = first; element < first + 100; element++) {
                    WriteTicket ticket = region.insert(element);
                    publishing.sendNow(IntStream.of(ShardPlace.MASTER));
                    all &= publishing.await(() -> region.isSettled(ticket)) && mayHold(element);
                  }
                  return all;
                }));
      }
      for (Future<Boolean> writer : settled) {
        assertThat(writer.get()).isTrue();
      }
    } finally {
      writers.shutdownNow();
    }
  }

  @Test
  void transportThatThrows_neverEndsTheThread() throws Exception {
    wire.broken = new IllegalStateException("for the test");
    PublishedRegion region = open();
    while (wire.sent.get() < 3) {
      Thread.sleep(5);
    }
    wire.broken = null;
    awaitTrusted(region);
    assertThat(counted("publishPushesFailed")).isGreaterThanOrEqualTo(3);
  }

  /** The thread that talks to the master speaks for all regions. */
  @Test
  void transport_failsWithAnError_isUsedAgain() throws Exception {
    wire.error = new OutOfMemoryError("it is a test");
    PublishedRegion region = open();
    int before = wire.sent.get();
    while (wire.sent.get() < before + 2) {
      Thread.sleep(5);
    }
    wire.error = null;
    awaitTrusted(region);
  }

  @Test
  void master_refusesPushes_writesGoOnAndItIsCounted() {
    wire.failure = new PushRefusedException("Cannot publish filters: it is a test", null);
    PublishedRegion region = open();
    WriteTicket ticket = region.insert(5);
    publishing.wake();
    assertThat(publishing.await(() -> region.isSettled(ticket))).isTrue();
    assertThat(counted("publishPushesFailedRefused")).isPositive();
    WriteTicket later = region.insert(6);
    assertThat(region.isSettled(later)).as("no write waits after the first lease").isTrue();
  }

  /** By the shorter of two leases a server would take a trust for ended that is not. */
  @Test
  void master_withAnotherLease_isNeverAskedForTrust() {
    wire.leaseNanos = 2 * TERMS.leaseNanos();
    PublishedRegion region = open();
    WriteTicket ticket = region.insert(5);
    publishing.wake();
    assertThat(publishing.await(() -> region.isSettled(ticket))).isTrue();
    assertThat(counted("publishPushesFailedRefused")).isPositive();
    assertThat(master.answered()).doesNotContainKey(RegionReply.Verdict.TRUSTED);
  }

  @Test
  void waiting_interrupted_goesOnAndKeepsTheInterrupt() {
    Thread.currentThread().interrupt();
    AtomicInteger asked = new AtomicInteger();
    assertThat(publishing.await(() -> asked.incrementAndGet() > 3)).isTrue();
    assertThat(Thread.interrupted()).isTrue();
  }

  /** The write is acknowledged all the same: whoever looks for missed rows has to know of it. */
  @Test
  void waiting_inVain_isGivenUpAndCounted() {
    assertThat(publishing.await(() -> true)).isTrue();
    assertThat(givenUp()).isZero();

    assertThat(publishing.await(() -> false)).isFalse();
    assertThat(givenUp()).isEqualTo(1);
  }

  private long givenUp() {
    return metrics.counter("publishWaitsGivenUp").getCount();
  }

  @Test
  void lastUser_leaving_closesTheConnection() throws Exception {
    assertThat(acquire("server", wire)).isSameAs(publishing);
    publishing.release();
    assertThat(wire.closed.getCount()).isEqualTo(1);
    publishing.release();
    assertThat(wire.closed.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(home).isEmpty();
  }

  /** The master may not have heard that the first region has gone. */
  @Test
  void regionsOfASecondPublishing_haveOtherNumbersThanThoseOfTheFirst() throws Exception {
    PublishedRegion first = open();
    awaitTrusted(first);
    publishing.release();
    PublishingThread second = acquire("server", wire);
    RowRange all = new RowRange(new byte[0], new byte[0]);
    second.open(
        ShardPlace.MASTER,
        new RegionIncarnation("u", "s", 1, 1, all),
        FilterGeometry.standard(),
        CLOCK.monotonicNanos());

    while (master.regions("u").isEmpty()) {
      Thread.sleep(5);
    }
    assertThat(master.regions("t")).hasSize(1);
  }

  @Test
  void serversOfOneProcess_doNotShareTheirPublishing() {
    assertThat(acquire("other", new Wire())).isNotSameAs(publishing);
  }
}
