/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.simulation;

import io.hbaseindex.core.filter.FilterGeometry;
import io.hbaseindex.core.publish.PublishLimits;
import io.hbaseindex.core.push.LeaseTerms;
import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.core.route.RoutePredicate;
import io.hbaseindex.core.shard.HolderLayout;
import io.hbaseindex.core.shard.ShardPlace;
import io.hbaseindex.core.shard.ShardedRoute;
import io.hbaseindex.core.shard.Shards;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A simulated cluster: masters, region servers, the regions of one table and the clients that write
 * to it. Checks the law whenever a write is acknowledged and at random moments in between.
 */
final class SimWorld {
  static final String TABLE = "t";
  static final int COLUMNS = 2;
  static final LeaseTerms TERMS = LeaseTerms.standard();
  static final int PAGE_BYTES = 120;
  static final FilterGeometry GEOMETRY = FilterGeometry.doubling(4, 0.05);

  /** Two clocks drift apart by at most twice this share, which the margin allows for. */
  private static final double DRIFT = 0.02;

  private static final boolean TRACED = Boolean.getBoolean("hbaseindex.simulation.trace");
  private static final long PLENTY = 1 << 20;
  private static final long SEED = 42;

  final RandomGenerator random;
  final SimTime time = new SimTime();
  final SimParts parts;
  final SimNetwork network;
  final SimOracle oracle = new SimOracle();
  final List<SimServer> servers = new ArrayList<>();

  /** All holders that still answer, deposed ones included. */
  final List<SimMaster> masters = new ArrayList<>();

  /** Those that are not deposed, by number. */
  private final Map<Integer, SimMaster> active = new TreeMap<>();

  private HolderLayout layout = HolderLayout.MASTER;

  /** The indexes that a region which opens now maintains, and all there ever were. */
  final List<SimIndex> indexes = new ArrayList<>();

  final List<SimIndex> everDefined = new ArrayList<>();

  final PublishLimits limits;

  /** The columns of the index that is dropped and added again; every other run it has two. */
  private final List<Integer> lastColumns;

  private final long masterBytes;
  private final int[] domains;
  private double busy;
  private long incarnations;
  private long serverCount;
  private long slotsSeen;
  private long slotsPrecise;
  private long excludedByBounds;

  SimWorld(long seed, SimParts parts) {
    this.random = new SplittableRandom(seed);
    this.parts = parts;
    this.network = new SimNetwork(time, random);
    this.masterBytes = random.nextInt(8) == 0 ? 600 + random.nextInt(2_000) : PLENTY;
    this.limits =
        new PublishLimits(
            100 + random.nextInt(400),
            24 + random.nextInt(200),
            PAGE_BYTES,
            400 + random.nextInt(1_000),
            TERMS.leaseNanos() / 2,
            2 * TERMS.leaseNanos());
    this.domains = new int[] {2 + random.nextInt(10), 30 + random.nextInt(200)};
    this.busy = random.nextInt(8) == 0 ? 0.2 : 0;
    this.lastColumns = seed % 2 == 0 ? List.of(1, 0) : List.of(1);
    define(List.of(0));
    defineLast();
    if (parts.sharded()) {
      changeLayout();
    } else {
      addMaster(ShardPlace.MASTER);
    }
  }

  /** Whether a master has no handler for a push just now. */
  boolean isBusy() {
    return random.nextDouble() < busy;
  }

  /** From now on masters have handlers for all pushes. */
  void calmDown() {
    busy = 0;
  }

  boolean hasPlentyOfMemory() {
    return masterBytes == PLENTY;
  }

  long millis(int from, int to) {
    return (from + random.nextInt(to - from)) * SimTime.MILLI + random.nextInt(1_000_000);
  }

  SimTime.Machine machine() {
    return time.new Machine(random, DRIFT);
  }

  /** Tells what happens, if the run is traced: {@code -Dhbaseindex.simulation.trace=true}. */
  void trace(Supplier<String> what) {
    if (TRACED) {
      System.out.printf("%12.6f %s%n", time.now() / 1e9, what.get());
    }
  }

  // ---- processes ----

  HolderLayout layout() {
    return layout;
  }

  /** The holders that are not deposed, by number. */
  Map<Integer, SimMaster> active() {
    return Map.copyOf(active);
  }

  /** One of the holders that are not deposed. */
  SimMaster someActive() {
    List<SimMaster> all = List.copyOf(active.values());
    return all.size() == 1 ? all.get(0) : all.get(random.nextInt(all.size()));
  }

  boolean isActive(SimMaster master) {
    return active.get(master.number) == master;
  }

  /** Cuts filters differently and gives them to other holders; those there were are deposed. */
  List<SimMaster> changeLayout() {
    List<SimMaster> deposed = List.copyOf(active.values());
    active.clear();
    layout = layout.next(random.nextInt(4), 1 + random.nextInt(4), Map.of());
    trace(() -> "layout " + layout.text());
    if (layout.isMaster()) {
      addMaster(ShardPlace.MASTER);
    } else {
      IntStream.range(0, layout.holders()).forEach(this::addMaster);
    }
    return deposed;
  }

  Set<String> namesOfTheLiving() {
    return servers.stream()
        .filter(server -> !server.isFenced())
        .map(server -> server.name)
        .collect(Collectors.toSet());
  }

  SimMaster addMaster(int number) {
    SimMaster master = new SimMaster(this, number, ++incarnations, masterBytes);
    servers.stream()
        .filter(server -> !server.isFenced())
        .forEach(server -> master.online.add(server.name));
    masters.add(master);
    active.put(number, master);
    return master;
  }

  SimServer addServer() {
    SimServer server = new SimServer(this, "server" + ++serverCount, machine());
    servers.add(server);
    active.values().stream()
        .filter(SimMaster::isMaster)
        .forEach(master -> master.online.add(server.name));
    return server;
  }

  /** The holder that a push goes to: mostly the one the server knows, now and then any. */
  SimMaster masterFor(SimServer server, int number) {
    if (random.nextInt(20) > 0) {
      return server.holders.get(number);
    }
    List<SimMaster> any = masters.stream().filter(one -> one.number == number).toList();
    return any.isEmpty() ? server.holders.get(number) : any.get(random.nextInt(any.size()));
  }

  // ---- indexes ----

  void defineLast() {
    define(lastColumns);
  }

  private void define(List<Integer> columns) {
    SimIndex last = everDefined.isEmpty() ? null : everDefined.get(everDefined.size() - 1);
    // A redefinition keeps the id and raises the version; a new index has an id of its own.
    boolean again =
        everDefined.size() > COLUMNS && random.nextBoolean() && last.columns().equals(columns);
    SimIndex index =
        again
            ? SimIndex.of(columns, last.id(), last.version() + 1, SEED)
            : SimIndex.of(columns, everDefined.size() + 1, 1, SEED);
    if (columns.size() > 1 && parts.has(SimParts.Habit.KEEPS_A_SET_WITHOUT_THE_FIRST_COLUMN)) {
      index = index.withLastColumnAlone();
    }
    indexes.add(index);
    everDefined.add(index);
  }

  // ---- values ----

  int[] values() {
    int[] values = new int[COLUMNS];
    for (int column = 0; column < COLUMNS; column++) {
      values[column] = random.nextInt(10) == 0 ? SimRow.NONE : value(column);
    }
    return values;
  }

  int value(int column) {
    return random.nextInt(domains[column]);
  }

  // ---- the law ----

  void checkWait(long waited) {
    if (waited > TERMS.longestWaitNanos() + 25 * SimTime.MILLI) {
      throw new SimViolation(
          SimViolation.Law.NOBODY_WAITS_LONG,
          "a write waited for " + Duration.ofNanos(waited) + " at " + Duration.ofNanos(time.now()));
    }
  }

  /** Asks every master that answers for a row, by each of its values. */
  void checkRow(int row) {
    for (SimMaster master : masters) {
      if (master.isBoundByTheLaw()) {
        checkSets(master, row);
        checkRanges(master, row);
        checkTree(master, row);
      }
    }
  }

  /** Asks one master for every row. */
  void checkMaster(SimMaster master) {
    if (master.isBoundByTheLaw()) {
      for (int row = 0; row < SimRegion.KEYS; row++) {
        checkSets(master, row);
        checkRanges(master, row);
      }
    }
  }

  private void checkSets(SimMaster master, int row) {
    SimRow demanded = oracle.demanded(row);
    for (SimIndex index : everDefined) {
      index.sets().forEach(set -> checkElement(master, set, demanded, row));
    }
  }

  /** Asks by the bounds of each index for the narrowest range that has a row. */
  private void checkRanges(SimMaster master, int row) {
    SimRow demanded = oracle.demanded(row);
    for (SimIndex index : everDefined) {
      if (!index.hasPosting(demanded)) {
        continue;
      }
      for (ShardPlace place : master.layout.places(TABLE)) {
        if (place.holder() == master.number) {
          RouteAnswer answer = master.registry.route(place.name(), index.question(demanded));
          require(answer, row, master);
          excludedByBounds += answer.excluded();
        }
      }
    }
  }

  /** How many regions were excluded by their bounds so far. */
  long excludedByBounds() {
    return excludedByBounds;
  }

  /** Asks some master for some row. */
  void checkSomething() {
    SimMaster master = masters.get(random.nextInt(masters.size()));
    if (master.isBoundByTheLaw()) {
      SimIndex index = everDefined.get(random.nextInt(everDefined.size()));
      int sets = index.sets().size();
      SimIndex.Set set = index.sets().get(sets == 1 ? 0 : random.nextInt(sets));
      int row = random.nextInt(SimRegion.KEYS);
      checkElement(master, set, oracle.demanded(row), row);
    }
    measure();
  }

  /** Asks for the values that a row certainly has, if it has all that the set is of. */
  private void checkElement(SimMaster master, SimIndex.Set set, SimRow demanded, int row) {
    if (!set.isOf(demanded)) {
      return;
    }
    RoutePredicate question = element(set, demanded);
    ShardPlace place = place(master.layout, set.element(demanded));
    if (place.holder() == master.number) {
      require(master.registry.route(place.name(), question), row, master);
    }
  }

  private static ShardPlace place(HolderLayout layout, long element) {
    List<ShardPlace> places = layout.places(TABLE);
    return places.get(Shards.of(element, places.size()));
  }

  /** Asks a holder and, for what it does not have, others of its layout, deposed or not. */
  private RouteAnswer ask(SimMaster master, RoutePredicate predicate) {
    List<ShardPlace> places = master.layout.places(TABLE);
    return ShardedRoute.ask(
            predicate,
            places.size(),
            (shard, part) ->
                CompletableFuture.completedFuture(
                    ask(holder(master, places.get(shard)), places.get(shard), part)))
        .join();
  }

  private static RouteAnswer ask(SimMaster holder, ShardPlace place, RoutePredicate predicate) {
    return holder == null
        ? RouteAnswer.unknownTable()
        : holder.registry.route(place.name(), predicate);
  }

  private SimMaster holder(SimMaster master, ShardPlace place) {
    if (place.holder() == master.number) {
      return master;
    }
    List<SimMaster> possible =
        masters.stream()
            .filter(one -> one.number == place.holder() && one.layout.equals(master.layout))
            .filter(SimMaster::isBoundByTheLaw)
            .toList();
    return possible.isEmpty() ? null : possible.get(random.nextInt(possible.size()));
  }

  /** What the present holders answer for the values of a row. */
  RouteAnswer routeNow(SimIndex.Set set, SimRow values) {
    ShardPlace place = place(layout, set.element(values));
    return active.get(place.holder()).registry.route(place.name(), element(set, values));
  }

  private void checkTree(SimMaster master, int row) {
    List<SimIndex.Set> last = indexes.get(indexes.size() - 1).sets();
    SimIndex.Set first = indexes.get(0).sets().get(0);
    SimIndex.Set other = last.get(last.size() - 1);
    SimRow demanded = oracle.demanded(row);
    if (first.isOf(demanded) && other.isOf(demanded)) {
      RoutePredicate one = element(first, demanded);
      SimRow any = SimRow.filledWith(value(1));
      require(
          ask(master, new RoutePredicate.AllOf(List.of(one, element(other, demanded)))),
          row,
          master);
      require(
          ask(master, new RoutePredicate.AnyOf(List.of(one, element(other, any)))), row, master);
    }
  }

  static RoutePredicate element(SimIndex.Set set, SimRow values) {
    return new RoutePredicate.Element(set.coverage(), set.element(values));
  }

  private void require(RouteAnswer answer, int row, SimMaster master) {
    if (!answer.mayHold(SimRegion.key(row))) {
      throw new SimViolation(
          SimViolation.Law.NOTHING_IS_EXCLUDED,
          "a route of master "
              + masters.indexOf(master)
              + " excluded row "
              + row
              + " at "
              + Duration.ofNanos(time.now()));
    }
  }

  private void measure() {
    SimRow any = SimRow.filledWith(value(0));
    RouteAnswer answer = routeNow(indexes.get(0).sets().get(0), any);
    slotsSeen += answer.excluded() + answer.candidates().size();
    slotsPrecise += answer.excluded() + answer.positive();
  }

  /** What has been seen so far does not count for {@link #preciseShare} any more. */
  void measureAnew() {
    slotsSeen = 0;
    slotsPrecise = 0;
  }

  /** Of all ranges seen in routes so far, how many were answered by a trusted filter. */
  double preciseShare() {
    return slotsSeen == 0 ? 0 : (double) slotsPrecise / slotsSeen;
  }
}
