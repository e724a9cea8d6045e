/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.simulation;

import io.hbaseindex.core.shard.ShardPlace;
import java.util.ArrayList;
import java.util.List;

/** Opens, moves, splits and merges regions, and gives those of dead servers to others. */
final class SimHBase {
  /** What HBase does with a region once nobody has it open any more. */
  private interface Plan {
    void closed();

    /** The region's server died first. */
    void serverDied();
  }

  private static final class Assignment {
    final SimRegion region;
    SimServer server;
    SimHost host;
    Plan plan;

    Assignment(SimRegion region) {
      this.region = region;
    }

    boolean isOpen() {
      return host != null && plan == null && !host.isClosing();
    }
  }

  private final SimWorld world;
  private final List<Assignment> assignments = new ArrayList<>();
  private long names;

  SimHBase(SimWorld world) {
    this.world = world;
  }

  void create(int regions) {
    for (int at = 0; at < regions; at++) {
      int low = SimRegion.KEYS * at / regions;
      int high = SimRegion.KEYS * (at + 1) / regions;
      open(add(new SimRegion("r" + ++names, 1, low, high)));
    }
  }

  /** The open region that holds a row, or null. */
  SimHost hostOf(int row) {
    for (Assignment one : assignments) {
      if (one.region.holds(row)) {
        return one.isOpen() ? one.host : null;
      }
    }
    return null;
  }

  boolean isQuiet() {
    return assignments.stream().allMatch(Assignment::isOpen);
  }

  int regions() {
    return assignments.size();
  }

  private Assignment add(SimRegion region) {
    Assignment one = new Assignment(region);
    assignments.add(one);
    return one;
  }

  private void open(Assignment one) {
    one.plan = null;
    one.host = null;
    one.server = null;
    world.time.in(world.millis(0, 600), () -> tryOpen(one));
  }

  private void tryOpen(Assignment one) {
    List<SimServer> alive =
        world.servers.stream().filter(server -> !server.isDead() && !server.isFenced()).toList();
    if (alive.isEmpty()) {
      open(one);
      return;
    }
    SimServer chosen = alive.get(world.random.nextInt(alive.size()));
    one.server = chosen;
    chosen.run(
        () -> {
          if (one.server == chosen) {
            one.region.recover();
            one.host = chosen.open(one.region);
          }
        });
  }

  private Assignment someOpen() {
    if (assignments.isEmpty()) {
      return null;
    }
    Assignment one = assignments.get(world.random.nextInt(assignments.size()));
    return one.isOpen() && !one.server.isDead() ? one : null;
  }

  SimHost someHost() {
    Assignment one = someOpen();
    return one == null ? null : one.host;
  }

  // ---- moves, splits, merges ----

  void move() {
    Assignment one = someOpen();
    if (one != null) {
      move(one);
    }
  }

  /** The table has changed: every region is closed and opened again. */
  void reopenAll() {
    for (Assignment one : List.copyOf(assignments)) {
      if (one.isOpen() && !one.server.isDead()) {
        move(one);
      }
    }
  }

  private void move(Assignment one) {
    close(
        one,
        new Plan() {
          @Override
          public void closed() {
            open(one);
          }

          @Override
          public void serverDied() {
            open(one);
          }
        });
  }

  private void close(Assignment one, Plan plan) {
    one.plan = plan;
    SimHost host = one.host;
    host.server()
        .run(
            () ->
                host.close(
                    () -> {
                      if (one.plan == plan) {
                        plan.closed();
                      }
                    }));
  }

  /** Splits some region; returns the server that has it open, or null if there is none. */
  SimServer split() {
    Assignment one = someOpen();
    if (one == null || one.region.high - one.region.low < 2) {
      return null;
    }
    SimServer server = one.server;
    close(
        one,
        new Plan() {
          @Override
          public void closed() {
            becomeDaughters(one);
          }

          @Override
          public void serverDied() {
            // Whether the point of no return was passed decides what is opened elsewhere.
            if (world.random.nextBoolean()) {
              becomeDaughters(one);
            } else {
              open(one);
            }
          }
        });
    return server;
  }

  private void becomeDaughters(Assignment one) {
    SimRegion parent = one.region;
    int width = parent.high - parent.low;
    int middle = parent.low + 1 + world.random.nextInt(width - 1);
    assignments.remove(one);
    open(successor(parent.low, middle, List.of(parent)));
    open(successor(middle, parent.high, List.of(parent)));
  }

  private Assignment successor(int low, int high, List<SimRegion> parents) {
    long newest = parents.stream().mapToLong(parent -> parent.regionId).max().orElseThrow();
    SimRegion region = new SimRegion("r" + ++names, newest + 1, low, high);
    parents.forEach(region::inherit);
    return add(region);
  }

  /** Merges two regions; returns a server that has one open, or null if there are none. */
  SimServer merge() {
    Assignment one = someOpen();
    Assignment other = one == null ? null : neighbour(one);
    if (other == null || !other.isOpen() || other.server.isDead()) {
      return null;
    }
    SimServer server = one.server;
    Merge merge = new Merge(one, other);
    close(one, merge.planFor(one));
    close(other, merge.planFor(other));
    return server;
  }

  private Assignment neighbour(Assignment one) {
    return assignments.stream()
        .filter(other -> other.region.low == one.region.high)
        .findFirst()
        .orElse(null);
  }

  private final class Merge {
    private final Assignment one;
    private final Assignment other;
    private final List<Assignment> closed = new ArrayList<>();
    private boolean abandoned;

    Merge(Assignment one, Assignment other) {
      this.one = one;
      this.other = other;
    }

    Plan planFor(Assignment parent) {
      return new Plan() {
        @Override
        public void closed() {
          parent.server = null;
          if (abandoned) {
            open(parent);
            return;
          }
          closed.add(parent);
          if (closed.size() == 2) {
            assignments.remove(one);
            assignments.remove(other);
            open(successor(one.region.low, other.region.high, List.of(one.region, other.region)));
          }
        }

        @Override
        public void serverDied() {
          abandoned = true;
          open(parent);
          closed.forEach(SimHBase.this::open);
          closed.clear();
        }
      };
    }
  }

  // ---- dead servers ----

  /** The master takes a server for dead, whether it is or not. */
  void declareDead(SimServer server) {
    if (server.isFenced()) {
      return;
    }
    server.fence();
    SimMaster master = world.active().get(ShardPlace.MASTER);
    if (master != null) {
      master.online.remove(server.name);
    }
    for (Assignment one : List.copyOf(assignments)) {
      if (one.server == server) {
        Plan plan = one.plan;
        one.plan = null;
        if (plan == null) {
          open(one);
        } else {
          plan.serverDied();
        }
      }
    }
    world.servers.remove(server);
    world.addServer();
  }
}
