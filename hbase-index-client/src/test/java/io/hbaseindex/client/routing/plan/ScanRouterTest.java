/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.client.routing.RoutePlan;
import io.hbaseindex.client.routing.RoutingCounter;
import io.hbaseindex.client.routing.RoutingSettings;
import io.hbaseindex.client.routing.UnroutedReason;
import io.hbaseindex.client.routing.source.BoundedWait;
import io.hbaseindex.client.routing.source.FakeRoutes;
import io.hbaseindex.client.routing.source.FiltersReply;
import io.hbaseindex.client.routing.source.GuardedRoutes;
import io.hbaseindex.client.routing.source.ReachableRoutes;
import io.hbaseindex.client.routing.source.RouteBreaker;
import io.hbaseindex.client.routing.source.RouteQuestion;
import io.hbaseindex.client.routing.source.RouteReply;
import io.hbaseindex.client.routing.source.RouteSource;
import io.hbaseindex.client.routing.source.RouteTime;
import io.hbaseindex.common.query.PlainScanReason;
import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.common.table.TableShape;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.IndexFamily;
import io.hbaseindex.core.definition.IndexSettings;
import io.hbaseindex.core.definition.TableIndexes;
import io.hbaseindex.core.filter.FilterSnapshot;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.core.route.RegionBounds;
import io.hbaseindex.core.route.RegionCopy;
import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.core.route.RoutePredicate;
import io.hbaseindex.core.route.RowRange;
import io.hbaseindex.core.time.MachineClock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.exceptions.UnknownProtocolException;
import org.apache.hadoop.hbase.filter.ColumnValueFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class ScanRouterTest {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] EMAIL = Bytes.toBytes("email");

  /** A master that says what a test wants it to. */
  private static final class FakeMaster extends FakeRoutes {
    TableDescriptor descriptor = table(1);
    TableDescriptor shown = descriptor;
    Throwable failure;
    boolean silent;
    CompletableFuture<Void> connected = CompletableFuture.completedFuture(null);
    boolean cellsMayHide;
    int routes;
    int descriptors;
    int copies;
    CompletableFuture<Void> copyArrives = CompletableFuture.completedFuture(null);
    boolean complete = true;
    boolean copyIsOpen;
    List<RouteAnswer.Candidate> candidates = List.of();
    CompletableFuture<Void> routeArrives = CompletableFuture.completedFuture(null);
    Runnable beforeAnswer = () -> {};

    void alter(TableDescriptor changed) {
      descriptor = changed;
      shown = changed;
    }

    @Override
    protected CompletableFuture<TableDescriptor> descriptor(TableName table) {
      descriptors++;
      return answer(shown);
    }

    @Override
    protected CompletableFuture<RouteReply> route(TableName table, RoutePredicate predicate) {
      routes++;
      beforeAnswer.run();
      CompletableFuture<RouteReply> reply =
          answer(
              new RouteReply(
                  new RouteAnswer(candidates, 6, candidates.size(), 0),
                  OptionalLong.of(TableShape.of(descriptor)),
                  cellsMayHide));
      return routeArrives.thenCompose(arrived -> reply);
    }

    @Override
    protected CompletableFuture<FiltersReply> filters(
        TableName table, Set<RegionCopy.Version> known, long maxBytes) {
      copies++;
      CompletableFuture<FiltersReply> copy = answer(copy());
      return copyArrives.thenCompose(arrived -> copy);
    }

    private RegionCopy region() {
      return copyIsOpen
          ? RegionCopy.open(RowRange.ALL, "server", OpenReason.LOST)
          : new RegionCopy(
              RowRange.ALL,
              "server",
              null,
              new RegionCopy.Version("s", 1, "r", 1, 1, 1),
              List.of(coverage()),
              RegionBounds.EVERYTHING,
              new FilterSnapshot(List.of()));
    }

    private FiltersReply copy() {
      return FiltersReply.of(
          List.of(region()), complete, OptionalLong.of(TableShape.of(descriptor)), cellsMayHide);
    }

    private IndexCoverage coverage() {
      TableIndexes indexes = IndexedTableDescriptor.indexesOf(descriptor);
      IndexDefinition index = indexes.byName("by_email").orElseThrow();
      return new IndexCoverage(
          index.id(), index.version(), indexes.seed(), TableShape.of(descriptor));
    }

    private <T> CompletableFuture<T> answer(T value) {
      if (silent) {
        return new CompletableFuture<>();
      }
      return failure == null
          ? connected.thenApply(there -> value)
          : CompletableFuture.failedFuture(failure);
    }
  }

  private final FakeMaster master = new FakeMaster();
  private long now;
  private long firstTimeoutMillis;
  private ScanRouter router = router(10_000);

  private ScanRouter router(long timeoutMillis) {
    return router(timeoutMillis, master);
  }

  private ScanRouter router(long timeoutMillis, RouteSource source) {
    Configuration conf = new Configuration(false);
    conf.setLong(RoutingSettings.TIMEOUT_MS, timeoutMillis);
    conf.setLong(RoutingSettings.FIRST_TIMEOUT_MS, firstTimeoutMillis);
    return router(conf, source);
  }

  private ScanRouter router(Configuration conf, RouteSource source) {
    return new ScanRouter(
        RoutingSettings.of(conf),
        source,
        MachineClock.of(() -> now, () -> TimeUnit.NANOSECONDS.toMillis(now)));
  }

  private static TableDescriptor table(int versions) {
    return IndexedTableDescriptor.with(
        TableDescriptorBuilder.newBuilder(TABLE)
            .setColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(F).setMaxVersions(versions).build())
            .build(),
        IndexDefinition.on("f", "email").named("by_email").eager());
  }

  private static Scan byEmail() {
    SingleColumnValueFilter filter =
        new SingleColumnValueFilter(F, EMAIL, CompareOperator.EQUAL, Bytes.toBytes("x"));
    filter.setFilterIfMissing(true);
    return new Scan().setFilter(filter);
  }

  private RoutePlan plan(Scan scan) {
    return router.plan(TABLE, scan).join();
  }

  @Test
  void eligibleScan_isRouted() {
    RoutePlan plan = plan(byEmail());

    assertThat(plan.isRouted()).isTrue();
    assertThat(plan.skippedRegions()).isEqualTo(6);
    assertThat(router.counters().toMap())
        .containsEntry("scans", 1L)
        .containsEntry("routed", 1L)
        .containsEntry("precise", 1L)
        .containsEntry("masterAsked", 1L)
        .containsEntry("regionsSkipped", 6L)
        .containsEntry("prunedToNothing", 1L);
  }

  private static final RouteAnswer.Candidate LOW = candidate("", "m");
  private static final RouteAnswer.Candidate HIGH = candidate("m", "");

  private static RouteAnswer.Candidate candidate(String start, String end) {
    return new RouteAnswer.Candidate(
        new RowRange(Bytes.toBytes(start), Bytes.toBytes(end)), "server", null);
  }

  private final List<List<RowRange>> guesses = new ArrayList<>();

  private boolean guessed(RoutePlan guess) {
    guesses.add(guess.ranges());
    return true;
  }

  /** Asks while the master takes its time; returns what it says in the end. */
  private RoutePlan planWhileTheMasterThinks(Scan scan) {
    master.routeArrives = new CompletableFuture<>();
    CompletableFuture<RoutePlan> plan = router.plan(TABLE, scan, this::guessed);
    assertThat(plan).isNotDone();
    master.routeArrives.complete(null);
    return plan.join();
  }

  @Test
  void r5_sameQuestionAgain_isGuessedByItsLastRoute_andTheNewOneDecides() {
    master.candidates = List.of(LOW);
    plan(byEmail());

    assertThat(planWhileTheMasterThinks(byEmail()).ranges()).containsExactly(LOW.range());
    assertThat(guesses).containsExactly(List.of(LOW.range()));
    assertThat(router.counters().toMap())
        .containsEntry("guesses", 1L)
        .containsEntry("guessesConfirmed", 1L);

    master.candidates = List.of(LOW, HIGH);
    assertThat(planWhileTheMasterThinks(byEmail()).ranges())
        .as("a region that nobody guessed")
        .containsExactly(LOW.range(), HIGH.range());
    master.candidates = List.of(HIGH);
    assertThat(planWhileTheMasterThinks(byEmail()).ranges())
        .as("a region that was guessed in vain")
        .containsExactly(HIGH.range());

    assertThat(guesses).last().isEqualTo(List.of(LOW.range(), HIGH.range()));
    assertThat(router.counters().toMap())
        .containsEntry("guesses", 3L)
        .containsEntry("guessesConfirmed", 2L)
        .containsEntry("masterAsked", 4L);
  }

  @Test
  void questionThatNobodyAskedBefore_isNotGuessed() {
    master.candidates = List.of(LOW);

    planWhileTheMasterThinks(byEmail());

    assertThat(guesses).isEmpty();
  }

  @Test
  void answerThatIsThereAtOnce_needsNoGuess() {
    master.candidates = List.of(LOW);
    plan(byEmail());

    router.plan(TABLE, byEmail(), this::guessed).join();

    assertThat(guesses).isEmpty();
  }

  @Test
  void r5_masterThatFails_theGuessIsNoRoute() {
    master.candidates = List.of(LOW);
    plan(byEmail());

    master.failure = new IOException("down");
    RoutePlan plan = planWhileTheMasterThinks(byEmail());

    assertThat(guesses).hasSize(1);
    assertThat(plan.isRouted()).isFalse();
    assertThat(plan.ranges()).containsExactly(RowRange.ALL);
  }

  @Test
  void copyOfTheFilters_isGuessedBy_howeverOld() {
    master.copyIsOpen = true;
    plan(stale(1_000));
    now += TimeUnit.HOURS.toNanos(1);
    master.candidates = List.of(LOW);

    assertThat(planWhileTheMasterThinks(byEmail()).ranges()).containsExactly(LOW.range());

    assertThat(guesses).containsExactly(List.of(RowRange.ALL));
    assertThat(master.copies).as("no copy is fetched for a guess").isEqualTo(1);
  }

  @Test
  void copyForGuesses_isFetchedInTheBackground_ifTheConnectionWantsOne() {
    Configuration conf = new Configuration(false);
    conf.setLong(RoutingSettings.GUESS_MS, 60_000);
    router = router(conf, master);
    master.copyIsOpen = true;
    master.copyArrives = new CompletableFuture<>();

    planWhileTheMasterThinks(byEmail());
    assertThat(guesses).as("nobody waits for the copy").isEmpty();
    master.copyArrives.complete(null);
    planWhileTheMasterThinks(byEmail());

    assertThat(guesses).containsExactly(List.of(RowRange.ALL));
    assertThat(master.copies).isEqualTo(1);
  }

  @Test
  void descriptor_isReadOnceForAWhile() {
    plan(byEmail());
    plan(byEmail());
    assertThat(master.descriptors).isEqualTo(1);

    now += TimeUnit.MINUTES.toNanos(1);
    plan(byEmail());
    assertThat(master.descriptors).isEqualTo(2);
  }

  @Test
  void scanWithoutAFilter_asksNobody() {
    RoutePlan plan = plan(new Scan());

    assertThat(plan.unrouted()).contains(UnroutedReason.SCAN_NOT_ELIGIBLE);
    assertThat(plan.plain()).contains(PlainScanReason.NO_CONDITION);
    assertThat(master.routes + master.descriptors).isZero();
  }

  @Test
  void scanThatSwitchesTheIndexOff_asksNobody() {
    Scan scan = byEmail();
    scan.setAttribute(IndexSettings.SCAN_USE_INDEX, Bytes.toBytes("false"));

    assertThat(plan(scan).plain()).contains(PlainScanReason.SWITCHED_OFF_FOR_SCAN);
    assertThat(master.routes + master.descriptors).isZero();
  }

  @Test
  void scanOfANamedReplica_isNotRouted() {
    assertThat(plan(byEmail().setReplicaId(1)).unrouted()).contains(UnroutedReason.REPLICA_NAMED);
  }

  @Test
  void scanOfAFamilyThatIsNotThere_isLeftToHBase() {
    assertThat(plan(byEmail().addFamily(Bytes.toBytes("g"))).unrouted())
        .contains(UnroutedReason.UNKNOWN_FAMILY);
  }

  @Test
  void scanThatServersRefuse_isLeftToThem() {
    Scan batched = new Scan().setBatch(2).setFilter(byEmail().getFilter());

    assertThat(plan(batched).unrouted()).contains(UnroutedReason.REFUSED_BY_SERVERS);
    assertThat(plan(byEmail().addFamily(F).addFamily(IndexFamily.bytes())).unrouted())
        .contains(UnroutedReason.REFUSED_BY_SERVERS);
  }

  @Test
  void batches_ofCellsThatTheFilterSeesOneByOne_areRouted() {
    Filter cell = new ColumnValueFilter(F, EMAIL, CompareOperator.EQUAL, Bytes.toBytes("x"));

    assertThat(plan(new Scan().setFilter(cell).setBatch(2)).isRouted()).isTrue();
  }

  @Test
  void systemTable_isNotRouted() {
    assertThat(router.plan(TableName.META_TABLE_NAME, byEmail()).join().unrouted())
        .contains(UnroutedReason.SYSTEM_TABLE);
  }

  @Test
  void descriptorChanged_sinceItWasRead_isReadAgainBeforeARouteIsUsed() {
    Filter cell = new ColumnValueFilter(F, EMAIL, CompareOperator.EQUAL, Bytes.toBytes("x"));
    Scan scan = new Scan().setFilter(cell);
    assertThat(plan(scan).isRouted()).isTrue();

    master.alter(table(3));

    RoutePlan plan = plan(scan);
    assertThat(plan.isRouted()).isFalse();
    assertThat(plan.plain()).contains(PlainScanReason.OLDER_VERSIONS);
  }

  @Test
  void descriptorThatNeverAgrees_meansEverywhere() {
    master.shown = table(3);

    assertThat(plan(byEmail()).unrouted()).contains(UnroutedReason.TABLE_CHANGING);
    assertThat(master.routes).isLessThan(5);
  }

  @Test
  void cellsThatMayHide_familyWithOlderVersions_isNotRouted() {
    master.alter(table(3));
    assertThat(plan(byEmail()).isRouted()).isTrue();

    master.cellsMayHide = true;

    assertThat(plan(byEmail()).plain()).contains(PlainScanReason.OLDER_VERSIONS);
    master.alter(table(1));
    now += TimeUnit.MINUTES.toNanos(1);
    assertThat(plan(byEmail()).isRouted()).isTrue();
  }

  @Test
  void cellsThatMayHide_learnedByAnotherScanMeanwhile_areHeeded() {
    master.alter(table(3));
    master.cellsMayHide = true;
    // Between this scan's question and its answer another one learns that cells may hide.
    master.beforeAnswer =
        () -> {
          master.beforeAnswer = () -> {};
          plan(byEmail());
        };

    assertThat(plan(byEmail()).isRouted()).isFalse();
  }

  @Test
  void callThatCannotBeBegun_meansEverywhere() {
    plan(byEmail());
    master.beforeAnswer =
        () -> {
          throw new IllegalStateException("closed");
        };

    assertThat(plan(byEmail()).unrouted()).contains(UnroutedReason.MASTER_UNREACHABLE);
  }

  @Test
  void masterThatFails_meansEverywhere_countedByReason() {
    plan(byEmail());
    assertThat(reasonOf(new IOException("gone"))).isEqualTo(UnroutedReason.MASTER_UNREACHABLE);
    assertThat(reasonOf(new TableNotFoundException("t"))).isEqualTo(UnroutedReason.UNKNOWN_TABLE);
    assertThat(reasonOf(new AccessDeniedException("no"))).isEqualTo(UnroutedReason.ACCESS_DENIED);
    assertThat(reasonOf(new UnknownProtocolException("none")))
        .isEqualTo(UnroutedReason.NO_ENDPOINT);
    assertThat(reasonOf(new DoNotRetryIOException("large")))
        .isEqualTo(UnroutedReason.MASTER_REFUSED);

    assertThat(router.counters().get(RoutingCounter.FALLBACKS)).isEqualTo(4);
    assertThat(router.counters().unrouted(UnroutedReason.ACCESS_DENIED)).isEqualTo(1);
  }

  private UnroutedReason reasonOf(Throwable failure) {
    master.failure = failure;
    RoutePlan plan = plan(byEmail());
    assertThat(plan.ranges()).hasSize(1);
    return plan.unrouted().orElseThrow();
  }

  @Test
  void firstRoute_mayTakeLonger_laterOnesMayNot() {
    firstTimeoutMillis = 600_000;
    router = router(1);
    CompletableFuture<Void> connected = new CompletableFuture<>();
    master.connected = connected;
    CompletableFuture<RoutePlan> first = router.plan(TABLE, byEmail());
    // The time of a route has long passed when the connection is there.
    BoundedWait.of(new CompletableFuture<>(), 50).exceptionally(error -> null).join();
    assertThat(first).isNotDone();
    connected.complete(null);
    assertThat(first.join().isRouted()).isTrue();

    master.connected = new CompletableFuture<>();
    assertThat(plan(byEmail()).unrouted()).contains(UnroutedReason.MASTER_SLOW);
  }

  @Test
  void masterThatIsSilent_meansEverywhere_andIsLeftAloneAfterAWhile() {
    router = router(20);
    plan(byEmail());
    master.silent = true;
    for (int i = 0; i < 3; i++) {
      assertThat(plan(byEmail()).unrouted()).contains(UnroutedReason.MASTER_SLOW);
    }
    int asked = master.routes;

    assertThat(plan(byEmail()).unrouted()).contains(UnroutedReason.MASTER_LEFT_ALONE);
    assertThat(master.routes).isEqualTo(asked);

    master.silent = false;
    now += TimeUnit.SECONDS.toNanos(2);
    assertThat(plan(byEmail()).isRouted()).isTrue();
    assertThat(plan(byEmail()).isRouted()).isTrue();
  }

  @Test
  void regionsThatDoNotKnowTheService_meanNoIndex_andDoNotTripTheBreaker() {
    FakeMaster regions = new FakeMaster();
    regions.failure = new UnknownProtocolException("no IndexRegionService");
    master.failure = new AccessDeniedException("only administrators");
    router = router(10_000, new ReachableRoutes(master, regions));

    for (int i = 0; i < 10; i++) {
      Scan scan = byEmail().addFamily(F);
      assertThat(plan(scan).unrouted()).contains(UnroutedReason.NO_VALUE_FIXED);
    }
    assertThat(regions.descriptors).as("kept like any descriptor").isEqualTo(1);
    assertThat(router.counters().get(RoutingCounter.FALLBACKS)).isZero();

    regions.failure = null;
    now += TimeUnit.MINUTES.toNanos(1);
    assertThat(plan(byEmail()).isRouted()).isTrue();
  }

  @Test
  void regionsThatDoNotKnowTheServiceAnyMore_haveTheDescriptorReadAgain() {
    FakeMaster regions = new FakeMaster();
    master.failure = new AccessDeniedException("only administrators");
    router = router(10_000, new ReachableRoutes(master, regions));
    assertThat(plan(byEmail()).isRouted()).isTrue();

    regions.failure = new UnknownProtocolException("no IndexRegionService");

    assertThat(plan(byEmail()).unrouted()).contains(UnroutedReason.NO_VALUE_FIXED);
    assertThat(plan(stale(1000)).unrouted()).contains(UnroutedReason.NO_VALUE_FIXED);
  }

  @Test
  void masterWithoutTheEndpoint_isLeftAloneAfterAWhile() {
    plan(byEmail());
    for (int i = 0; i < 3; i++) {
      assertThat(reasonOf(new UnknownProtocolException("none")))
          .isEqualTo(UnroutedReason.NO_ENDPOINT);
    }

    assertThat(plan(byEmail()).unrouted()).contains(UnroutedReason.MASTER_LEFT_ALONE);
  }

  private static Scan stale(long millis) {
    Scan scan = byEmail();
    scan.setAttribute(RoutingSettings.STALENESS_MS, Bytes.toBytes(Long.toString(millis)));
    return scan;
  }

  @Test
  void boundedStaleness_asksTheMasterOncePerBound() {
    for (int i = 0; i < 10; i++) {
      RoutePlan plan = plan(stale(1000));
      assertThat(plan.isRouted()).isTrue();
      assertThat(plan.skippedRegions()).isEqualTo(1);
    }
    assertThat(master.routes).isZero();
    assertThat(master.copies).isEqualTo(1);

    now += TimeUnit.MILLISECONDS.toNanos(1001);
    plan(stale(1000));
    assertThat(master.copies).isEqualTo(2);
    assertThat(router.counters().get(RoutingCounter.FROM_COPY)).isEqualTo(11);
  }

  @Test
  void boundedStaleness_halfUsedUp_isRefreshedBesideTheScan() {
    plan(stale(1000));
    now += TimeUnit.MILLISECONDS.toNanos(600);

    assertThat(plan(stale(1000)).ageMillis()).isEqualTo(600);
    assertThat(plan(stale(1000)).ageMillis()).isZero();
    assertThat(master.copies).isEqualTo(2);
  }

  @Test
  void boundedStaleness_masterFallsSilent_servesUpToTheBoundAndNoLonger() {
    router = router(20);
    plan(stale(1000));
    master.silent = true;
    now += TimeUnit.MILLISECONDS.toNanos(1000) - 1;
    assertThat(plan(stale(1000)).isRouted()).isTrue();

    now += 1;
    assertThat(plan(stale(1000)).unrouted()).contains(UnroutedReason.MASTER_SLOW);
  }

  @Test
  void boundedStaleness_copyThatIsSlowToCome_masterIsAskedMeanwhile_andItIsKept() {
    router = router(200);
    master.copyArrives = new CompletableFuture<>();

    for (int i = 1; i <= 5; i++) {
      assertThat(plan(stale(1000)).isRouted()).as("scan %d", i).isTrue();
      assertThat(master.routes).isEqualTo(i);
    }
    assertThat(master.copies).isEqualTo(1);

    master.copyArrives.complete(null);
    assertThat(plan(stale(1000)).isRouted()).isTrue();
    assertThat(router.counters().get(RoutingCounter.FROM_COPY)).isEqualTo(1);
    assertThat(master.copies).isEqualTo(1);
    assertThat(master.routes).isEqualTo(5);
  }

  @Test
  void copiesThatFail_doNotTripTheBreaker() {
    GuardedRoutes routes =
        new GuardedRoutes(
            master,
            () -> new RouteBreaker(() -> now),
            new RouteTime(RoutingSettings.of(new Configuration(false)), () -> now));
    master.copyArrives = CompletableFuture.failedFuture(new TimeoutException("large"));
    for (int i = 0; i < 5; i++) {
      assertThat(routes.ask(new RouteQuestion.Filters(TABLE, Set.of(), 1)))
          .isCompletedExceptionally();
    }

    assertThat(routes.ask(new RouteQuestion.Descriptor(TABLE)).join()).isSameAs(master.descriptor);
  }

  @Test
  void boundedStaleness_masterThatIsLeftAlone_isNotAskedForCopiesEither() {
    plan(byEmail());
    master.failure = new IOException("gone");
    for (int i = 0; i < 3; i++) {
      plan(byEmail());
    }

    assertThat(plan(stale(1000)).unrouted()).contains(UnroutedReason.MASTER_LEFT_ALONE);
    assertThat(master.copies).isZero();
  }

  @Test
  void boundedStaleness_tooLarge_isRoutedByTheMaster() {
    master.complete = false;

    assertThat(plan(stale(1000)).isRouted()).isTrue();
    assertThat(plan(stale(1000)).isRouted()).isTrue();
    assertThat(master.copies).isEqualTo(1);
    assertThat(master.routes).isEqualTo(2);
  }

  @Test
  void boundedStaleness_descriptorChanged_isRoutedByTheMaster() {
    plan(stale(1000));
    master.alter(table(3));
    now += TimeUnit.MILLISECONDS.toNanos(1001);

    assertThat(plan(stale(1000)).isRouted()).isTrue();
    assertThat(master.routes).isPositive();
  }

  @Test
  void boundedStaleness_withoutBound_isServedByACopyOnceThereIsOne() {
    assertThat(plan(stale(Long.MAX_VALUE)).isRouted()).isTrue();
    assertThat(plan(stale(Long.MAX_VALUE)).isRouted()).isTrue();
    assertThat(router.counters().get(RoutingCounter.FROM_COPY)).isEqualTo(2);
  }

  @Test
  void staleness_thatIsNoNumber_isRefused() {
    Scan scan = byEmail();
    scan.setAttribute(RoutingSettings.STALENESS_MS, Bytes.toBytes("a while"));

    assertThatThrownBy(() -> plan(scan))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("was a while; give milliseconds");
  }

  @Test
  void answersFromAFailingMaster_doNotTripTheBreaker() {
    plan(byEmail());
    for (int i = 0; i < 10; i++) {
      assertThat(reasonOf(new AccessDeniedException("no"))).isEqualTo(UnroutedReason.ACCESS_DENIED);
    }
    master.failure = null;

    assertThat(plan(byEmail()).isRouted()).isTrue();
  }
}
