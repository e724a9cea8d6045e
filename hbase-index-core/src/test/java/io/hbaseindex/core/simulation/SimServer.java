/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.simulation;

import io.hbaseindex.core.publish.PublishedRegion;
import io.hbaseindex.core.publish.RegionNumbers;
import io.hbaseindex.core.publish.ServerPublisher;
import io.hbaseindex.core.push.Push;
import io.hbaseindex.core.push.PushReply;
import java.util.ArrayList;
import java.util.List;

/** A region server: its regions, and the one connection through which they are published. */
final class SimServer extends SimProcess {
  final String name;
  private final SimWorld world;
  private final RegionNumbers numbers = new RegionNumbers(0);
  private ServerPublisher publisher;
  private final List<SimHost> hosts = new ArrayList<>();
  private boolean fenced;
  private boolean awake;
  private long timer;

  /** The master that the server takes for the active one. */
  SimMaster master;

  SimServer(SimWorld world, String name, SimTime.Machine machine) {
    super(world.time, machine);
    this.world = world;
    this.name = name;
    this.publisher = newPublisher();
    this.master = world.active();
  }

  private ServerPublisher newPublisher() {
    return world.parts.publishers().make(name, numbers, machine, SimWorld.TERMS, world.limits);
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
    PublishedRegion published =
        publisher.open(region.incarnation(SimWorld.TABLE), SimWorld.GEOMETRY);
    SimHost host = new SimHost(world, this, region, published);
    hosts.add(host);
    world.trace(() -> name + " opens " + host.published.incarnation());
    host.build();
    wake();
    return host;
  }

  void forget(SimHost host) {
    publisher.forget(host.published);
    hosts.remove(host);
    if (hosts.isEmpty()) {
      publisher = newPublisher(); // the last region to leave ends it, the next one starts another
    }
  }

  /** Something has happened: sends what there is to send, and goes on with what was waiting. */
  void wake() {
    if (awake) {
      return;
    }
    awake = true;
    publisher.poll().ifPresent(this::send);
    for (SimHost host : List.copyOf(hosts)) {
      host.proceed();
    }
    awake = false;
    long number = ++timer;
    runIn(
        machine.until(publisher.nextDeadline()),
        () -> {
          if (number == timer) {
            wake();
          }
        });
  }

  private void send(Push push) {
    SimMaster to = world.masterFor(this);
    ServerPublisher sender = publisher;
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
