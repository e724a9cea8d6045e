/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.simulation;

import io.hbaseindex.core.publish.BrokenPublishers;
import io.hbaseindex.core.publish.ServerPublisher;
import io.hbaseindex.core.push.Push;
import io.hbaseindex.core.push.PushReply;
import io.hbaseindex.core.push.RegionNumbers;
import io.hbaseindex.core.shard.HolderLayout;
import io.hbaseindex.core.shard.ShardPlace;
import io.hbaseindex.core.shard.ShardedRegion;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A region server: its regions, and the one connection through which they are published. */
final class SimServer extends SimProcess {
  final String name;
  private final SimWorld world;
  private final RegionNumbers numbers = new RegionNumbers(0);

  /** What speaks to the holders, by their numbers. */
  private final Map<Integer, ServerPublisher> publishers = new TreeMap<>();

  private final List<SimHost> hosts = new ArrayList<>();
  private boolean fenced;
  private boolean awake;
  private long timer;

  /** The holders that the server takes for the active ones, and the layout that it goes by. */
  final Map<Integer, SimMaster> holders = new HashMap<>();

  private HolderLayout layout;

  SimServer(SimWorld world, String name, SimTime.Machine machine) {
    super(world.time, machine);
    this.world = world;
    this.name = name;
    this.holders.putAll(world.active());
    this.layout = world.layout();
  }

  private ServerPublisher publisherFor(int holder) {
    return publishers.computeIfAbsent(holder, this::newPublisher);
  }

  private ServerPublisher newPublisher(int holder) {
    BrokenPublishers.Maker maker =
        holder == 0 && world.parts.has(SimParts.Habit.WAITS_FOR_OTHER_SHARDS_ONLY)
            ? BrokenPublishers.thatAcknowledgeAtOnce()
            : world.parts.publishers();
    return maker.make(name, numbers, machine, SimWorld.TERMS, world.limits);
  }

  private List<ShardPlace> places() {
    List<ShardPlace> places = new ArrayList<>(layout.places(SimWorld.TABLE));
    if (world.parts.has(SimParts.Habit.MISTAKES_SHARDS)) {
      Collections.rotate(places, 1);
    }
    return places;
  }

  /** Keeps filters where the cluster keeps them now. */
  void follow() {
    if (layout.equals(world.layout())) {
      return;
    }
    layout = world.layout();
    for (SimHost host : List.copyOf(hosts)) {
      if (host.published.moveTo(places())) {
        host.rebuild();
      }
    }
    wake();
  }

  List<SimHost> hosts() {
    return hosts;
  }

  /** Whether HBase has taken the server for dead: nothing it appends to its log counts. */
  boolean isFenced() {
    return fenced;
  }

  void fence() {
    fenced = true;
  }

  SimHost open(SimRegion region) {
    region.epoch++;
    long opened = machine.monotonicNanos();
    ShardedRegion published =
        new ShardedRegion(region.name, places(), place -> part(region, place, opened));
    SimHost host = new SimHost(world, this, region, published);
    hosts.add(host);
    world.trace(() -> name + " opens " + region.incarnation(SimWorld.TABLE));
    host.build();
    wake();
    return host;
  }

  private ShardedRegion.Part part(SimRegion region, ShardPlace place, long opened) {
    ServerPublisher publisher = publisherFor(place.holder());
    return new ShardedRegion.Part(
        publisher, publisher.open(region.incarnation(place.name()), SimWorld.GEOMETRY, opened));
  }

  void forget(SimHost host) {
    host.published.forget();
    hosts.remove(host);
    if (hosts.isEmpty()) {
      publishers.clear(); // the last region to leave ends them, the next one starts others
    }
  }

  /** Something has happened: sends what there is to send, and goes on with what was waiting. */
  void wake() {
    if (awake) {
      return;
    }
    awake = true;
    publishers.forEach(
        (holder, publisher) -> publisher.poll().ifPresent(push -> send(publisher, holder, push)));
    for (SimHost host : List.copyOf(hosts)) {
      host.proceed();
    }
    awake = false;
    long number = ++timer;
    runIn(
        publishers.values().stream()
            .mapToLong(publisher -> machine.until(publisher.nextDeadline()))
            .min()
            .orElse(SimWorld.TERMS.heartbeatNanos()),
        () -> {
          if (number == timer) {
            wake();
          }
        });
  }

  private void send(ServerPublisher sender, int holder, Push push) {
    SimMaster to = world.masterFor(this, holder);
    if (to == null) {
      return; // the push is lost; nobody has told the server of this holder yet
    }
    world.network.send(
        this,
        to,
        () -> {
          if (world.isBusy()) {
            long pause = world.millis(1, 200);
            world.network.send(to, this, () -> heldUp(sender, push, pause));
            return;
          }
          to.isTold(push);
          PushReply reply = to.take(push);
          world.trace(() -> name + " -> master " + reply.token().master() + " " + push + reply);
          world.network.send(to, this, () -> receive(sender, reply));
        });
  }

  private void heldUp(ServerPublisher sender, Push push, long pause) {
    sender.onPushBusy(push.number(), pause);
    wake();
  }

  private void receive(ServerPublisher sender, PushReply reply) {
    world.trace(() -> name + " hears of " + reply.number());
    sender.onReply(reply);
    wake();
  }
}
