/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.plan;

import io.hbaseindex.client.routing.RoutePlan;
import io.hbaseindex.client.routing.Routing;
import io.hbaseindex.client.routing.RoutingCounter;
import io.hbaseindex.client.routing.RoutingCounters;
import io.hbaseindex.client.routing.RoutingSettings;
import io.hbaseindex.client.routing.RoutingTally;
import io.hbaseindex.client.routing.UnroutedReason;
import io.hbaseindex.client.routing.plan.KnownTable.Question;
import io.hbaseindex.client.routing.source.BoundedWait;
import io.hbaseindex.client.routing.source.FilterCopyCache;
import io.hbaseindex.client.routing.source.GuardedRoutes;
import io.hbaseindex.client.routing.source.HolderRoutes;
import io.hbaseindex.client.routing.source.PatientRoutes;
import io.hbaseindex.client.routing.source.ReachableRoutes;
import io.hbaseindex.client.routing.source.RouteBreaker;
import io.hbaseindex.client.routing.source.RouteFailure;
import io.hbaseindex.client.routing.source.RouteQuestion;
import io.hbaseindex.client.routing.source.RouteReply;
import io.hbaseindex.client.routing.source.RouteSource;
import io.hbaseindex.client.routing.source.RouteTime;
import io.hbaseindex.common.master.EndpointAccess;
import io.hbaseindex.common.master.MasterConnection;
import io.hbaseindex.common.query.ScanReader;
import io.hbaseindex.core.route.RegionEdge;
import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.core.route.RoutePredicate;
import io.hbaseindex.core.time.MachineClock;
import io.hbaseindex.core.time.Moment;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides which key ranges each scan of a connection reads. Whatever fails, the answer is a plan
 * that misses nothing: everywhere.
 *
 * <p>A plan is made after the scan has begun, so by the law of routes it leaves out no row whose
 * write was acknowledged before. It is not renewed while the scan runs: a row written meanwhile may
 * be missed, as in any scan of HBase that has already passed its region.
 *
 * <p>Whether a route may be used at all is judged by the table's descriptor (a family that keeps
 * older versions shows them to some filters). The master sends the number of the descriptor it has
 * with every route; a route that was asked for by another descriptor is asked for again.
 *
 * <p>Safe for use by many threads.
 */
@InterfaceAudience.Private
public final class ScanRouter implements Routing, Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(ScanRouter.class);

  /** A table whose descriptor changes more often than this during one route is scanned whole. */
  private static final int READINGS = 2;

  private final RoutingSettings settings;
  private final RouteTime time;
  private final RouteSource source;
  private final KnownTables tables;
  private final MachineClock clock;
  private final Closeable connection;
  private final FilterCopyCache copies;
  private final LastRoutes lastRoutes = new LastRoutes();
  private final RoutingTally counters = new RoutingTally();
  private final boolean endpoints = EndpointAccess.isPossible();
  private volatile boolean cellsMayHide;

  /** A router that asks the master through a connection, which it closes. */
  public static ScanRouter through(
      MasterConnection connection, RoutingSettings settings, MachineClock clock) {
    if (settings.enabled() && !EndpointAccess.isPossible()) {
      LOG.warn("No scan of this connection is routed: {}", EndpointAccess.OBSTACLE);
    }
    RouteTime time = new RouteTime(settings, clock::monotonicNanos);
    return new ScanRouter(
        settings,
        time,
        ReachableRoutes.through(connection, time, clock::monotonicNanos),
        clock,
        connection);
  }

  /** Begins to read where rows probably are, before it is known where they are. */
  public interface EarlyReader {
    /** For scans that wait for their route. */
    EarlyReader NONE = guess -> false;

    /**
     * Begins to read; the route decides later what is taken of it.
     *
     * @return whether there was something to begin
     */
    boolean begin(RoutePlan guess);

    /**
     * Told, before the plan is there, how far the values of regions reach in the order that the
     * scan asks for.
     */
    default void edges(List<RegionEdge> edges) {}
  }

  /** The monotonic clock that all of the connection goes by. */
  public LongSupplier nanoClock() {
    return clock::monotonicNanos;
  }

  public ScanRouter(RoutingSettings settings, RouteSource source, MachineClock clock) {
    this(settings, new RouteTime(settings, clock::monotonicNanos), source, clock, () -> {});
  }

  private ScanRouter(
      RoutingSettings settings,
      RouteTime time,
      RouteSource source,
      MachineClock clock,
      Closeable connection) {
    this.connection = connection;
    this.time = time;
    this.settings = settings;
    this.clock = clock;
    LongSupplier nanoClock = clock::monotonicNanos;
    this.source =
        new HolderRoutes(
            new GuardedRoutes(
                new PatientRoutes(source, time, counters, nanoClock),
                () -> new RouteBreaker(nanoClock),
                time));
    this.tables =
        new KnownTables(table -> this.source.ask(new RouteQuestion.Descriptor(table)), nanoClock);
    this.copies = new FilterCopyCache(this.source, clock, settings, counters);
  }

  @Override
  public RoutingCounters counters() {
    return counters;
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }

  public RoutingSettings settings() {
    return settings;
  }

  @Override
  public CompletableFuture<RoutePlan> plan(TableName table, Scan scan) {
    return plan(table, scan, EarlyReader.NONE);
  }

  /**
   * Where a scan has to look.
   *
   * @param early told where that probably is, if that is known and the answer takes a while: once
   *     at most for each time that the holder of the filters is asked
   */
  public CompletableFuture<RoutePlan> plan(TableName table, Scan scan, EarlyReader early) {
    Optional<RoutePlan> withoutAsking = planWithoutAsking(table, scan);
    if (withoutAsking.isPresent()) {
      counters.add(withoutAsking.get());
      return CompletableFuture.completedFuture(withoutAsking.get());
    }
    settings.requireReadable(scan);
    long millis = time.millis();
    CompletableFuture<RoutePlan> route =
        tables
            .get(table)
            .thenCompose(known -> route(new Wanted(table, scan, early), known, READINGS));
    return BoundedWait.of(route, millis)
        .handle((plan, error) -> error == null ? answered(plan) : failed(table, error))
        .thenApply(
            plan -> {
              counters.add(plan);
              return plan;
            });
  }

  /** The plan of a scan that no route is wanted for; it needs no master and no waiting. */
  private Optional<RoutePlan> planWithoutAsking(TableName table, Scan scan) {
    if (!settings.enabled()) {
      return Optional.of(RoutePlans.everywhere(table, UnroutedReason.SWITCHED_OFF));
    }
    if (!endpoints) {
      return Optional.of(RoutePlans.everywhere(table, UnroutedReason.SHADED_CLIENT));
    }
    if (table.isSystemTable()) {
      return Optional.of(RoutePlans.everywhere(table, UnroutedReason.SYSTEM_TABLE));
    }
    if (scan.getReplicaId() >= 0) {
      return Optional.of(RoutePlans.everywhere(table, UnroutedReason.REPLICA_NAMED));
    }
    return ScanReader.obstacle(scan).map(reason -> RoutePlans.notEligible(table, reason));
  }

  /**
   * Whether a scan of the table may want a route; if not, it is counted, and is HBase's business
   * alone.
   */
  public boolean mayRoute(TableName table, Scan scan) {
    Optional<RoutePlan> withoutAsking = planWithoutAsking(table, scan);
    withoutAsking.ifPresent(counters::add);
    return withoutAsking.isEmpty();
  }

  /** A scan that wants a route. */
  private record Wanted(TableName table, Scan scan, EarlyReader early) {}

  private CompletableFuture<RoutePlan> route(Wanted wanted, KnownTable known, int readings) {
    // What is known of the cluster may change before the answer is there.
    boolean cautious = cellsMayHide;
    Question question = known.question(wanted.scan(), cautious);
    if (question instanceof Question.Nothing nothing) {
      return CompletableFuture.completedFuture(nothing.plan());
    }
    Asked asked = new Asked(wanted, known, cautious, (Question.Ask) question);
    long bound = TimeUnit.MILLISECONDS.toNanos(settings.stalenessMillis(wanted.scan()));
    if (bound == 0) {
      return askMaster(asked, readings);
    }
    return copies
        .get(wanted.table(), bound)
        // The master may still give a route where it gives no copy, or not soon.
        .exceptionally(error -> Optional.empty())
        .thenCompose(
            copy ->
                copy.filter(held -> asked.isAnsweredBy(held.shape(), held.cellsMayHide()))
                    .map(held -> CompletableFuture.completedFuture(askCopy(held, asked)))
                    .orElseGet(() -> askMaster(asked, readings)));
  }

  /**
   * A question and what it was judged by.
   *
   * @param cautious whether newest cells were taken to be hidden from users
   */
  private record Asked(Wanted wanted, KnownTable known, boolean cautious, Question.Ask question) {
    TableName table() {
      return wanted.table();
    }

    RoutePredicate predicate() {
      return question.predicate();
    }

    RoutePlan plan(RouteAnswer answer, long ageMillis) {
      return RoutePlans.routed(table(), answer, ageMillis, question.sets());
    }

    /** Whether the question is right where the answer comes from. */
    boolean isAnsweredBy(OptionalLong shape, boolean cellsMayHide) {
      return hasShape(shape) && (cautious || !cellsMayHide);
    }

    boolean hasShape(OptionalLong shape) {
      return shape.isPresent() && shape.getAsLong() == known.shape();
    }
  }

  private RoutePlan askCopy(FilterCopyCache.Copy copy, Asked asked) {
    counters.add(RoutingCounter.FROM_COPY);
    return asked.plan(copy.filters().route(asked.predicate()), ageOf(copy));
  }

  private long ageOf(FilterCopyCache.Copy copy) {
    return Moment.of(clock).millisSince(copy.asked());
  }

  private CompletableFuture<RoutePlan> askMaster(Asked asked, int readings) {
    counters.add(RoutingCounter.MASTER_ASKED);
    CompletableFuture<RouteReply> reply =
        source.ask(
            new RouteQuestion.Route(asked.table(), asked.predicate(), asked.question().edges()));
    if (reply.isDone()) {
      return reply.thenCompose(answer -> accept(asked, answer, readings));
    }
    Optional<RoutePlan> guess = guess(asked).filter(asked.wanted().early()::begin);
    CompletableFuture<RoutePlan> route =
        reply.thenCompose(answer -> accept(asked, answer, readings));
    return guess
        .map(
            begun ->
                route.thenApply(
                    plan -> {
                      counters.addGuess(begun, plan);
                      return plan.afterAGuess();
                    }))
        .orElse(route);
  }

  /** Where the rows were when somebody last asked for them, or by the copy of the filters. */
  private Optional<RoutePlan> guess(Asked asked) {
    return lastRoutes.get(asked.table(), asked.predicate()).or(() -> guessByCopy(asked));
  }

  private Optional<RoutePlan> guessByCopy(Asked asked) {
    return copies
        .latest(asked.table(), TimeUnit.MILLISECONDS.toNanos(settings.guessMillis()))
        .filter(held -> asked.isAnsweredBy(held.shape(), held.cellsMayHide()))
        .map(held -> asked.plan(held.filters().route(asked.predicate()), ageOf(held)));
  }

  private CompletableFuture<RoutePlan> accept(Asked asked, RouteReply answer, int readings) {
    if (answer.cellsMayHide()) {
      cellsMayHide = true;
    }
    if (asked.isAnsweredBy(answer.shape(), answer.cellsMayHide())) {
      RoutePlan plan = asked.plan(answer.route(), 0);
      asked.wanted().early().edges(answer.edges());
      lastRoutes.put(asked.table(), asked.predicate(), plan);
      return CompletableFuture.completedFuture(plan);
    }
    if (readings == 0) {
      return CompletableFuture.completedFuture(
          RoutePlans.everywhere(asked.table(), UnroutedReason.TABLE_CHANGING));
    }
    CompletableFuture<KnownTable> next =
        asked.hasShape(answer.shape())
            ? CompletableFuture.completedFuture(asked.known())
            : tables.readAgain(asked.table(), asked.known());
    return next.thenCompose(fresh -> route(asked.wanted(), fresh, readings - 1));
  }

  private RoutePlan answered(RoutePlan plan) {
    time.answered();
    return plan;
  }

  private static RoutePlan failed(TableName table, Throwable error) {
    UnroutedReason reason = RouteFailure.reasonOf(error);
    LOG.debug("No route for a scan of {}, all of it is scanned: {}", table, reason, error);
    return RoutePlans.everywhere(table, reason);
  }
}
