/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.simulation;

import io.hbaseindex.core.push.ActiveMasterLease;
import io.hbaseindex.core.push.LeaseToken;
import io.hbaseindex.core.push.Push;
import io.hbaseindex.core.push.PushReply;
import io.hbaseindex.core.push.RegionMessage.StageChunk;
import io.hbaseindex.core.registry.FilterRegistry;
import io.hbaseindex.core.registry.RegistryLimits;
import io.hbaseindex.core.shard.HolderLayout;
import io.hbaseindex.core.shard.ShardPlace;
import io.hbaseindex.core.time.Moment;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A holder of filters with its registry: the active master, or the region of the holders' table
 * with some number. Deposed, it goes on answering, and does not know unless ZooKeeper tells it.
 *
 * <p>A master knows at once which servers are dead; a holder knows which were alive when it last
 * asked ZooKeeper.
 */
final class SimMaster extends SimProcess {
  final FilterRegistry registry;

  /** The holder's number, and the layout that it holds filters by. */
  final int number;

  final HolderLayout layout;

  /** The servers that count as alive at this master. */
  final Set<String> online = new HashSet<>();

  /** Whether ZooKeeper can be reached. */
  boolean connected = true;

  private final SimWorld world;
  private final long incarnation;

  /** The answers that gave a server credit, by their tokens. */
  private record Credited(String server, LeaseToken token) {}

  private final Set<Credited> credited = new HashSet<>();
  private final ActiveMasterLease lease = new ActiveMasterLease(SimWorld.TERMS);
  private boolean misled;
  private boolean suspended;
  private long suspendedAtNanos;
  private long misledAtNanos;
  private long confirmedNanos;

  SimMaster(SimWorld world, int number, long incarnation, long bytes) {
    super(world.time, world.machine());
    this.world = world;
    this.number = number;
    this.layout = world.layout();
    this.incarnation = incarnation;
    this.registry =
        (isMaster() ? world.parts.registries() : world.parts.holders())
            .make(
                incarnation,
                machine,
                SimWorld.TERMS,
                new RegistryLimits(bytes, 64, 1_000, 1, 20 * SimWorld.TERMS.leaseNanos()),
                online::contains,
                lease);
    this.confirmedNanos = machine.monotonicNanos();
    lease.confirmed(Moment.of(machine));
    time.in(world.millis(0, 100), this::askZooKeeper);
  }

  /** Takes in a push, which may carry parts of filters only if the token it echoes came so. */
  PushReply take(Push push) {
    boolean parts = push.messages().stream().anyMatch(StageChunk.class::isInstance);
    boolean heard = push.token() != null && push.token().master() == incarnation;
    if (parts && heard && !credited.contains(new Credited(push.server(), push.token()))) {
      throw new SimViolation(
          SimViolation.Law.PARTS_NEED_CREDIT,
          push.server() + " sends parts without credit: " + push);
    }
    PushReply reply = registry.apply(push);
    registry.tidy(4);
    if (reply.credit().bytes() > 0) {
      credited.add(new Credited(push.server(), reply.token()));
    }
    return reply;
  }

  // ---- who is active ----

  /** Asks ZooKeeper again and again who is active; the answer may take its time. */
  private void askZooKeeper() {
    run(
        () -> {
          Moment asked = Moment.of(machine);
          if (connected) {
            time.in(
                world.millis(0, 10),
                () -> answer(asked, world.isActive(this), world.namesOfTheLiving()));
          }
          runIn(SimWorld.TERMS.heartbeatNanos(), this::askZooKeeper);
        });
  }

  boolean isMaster() {
    return number == ShardPlace.MASTER;
  }

  private void answer(Moment asked, boolean active, Set<String> living) {
    long delay = world.random.nextInt(8) == 0 ? world.millis(0, 3_000) : world.millis(0, 10);
    runIn(
        delay,
        () -> {
          if (active) {
            hear(living);
            lease.confirmed(asked);
          } else {
            lease.lost();
          }
        });
  }

  private void hear(Set<String> living) {
    if (!isMaster()) {
      Set<String> gone = new HashSet<>(online);
      gone.removeAll(living);
      gone.forEach(registry::serverExpired);
      online.clear();
      online.addAll(living);
    }
  }

  /** The connection to ZooKeeper is gone; the master is told sooner or later, or never. */
  void loseZooKeeper() {
    connected = false;
    if (world.random.nextBoolean()) {
      runIn(world.millis(0, 5_000), lease::lost);
    }
  }

  /** Whether no other master can still be trusted. */
  boolean isSenior() {
    return registry.apply(new Push("nobody", 0, null, 0, List.of())).senior();
  }

  // ---- a clock that is wrong ----

  /**
   * The clocks have lost time up to now. No machine can know that by itself, so nothing is demanded
   * of the master until some server could tell it, until none has confirmed its clocks for too long
   * by these clocks themselves, or until it would trust nobody any more.
   */
  void clockLostTime() {
    misled = true;
    misledAtNanos = machine.monotonicNanos();
  }

  /** The monotonic clock has stood still up to now: the wall clock alone ends trust in time. */
  void onlyWallClockKnows() {
    suspended = true;
    suspendedAtNanos = machine.monotonicNanos();
  }

  /** The wall clock was set back; if it alone knew of some time, no clock does any more. */
  void wallClockLostTime() {
    long sinceNanos = machine.monotonicNanos() - suspendedAtNanos;
    if (suspended && sinceNanos < SimWorld.TERMS.trustNanos()) {
      clockLostTime();
    }
  }

  /** A push is about to be taken in, from which the master can learn that its clocks are wrong. */
  void isTold(Push push) {
    LeaseToken token = push.token();
    if (token == null) {
      return;
    }
    long held = push.heldNanos();
    long passed = Moment.of(machine).nanosSince(token.issued());
    boolean telling = held - passed > SimWorld.TERMS.driftNanos(held);
    if (misled && machine.runsAsUsual() && token.issuedNanos() - misledAtNanos <= 0) {
      misled = !telling;
    }
    if (token.master() == incarnation && !telling && held <= SimWorld.TERMS.trustNanos()) {
      long sent = token.issuedNanos() + held;
      confirmedNanos += Math.max(0, sent - confirmedNanos);
    }
  }

  /** Whether the master cannot know that its clocks are wrong. */
  boolean isMisled() {
    long now = machine.monotonicNanos();
    return misled
        && now - misledAtNanos < SimWorld.TERMS.trustNanos()
        && now - confirmedNanos < SimWorld.TERMS.confirmationNanos();
  }

  /** Whether the law holds for what the master answers. */
  boolean isBoundByTheLaw() {
    return !isDead() && !isPaused() && !isMisled();
  }
}
