/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.client.IndexedConnection;
import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.routing.RoutePlan;
import io.hbaseindex.client.routing.RoutingCounter;
import io.hbaseindex.client.routing.RoutingCounters;
import io.hbaseindex.client.routing.RoutingSettings;
import io.hbaseindex.common.metrics.IndexRegistry;
import io.hbaseindex.common.metrics.MetricName;
import io.hbaseindex.core.push.Push;
import io.hbaseindex.core.push.RegionMessage;
import io.hbaseindex.core.push.RegionMessage.RenewTrust;
import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.core.route.RoutePredicate;
import io.hbaseindex.core.wire.PushCodec;
import io.hbaseindex.core.wire.RouteCodec;
import io.hbaseindex.it.cluster.ClusterSettings;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.TestTables;
import io.hbaseindex.it.cluster.Waits;
import io.hbaseindex.master.IndexMasterEndpoint;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.logging.log4j.Level;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * A master with four ordinary handlers that is overrun with pushes and routes goes on with its own
 * work; what it counts of that is what happened.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("cluster")
class SaturationIT {
  private static final int CALLERS = 12;
  private static final int HANDLERS = 4;

  /** As large as a question may be; each of its elements is looked up. */
  private static final int ELEMENTS = 9_000;

  private TestCluster cluster;
  private PublishedTable table;

  @BeforeAll
  void start() throws Exception {
    cluster =
        TestCluster.start(
            ClusterSettings.threeServers()
                .withRegionServers(2)
                .withMasterCoprocessor(IndexMasterEndpoint.class)
                .with("hbase.regionserver.handler.count", Integer.toString(HANDLERS)));
    table = PublishedTable.create(cluster, "h", "p");
    table.awaitPrecise();
  }

  @AfterAll
  void stop() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void overrunWithRoutesAndPushes_theMasterStillCreatesAndMoves_andRoutesAreRightAfterwards()
      throws Exception {
    byte[] route = largeRoute();
    byte[] push = largePush();
    long busyRoutes = IndexMetricsView.count("routesRefusedBusy");
    long busyPushes = IndexMetricsView.count("pushesRefusedBusy");
    long openMillis = openMillis();
    AtomicBoolean over = new AtomicBoolean();
    AtomicLong answered = new AtomicLong();
    ExecutorService callers = Executors.newFixedThreadPool(2 * CALLERS);
    List<Future<Void>> running = new ArrayList<>();
    MasterCalls calls = new MasterCalls(cluster.connection());
    try {
      for (int i = 0; i < CALLERS; i++) {
        running.add(callers.submit(repeat(over, answered, () -> calls.route(route))));
        running.add(callers.submit(repeat(over, answered, () -> calls.push(push))));
      }
      Waits.until("both kinds of calls are refused")
          .until(
              () ->
                  IndexMetricsView.count("routesRefusedBusy") > busyRoutes
                      && IndexMetricsView.count("pushesRefusedBusy") > busyPushes);

      TableName created = createTable();
      moveARegion();
      cluster.tables().drop(created);
    } finally {
      over.set(true);
      callers.shutdown();
      assertThat(callers.awaitTermination(Waits.HANG.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }
    for (Future<Void> caller : running) {
      caller.get();
    }

    System.out.printf(
        "SaturationIT: %d calls answered, %d routes and %d pushes refused as busy%n",
        answered.get(),
        IndexMetricsView.count("routesRefusedBusy") - busyRoutes,
        IndexMetricsView.count("pushesRefusedBusy") - busyPushes);
    assertThat(answered.get()).as("some calls were answered").isPositive();
    assertThat(openMillis()).as("time that regions were open").isGreaterThan(openMillis);
    table.awaitPrecise();
    RouteAnswer answer =
        Waits.until("a precise route")
            .until(
                () -> calls.route(table.name(), table.predicate("k7@example.org")),
                found -> found.open() == 0);
    assertThat(answer.excluded()).isEqualTo(2);
    assertThat(answer.mayHold(Bytes.toBytes("k7"))).isTrue();
  }

  /** All ordinary handlers of both region servers are held by writes; pushes need none of them. */
  @Test
  void everyHandlerHeldByWrites_pushesToHoldersGetThrough_andSoDoManyWrites() throws Exception {
    IndexAdmin admin = IndexAdmin.of(cluster.connection());
    admin.keepFilters(2, 2, Map.of());
    TableName held = heldTable();
    ExecutorService writers = Executors.newFixedThreadPool(2 * CALLERS);
    List<Future<?>> writes = new ArrayList<>();
    try {
      table.awaitPrecise();
      HeldWrites.hold();
      for (int i = 0; i < 2 * CALLERS; i++) {
        byte[] row = Bytes.toBytes((i % 2 == 0 ? "a" : "z") + i);
        writes.add(writers.submit(() -> put(held, row)));
      }
      Waits.until("all handlers of both servers are held")
          .until(() -> HeldWrites.held() == 2 * HANDLERS);
      long pushes = pushesToHolders();
      Waits.until("pushes get through").until(() -> pushesToHolders() >= pushes + 20);
      assertThat(HeldWrites.held()).isEqualTo(2 * HANDLERS);
      HeldWrites.release();
      for (int i = 0; i < 40 * CALLERS; i++) {
        String row = "s%04d".formatted(i);
        writes.add(writers.submit(() -> putNovel(row)));
      }
      for (Future<?> write : writes) {
        write.get(Waits.HANG.toSeconds(), TimeUnit.SECONDS);
      }
    } finally {
      HeldWrites.release();
      writers.shutdownNow();
      admin.keepFilters(0, 1, Map.of());
      cluster.tables().drop(held);
      table.awaitPrecise();
    }
  }

  private Void putNovel(String row) throws IOException {
    table.put(row);
    return null;
  }

  private Void put(TableName name, byte[] row) throws IOException {
    try (Table to = cluster.connection().getTable(name)) {
      to.put(new Put(row).addColumn(Bytes.toBytes("f"), Bytes.toBytes("q"), row));
    }
    return null;
  }

  private static long pushesToHolders() {
    return IndexRegistry.ofHolders().counter("pushes").getCount();
  }

  /** A table of two regions, one on each server. */
  private TableName heldTable() throws Exception {
    TableName name = TestTables.uniqueName("held");
    cluster
        .tables()
        .create(
            TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                .setCoprocessor(HeldWrites.class.getName())
                .build(),
            List.of("m"));
    List<RegionInfo> regions = cluster.regions().of(name);
    for (int i = 0; i < 2; i++) {
      cluster.regions().move(regions.get(i), cluster.servers().live().get(i));
    }
    return name;
  }

  @Test
  void clientOfABusyMaster_asksAgain_andScansNoOtherRegion() throws Exception {
    byte[] route = largeRoute();
    Configuration patient = new Configuration(cluster.configuration());
    patient.setLong(RoutingSettings.TIMEOUT_MS, Waits.HANG.toMillis());
    AtomicBoolean over = new AtomicBoolean();
    AtomicLong answered = new AtomicLong();
    ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
    MasterCalls calls = new MasterCalls(cluster.connection());
    try (IndexedConnection client =
        IndexedConnection.wrap(ConnectionFactory.createConnection(patient))) {
      table.awaitPrecise();
      for (int i = 0; i < CALLERS; i++) {
        callers.submit(repeat(over, answered, () -> calls.route(route)));
      }
      RoutingCounters counters = client.routing().counters();

      Waits.until("the client was told that the master is busy")
          .until(
              () -> {
                RoutePlan plan =
                    client
                        .routing()
                        .plan(table.name(), PublishedTable.where("email", "k7@example.org"))
                        .get();
                assertThat(plan.isRouted()).as("%s", plan).isTrue();
                return counters.get(RoutingCounter.ASKED_AGAIN) > 0;
              });

      assertThat(counters.get(RoutingCounter.FALLBACKS)).isZero();
    } finally {
      over.set(true);
      callers.shutdown();
      assertThat(callers.awaitTermination(Waits.HANG.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }
  }

  /** How long regions have been open so far, whatever the reason. */
  private static long openMillis() {
    long millis = 0;
    for (OpenReason reason : OpenReason.values()) {
      millis += IndexMetricsView.count(MetricName.of("publishOpenMs", reason));
    }
    return millis;
  }

  /** Repeats a call; being refused as one too many is all that may go wrong. */
  private static Callable<Void> repeat(
      AtomicBoolean over, AtomicLong answered, Callable<byte[]> call) {
    return () -> {
      while (!over.get()) {
        try {
          call.call();
          answered.incrementAndGet();
        } catch (CallQueueTooBigException e) {
          Thread.onSpinWait(); // as expected; once more
        }
      }
      return null;
    };
  }

  private byte[] largeRoute() throws IOException {
    List<RoutePredicate> elements =
        new ArrayList<>(Collections.nCopies(ELEMENTS, table.predicate("k7@example.org")));
    return RouteCodec.encode(
        new RouteCodec.RouteRequest(
            table.name().getNameAsString(), new RoutePredicate.AnyOf(elements)));
  }

  /** Thousands of messages about a region that nobody has announced; they change nothing. */
  private byte[] largePush() {
    List<RegionMessage> messages =
        Collections.nCopies(50_000, new RenewTrust(Integer.MAX_VALUE, 1, 0));
    return PushCodec.encode(
        new Push(cluster.servers().live().get(0).toString(), 1, null, 0, messages));
  }

  private TableName createTable() throws IOException {
    TableName name = TestTables.uniqueName("created");
    cluster
        .tables()
        .create(
            TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                .build(),
            List.of("h", "p"));
    return name;
  }

  private void moveARegion() throws IOException {
    RegionInfo region = cluster.regions().of(table.name()).get(0);
    cluster
        .regions()
        .move(
            region,
            cluster.servers().live().stream()
                .filter(server -> !server.equals(cluster.regions().serverOf(region)))
                .findFirst()
                .orElseThrow());
  }

  @Test
  void metrics_ofBothSides_sayWhatHappened() throws Exception {
    MasterCalls calls = new MasterCalls(cluster.connection());
    table.awaitPrecise();
    long precise = IndexMetricsView.count("routesPrecise");
    long excluded = IndexMetricsView.count("routesExcludedRegions");
    long open = IndexMetricsView.count("routesOpen");
    long absent = IndexMetricsView.count("routesOpenRangesAbsent");
    long routes = IndexMetricsView.histogram("routeTime").getCount();
    long waits = IndexMetricsView.histogram("publishWriteWait").getCount();

    // A filter may have lapsed for a moment; such routes are counted as open.
    Waits.until("a precise route")
        .until(() -> calls.route(table.name(), table.predicate("nobody@nowhere")).excluded() == 3);
    calls.route(TableName.valueOf("unheard_of"), table.predicate("nobody@nowhere"));
    AtomicLong rows = new AtomicLong();
    Waits.until("a write has waited for the master")
        .until(
            () -> {
              table.put("m_new" + rows.incrementAndGet());
              return IndexMetricsView.histogram("publishWriteWait").getCount() > waits;
            });

    assertThat(IndexMetricsView.count("routesPrecise")).isEqualTo(precise + 1);
    assertThat(IndexMetricsView.count("routesExcludedRegions"))
        .isGreaterThanOrEqualTo(excluded + 3);
    assertThat(IndexMetricsView.count("routesOpen")).isGreaterThanOrEqualTo(open + 1);
    assertThat(IndexMetricsView.count("routesOpenRangesAbsent")).isEqualTo(absent + 1);
    assertThat(IndexMetricsView.histogram("routeTime").getCount())
        .isGreaterThanOrEqualTo(routes + 2);

    for (String counter :
        List.of(
            "pushes",
            "pushMessages",
            "pushAnswersTrusted",
            "pushAnswersOpenNotReady",
            "publishPushes",
            "publishAnswersTrusted",
            "publishFilterRebuilds")) {
      assertThat(IndexMetricsView.count(counter)).as(counter).isPositive();
    }
    for (String histogram :
        List.of(
            "pushBytes",
            "pushTime",
            "publishPushMessages",
            "publishPushBytes",
            "publishPushTime")) {
      assertThat(IndexMetricsView.histogram(histogram).getCount()).as(histogram).isPositive();
    }
    assertThat(IndexMetricsView.gauge("filterBytes"))
        .isBetween(1L, IndexMetricsView.gauge("filterByteLimit"));
    Waits.until("regions are counted as precise")
        .until(
            () ->
                IndexMetricsView.gauge("regionsPrecise") == 3
                    && IndexMetricsView.gauge("regionsOpen") == 0);
    assertThat(IndexMetricsView.gauge("filterLagMs")).isNotNegative();
  }

  @Test
  void auditLog_hasALineForEachCall_andOneSettingSilencesIt() throws Exception {
    MasterCalls calls = new MasterCalls(cluster.connection());
    RoutePredicate predicate = table.predicate("k7@example.org");
    long pushes = IndexMetricsView.count("pushes");
    try (AuditLines lines = new AuditLines(Level.INFO)) {
      for (int i = 0; i < 100; i++) {
        calls.route(table.name(), predicate);
      }
      Waits.until("servers have pushed").until(() -> lines.of("push").size() >= 20);
      assertThat(lines.of("route")).hasSize(100);
      int bytes = lines.of("push").get(0).length();
      System.out.printf(
          "SaturationIT: one audit line per call, e.g. %d bytes: %s%n",
          bytes, lines.of("push").get(0));
      assertThat(IndexMetricsView.count("pushes") - pushes)
          .isGreaterThanOrEqualTo(lines.of("push").size() - 1L);
    }
    try (AuditLines lines = new AuditLines(Level.WARN)) {
      for (int i = 0; i < 100; i++) {
        calls.route(table.name(), predicate);
      }
      assertThat(lines.of("route")).isEmpty();
      assertThat(lines.of("push")).isEmpty();
    }
  }
}
