/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.scale;

import io.hbaseindex.bench.scale.virtual.CpuCosts.Call;
import io.hbaseindex.bench.scale.virtual.VirtualTime;
import io.hbaseindex.core.registry.FilterRegistry;
import io.hbaseindex.core.route.RegionCopy;
import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.core.route.RoutePredicate;
import io.hbaseindex.core.route.RowRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Runs a simulated cluster for its time and takes its figures. */
final class ScaleSimulation {
  private static final long SAMPLE_NANOS = VirtualTime.SECOND / 4;
  private static final int ROUTES_PER_SAMPLE = 20;
  private static final int COPIES = 40;

  /** How the cluster stood at a moment, and what came since the one before. */
  record Sample(
      double second, long precise, double pushesPerSecond, long refused, double waitMaxMillis) {}

  /** Told how far a run is. */
  interface Progress {
    void at(double second, long precise);
  }

  private final ScaleWorld world;
  private final HolderSet holders;
  private final List<SimulatedServer> servers = new ArrayList<>();
  private final List<Sample> samples = new ArrayList<>();
  private final Progress progress;
  private long routed;
  private long missed;
  private long named;
  private long lockBusyBefore;
  private long coresBusyBefore;
  private List<SimulatedHolder> holdersBefore;

  ScaleSimulation(ScaleSettings settings, Progress progress) {
    this.world = new ScaleWorld(settings);
    this.holders = new HolderSet(world);
    this.progress = progress;
    for (int server = 0; server < settings.servers; server++) {
      servers.add(new SimulatedServer(world, server, holders));
    }
  }

  /** Runs a simulation and tells now and then how far it is. */
  static ScaleOutcome outcome(ScaleSettings settings) {
    System.err.printf(
        "filling %,d regions with %,d values each%n", settings.allRegions(), settings.values);
    ScaleResult result = new ScaleSimulation(settings, new ProgressLines(settings)).run();
    return new ScaleOutcome(
        result.table().toString(), result.csv(), result.plot(), result.missed() == 0);
  }

  /** Runs the whole time; once only. */
  ScaleResult run() {
    ScaleSettings settings = world.settings;
    servers.forEach(SimulatedServer::start);
    long settled = (long) (settings.settle * VirtualTime.SECOND);
    long end = settled + (long) (settings.seconds * VirtualTime.SECOND);
    sampleUntil(settled);
    world.costs.forget();
    world.traffic.forget();
    routed = 0;
    named = 0;
    holdersBefore = List.copyOf(holders.all());
    lockBusyBefore = holdersBefore.stream().mapToLong(h -> h.lock().busyNanos()).sum();
    coresBusyBefore = holdersBefore.stream().mapToLong(h -> h.cores().busyNanos()).sum();
    scheduleFaults();
    sampleUntil(end);
    holders.all().forEach(this::copySome);
    return result();
  }

  private void scheduleFaults() {
    ScaleSettings settings = world.settings;
    if (settings.holderChange >= 0) {
      world.time.in((long) (settings.holderChange * VirtualTime.SECOND), holders::change);
    }
    for (int server = 0; server < settings.restarts; server++) {
      world.time.in(
          (long) (settings.seconds / 2 * VirtualTime.SECOND), servers.get(server)::restart);
    }
  }

  private void sampleUntil(long end) {
    long pushes = world.traffic.pushes;
    long refused = world.traffic.refused;
    while (world.time.now() < end) {
      long began = world.time.now();
      world.traffic.longestSinceSample = 0;
      world.time.runUntil(Math.min(end, began + SAMPLE_NANOS));
      double seconds = (world.time.now() - began) / 1e9;
      samples.add(
          new Sample(
              world.time.now() / 1e9,
              holders.precise(),
              (world.traffic.pushes - pushes) / seconds,
              world.traffic.refused - refused,
              world.traffic.longestSinceSample / 1e6));
      pushes = world.traffic.pushes;
      refused = world.traffic.refused;
      askForAcknowledged();
      progress.at(world.time.now() / 1e9, samples.get(samples.size() - 1).precise());
    }
  }

  /** Asks for values that were acknowledged: a route that leaves one out breaks the law. */
  private void askForAcknowledged() {
    for (int question = 0; question < ROUTES_PER_SAMPLE; question++) {
      List<SimulatedRegion> regions = servers.get(world.random.nextInt(servers.size())).regions();
      if (regions.isEmpty()) {
        return; // none is open yet
      }
      SimulatedRegion region = regions.get(world.random.nextInt(regions.size()));
      long element = region.acknowledgedElement();
      int holder = world.holderOf(element);
      if (holder < holders.all().size()) {
        FilterRegistry registry = holders.current(holder).registry();
        RoutePredicate predicate = new RoutePredicate.Element(ScaleWorld.COVERAGE, element);
        RouteAnswer answer =
            world.costs.measure(Call.ROUTE, () -> registry.route(ScaleWorld.TABLE, predicate));
        routed++;
        named += answer.positive() + answer.open();
        missed += answer.mayHold(region.key()) ? 0 : 1;
      }
    }
  }

  /** Copies the filters of some regions, as clients do that ask them by themselves. */
  private void copySome(SimulatedHolder holder) {
    byte[] from = RowRange.ALL.start();
    for (int copied = 0; copied < COPIES; copied++) {
      byte[] start = from;
      Optional<RegionCopy> copy =
          world.costs.measure(
              Call.COPY, () -> holder.registry().copy(ScaleWorld.TABLE, start, Set.of()));
      if (copy.isEmpty() || copy.get().range().end().length == 0) {
        return;
      }
      from = copy.get().range().end();
    }
  }

  private ScaleResult result() {
    double seconds = world.settings.seconds;
    boolean sameHolders = holdersBefore.equals(holders.all());
    long lockBusy = holders.all().stream().mapToLong(h -> h.lock().busyNanos()).sum();
    long coresBusy = holders.all().stream().mapToLong(h -> h.cores().busyNanos()).sum();
    double holderSeconds = holders.all().size() * seconds;
    long regionValues =
        (long) world.settings.values
            * world.settings.allRegions()
            * holders.all().size()
            / world.settings.holders;
    return new ScaleResult(
        world.settings,
        List.copyOf(samples),
        world.costs,
        world.traffic,
        (lockBusy - (sameHolders ? lockBusyBefore : 0)) / 1e9 / holderSeconds,
        (coresBusy - (sameHolders ? coresBusyBefore : 0)) / 1e9 / holderSeconds,
        (double) servers.stream().mapToLong(SimulatedServer::filterBytes).sum() / regionValues,
        (double) holders.all().stream().mapToLong(h -> h.registry().filterBytes()).sum()
            / regionValues,
        routed,
        missed,
        routed == 0 ? 0 : (double) named / routed,
        openReasons());
  }

  private Map<String, Long> openReasons() {
    Map<String, Long> reasons = new TreeMap<>();
    for (SimulatedServer server : servers) {
      for (HolderChannel channel : server.channels()) {
        channel.openReasons().forEach(reason -> reasons.merge(reason, 1L, Long::sum));
      }
    }
    return reasons;
  }
}
