/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.simulation;

import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.core.shard.HolderLayout;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * One run of a simulated cluster: clients write and faults happen for a number of steps, then the
 * faults end and every region has to become precise again. Everything that happens follows from the
 * seed.
 */
public final class Simulation {
  private static final int SERVERS = 3;
  private static final int MAX_REGIONS = 6;

  private static final int STEPS_IN_PEACE = 400;

  /** Enough to meet all shards. */
  private static final int VALUES_LOOKED_AT = 16;

  private static final long RECOVERY_NANOS = 20 * SimWorld.TERMS.leaseNanos();

  /**
   * What a run has shown.
   *
   * @param simulatedNanos how much time passed in the simulated cluster
   * @param preciseShare how much of what was asked of the active master a trusted filter answered
   * @param shareInPeace the same while clients write and nothing is broken, after the last fault;
   *     empty if not asked for
   * @param excludedByBounds how many regions were excluded since bounds do not meet a range
   * @param recoveryNanos how long after the last fault all regions were precise; 0 if not asked for
   */
  public record Result(
      long simulatedNanos,
      double preciseShare,
      OptionalDouble shareInPeace,
      long excludedByBounds,
      long recoveryNanos) {}

  private final SimWorld world;
  private final SimHBase hbase;
  private final RandomGenerator random;
  private final int writesEveryMillis;
  private final int faultsEveryMillis;
  private boolean quiet;
  private boolean peace;
  private OptionalDouble shareInPeace = OptionalDouble.empty();

  private Simulation(long seed, SimParts parts) {
    this.world = new SimWorld(seed, parts);
    this.random = world.random;
    this.hbase = new SimHBase(world);
    this.writesEveryMillis = 20 + random.nextInt(150);
    this.faultsEveryMillis = 200 + random.nextInt(3_000);
  }

  /**
   * Runs the deployed classes.
   *
   * @throws AssertionError if the law was broken
   */
  public static Result run(long seed, int steps) {
    return run(seed, steps, SimParts.DEPLOYED);
  }

  static Result run(long seed, int steps, SimParts parts) {
    return new Simulation(seed, parts).run(steps);
  }

  private Result run(int steps) {
    for (int number = 0; number < SERVERS; number++) {
      world.addServer();
    }
    hbase.create(1 + random.nextInt(MAX_REGIONS));
    scheduleWrite();
    scheduleFault();
    for (int step = 0; step < steps; step++) {
      world.time.step();
      if (random.nextInt(4) == 0) {
        world.checkSomething();
      }
    }
    double preciseShare = world.preciseShare();
    long recovery = world.hasPlentyOfMemory() ? recover() : 0;
    return new Result(
        world.time.now(), preciseShare, shareInPeace, world.excludedByBounds(), recovery);
  }

  // ---- clients ----

  private void scheduleWrite() {
    world.time.in(
        random.nextInt(2 * writesEveryMillis) * SimTime.MILLI,
        () -> {
          if (!quiet) {
            write();
            scheduleWrite();
          }
        });
  }

  private void write() {
    int row = random.nextInt(SimRegion.KEYS);
    SimHost host = hbase.hostOf(row);
    if (host == null) {
      return;
    }
    if (random.nextInt(60) == 0) {
      onServerOf(host, () -> host.bulkLoad(row, world.values()));
    } else if (random.nextInt(6) == 0) {
      onServerOf(host, () -> host.write(row, SimRow.deleted(0, SimWorld.COLUMNS).values()));
    } else {
      onServerOf(host, () -> host.write(row, world.values()));
    }
  }

  private void onServerOf(SimHost host, Runnable action) {
    host.server()
        .run(
            () -> {
              action.run();
              host.server().wake();
            });
  }

  // ---- faults ----

  private void scheduleFault() {
    world.time.in(
        random.nextInt(2 * faultsEveryMillis) * SimTime.MILLI,
        () -> {
          if (!quiet && !peace) {
            fault();
            scheduleFault();
          }
        });
  }

  private void fault() {
    SimServer server = world.servers.get(random.nextInt(world.servers.size()));
    SimMaster master = world.someActive();
    int kind = random.nextInt(world.parts.sharded() ? 20 : 18);
    world.trace(() -> "fault " + kind + " at " + server.name);
    switch (kind) {
      case 0, 1 -> hbase.move();
      case 2 -> {
        if (hbase.regions() < MAX_REGIONS) {
          maybeMissRelease(hbase.split());
        }
      }
      case 3 -> maybeMissRelease(hbase.merge());
      case 4 -> crash(server);
      case 5 -> takeForDead(server);
      case 6 -> server.pause(world.millis(10, 5_000));
      case 7 -> master.pause(world.millis(10, 3_000));
      case 8 -> suspend(random.nextBoolean() ? server : master);
      case 9 -> cut(server, master);
      case 10 -> {
        failOver();
        if (random.nextBoolean()) {
          crash(server);
        }
      }
      case 11, 12 -> {
        SimHost host = hbase.someHost();
        if (host != null) {
          onServerOf(host, host::rebuild);
        }
      }
      case 13 -> changeIndexes();
      case 14 -> standStill(random.nextBoolean() ? server : master);
      case 15 -> changeSpeed(random.nextBoolean() ? server : master);
      case 16 -> jump(master);
      case 17 -> loseZooKeeper(master);
      default -> changeLayout();
    }
  }

  /** A server that splits or merges may die before the master has heard of it. */
  private void maybeMissRelease(SimServer server) {
    if (server != null && random.nextInt(3) == 0) {
      world.masters.forEach(master -> world.network.cut(server, master));
      world.time.in(world.millis(0, 10), () -> crash(server));
    }
  }

  private void crash(SimServer server) {
    server.die();
    world.time.in(
        random.nextBoolean() ? 0 : world.millis(0, 3_000), () -> hbase.declareDead(server));
  }

  /** A server that is alive is taken for dead; it notices later. */
  private void takeForDead(SimServer server) {
    if (random.nextBoolean()) {
      server.pause(world.millis(100, 4_000));
    }
    world.time.in(world.millis(0, 3_000), () -> hbase.declareDead(server));
    world.time.in(world.millis(3_000, 9_000), server::die);
    if (random.nextInt(3) == 0) {
      SimMaster master = world.someActive();
      for (SimServer other : world.servers) {
        if (other != server) {
          cutFor(other, master, world.millis(1_000, 8_000));
        }
      }
    }
  }

  // ---- clocks ----

  /** The machine is suspended: its monotonic clock does not know, its wall clock does. */
  private void suspend(SimProcess process) {
    long nanos = world.millis(100, 5_000);
    stop(process, nanos, 1);
    if (random.nextInt(4) == 0) {
      process.machine.setWall(nanos);
    }
  }

  /** The machine stands still, and neither of its clocks knows. */
  private void standStill(SimProcess process) {
    long nanos = world.millis(300, 5_000);
    stop(process, nanos, 0);
    if (process instanceof SimMaster master && random.nextInt(3) == 0) {
      // Nor do its servers tell it, for a while.
      long unheard = nanos + world.millis(0, 3_000);
      world.servers.forEach(server -> cutFor(server, master, unheard));
    }
  }

  private void stop(SimProcess process, long nanos, double wallSpeed) {
    if (process.isPaused() || !process.machine.runsAsUsual()) {
      return;
    }
    process.pause(nanos);
    process.machine.setSpeed(0, wallSpeed);
    world.time.in(
        nanos - 1,
        () -> {
          process.machine.setSpeed(1, 1);
          if (process instanceof SimMaster master) {
            if (wallSpeed == 0) {
              master.clockLostTime();
            } else {
              master.onlyWallClockKnows();
            }
          }
        });
    if (process instanceof SimMaster master) {
      // Somebody asks before anything else can tell the master how late it is.
      master.runIn(nanos, () -> world.checkMaster(master));
    }
  }

  /**
   * The machine's clocks run much too slow for a while; those of a senior master too fast, also.
   */
  private void changeSpeed(SimProcess process) {
    if (process.isPaused() || !process.machine.runsAsUsual()) {
      return;
    }
    boolean fast = process instanceof SimMaster master && master.isSenior() && random.nextBoolean();
    double speed = fast ? 1.1 + 2 * random.nextDouble() : 0.1 + 0.8 * random.nextDouble();
    process.machine.setSpeed(speed, speed);
    tellOfTheClock(process, speed);
    world.time.in(
        world.millis(300, 6_000),
        () -> {
          process.machine.setSpeed(1, 1);
          tellOfTheClock(process, speed);
        });
  }

  private void tellOfTheClock(SimProcess process, double speed) {
    if (process instanceof SimMaster master) {
      if (speed < 1) {
        master.clockLostTime();
      }
    } else if (process instanceof SimServer server) {
      server.run(server::wake); // its timer was set for a clock of another speed
    }
  }

  /** A clock of the master is set. */
  private void jump(SimMaster master) {
    long nanos = world.millis(10, 5_000);
    switch (random.nextInt(3)) {
      case 0 -> master.machine.setWall(nanos);
      case 1 -> {
        // Set back while the other clock stands still, no clock would know of the time between.
        if (master.machine.runsAsUsual()) {
          master.machine.setWall(-nanos);
          master.wallClockLostTime();
        }
      }
      default -> {
        if (master.isSenior()) {
          master.machine.jump(nanos);
        }
      }
    }
  }

  // ---- the network and ZooKeeper ----

  /** The master cannot reach ZooKeeper for a while, and stays the active one. */
  private void loseZooKeeper(SimMaster master) {
    master.loseZooKeeper();
    world.time.in(world.millis(10, 5_000), () -> master.connected = true);
  }

  private void cut(SimServer server, SimMaster master) {
    boolean out = random.nextBoolean();
    SimProcess from = out ? server : master;
    SimProcess to = out ? master : server;
    cutFor(from, to, world.millis(50, 6_000));
  }

  private void cutFor(SimProcess from, SimProcess to, long nanos) {
    world.network.cut(from, to);
    world.time.in(nanos, () -> world.network.mend(from, to));
  }

  /** Another holder becomes active; the one before may not know, and goes on answering. */
  private void failOver() {
    SimMaster deposed = world.someActive();
    if (random.nextInt(4) > 0) {
      deposed.loseZooKeeper();
    }
    world.addMaster(deposed.number);
    endLater(deposed);
    teachLater();
  }

  /** Filters move to other holders, or are cut into other shards; servers hear of it later. */
  private void changeLayout() {
    for (SimMaster deposed : world.changeLayout()) {
      if (random.nextInt(4) == 0) {
        deposed.loseZooKeeper();
      }
      endLater(deposed);
    }
    teachLater();
  }

  private void endLater(SimMaster deposed) {
    world.time.in(
        world.millis(0, 12_000),
        () -> {
          deposed.die();
          world.masters.remove(deposed);
        });
  }

  private void teachLater() {
    HolderLayout layout = world.layout();
    Map<Integer, SimMaster> active = world.active();
    for (SimServer server : world.servers) {
      world.time.in(
          world.millis(0, 2_500),
          () -> {
            if (world.layout().equals(layout) && world.active().equals(active)) {
              server.holders.putAll(active);
              server.run(server::follow);
            }
          });
    }
  }

  /** Drops the last index, or adds one; regions learn of it when they are opened again. */
  private void changeIndexes() {
    if (world.indexes.size() > 1) {
      world.indexes.remove(world.indexes.size() - 1);
    } else {
      world.defineLast();
    }
    hbase.reopenAll();
  }

  // ---- after the faults ----

  private long recover() {
    quiet = true;
    world.network.heal();
    world.calmDown();
    List.copyOf(world.servers).stream().filter(SimProcess::isDead).forEach(hbase::declareDead);
    for (SimServer server : world.servers) {
      server.holders.putAll(world.active());
      server.run(server::follow);
    }
    long from = world.time.now();
    passUntilPrecise();
    for (int row = 0; row < SimRegion.KEYS; row++) {
      world.checkRow(row);
    }
    long recovery = world.time.now() - from;
    writeInPeace();
    passUntilPrecise();
    new Farewell(world, hbase).check();
    return recovery;
  }

  private void passUntilPrecise() {
    long from = world.time.now();
    while (!isPrecise()) {
      if (world.time.now() - from > RECOVERY_NANOS) {
        throw new SimViolation(
            SimViolation.Law.ALL_BECOME_PRECISE,
            "not precise "
                + Duration.ofNanos(RECOVERY_NANOS)
                + " after the last fault: "
                + sight());
      }
      world.time.step();
      world.checkSomething();
    }
  }

  /** Filters that were lost for a while whenever somebody writes would be precise at rest only. */
  private void writeInPeace() {
    peace = true;
    quiet = false;
    world.measureAnew();
    scheduleWrite();
    for (int step = 0; step < STEPS_IN_PEACE; step++) {
      world.time.step();
      world.checkSomething();
    }
    shareInPeace = OptionalDouble.of(world.preciseShare());
    quiet = true;
  }

  private boolean isPrecise() {
    return hbase.isQuiet()
        && answers()
            .allMatch(answer -> answer.candidates().stream().allMatch(one -> one.open() == null));
  }

  private String sight() {
    return answers().toList().toString();
  }

  /** What is answered for some values of every set. */
  private Stream<RouteAnswer> answers() {
    return world.indexes.stream()
        .flatMap(index -> index.sets().stream())
        .flatMap(
            set ->
                IntStream.range(0, VALUES_LOOKED_AT)
                    .mapToObj(value -> world.routeNow(set, SimRow.filledWith(value))));
  }
}
