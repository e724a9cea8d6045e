/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.scale;

import io.hbaseindex.bench.scale.virtual.CpuCosts.Call;
import io.hbaseindex.bench.scale.virtual.VirtualTime;
import io.hbaseindex.core.filter.FilterGeometry;
import io.hbaseindex.core.format.MalformedBlobException;
import io.hbaseindex.core.memory.PagedMemory;
import io.hbaseindex.core.publish.PublishLimits;
import io.hbaseindex.core.publish.PublishedRegion;
import io.hbaseindex.core.publish.ServerPublisher;
import io.hbaseindex.core.push.Push;
import io.hbaseindex.core.push.PushReply;
import io.hbaseindex.core.push.RegionIncarnation;
import io.hbaseindex.core.push.RegionNumbers;
import io.hbaseindex.core.wire.PushCodec;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * What one region server has towards one holder: the deployed publisher, driven as the publishing
 * thread of a region server drives it. A write sends by itself if nothing is under way; an answer,
 * or the moment the publisher names, makes it look again.
 */
final class HolderChannel {
  /** The thread looks at the clock so often while it waits for an answer. */
  private static final int LOOKS_PER_PUSH_TIMEOUT = 4;

  private final ScaleWorld world;
  private final Supplier<SimulatedHolder> holder;
  private final ServerPublisher publisher;
  private final Set<RegionShard> waiting = new LinkedHashSet<>();
  private long timer;
  private boolean ended;

  HolderChannel(
      ScaleWorld world,
      String server,
      RegionNumbers numbers,
      PagedMemory memory,
      Supplier<SimulatedHolder> holder) {
    this.world = world;
    this.holder = holder;
    this.publisher =
        new ServerPublisher(
            server, numbers, world.time, world.terms, PublishLimits.standard(), memory);
  }

  PublishedRegion open(RegionIncarnation incarnation) {
    return publisher.open(incarnation, FilterGeometry.standard());
  }

  /** Something waits for the holder in a region. */
  void awaits(RegionShard shard) {
    waiting.add(shard);
  }

  /** The server's process ends. */
  void end() {
    ended = true;
  }

  /** A write has something to tell. */
  void sendNow() {
    Optional<Push> push = world.costs.measure(Call.POLL, publisher::pollIfIdle);
    send(push, world.costs.lastNanos());
  }

  /** Looks whether there is something to send and whether waits are over, and when to look next. */
  void look() {
    if (ended) {
      return;
    }
    Optional<Push> push = world.costs.measure(Call.POLL, publisher::poll);
    send(push, world.costs.lastNanos());
    waiting.removeIf(RegionShard::settle);
    long longest = world.terms.pushTimeoutNanos() / LOOKS_PER_PUSH_TIMEOUT;
    long nanos = Math.min(publisher.nextDeadline() - world.time.monotonicNanos(), longest);
    long number = ++timer;
    world.time.in(
        Math.max(0, nanos) + VirtualTime.MILLI,
        () -> {
          if (number == timer) {
            look();
          }
        });
  }

  private void send(Optional<Push> polled, long pollNanos) {
    if (polled.isEmpty()) {
      return;
    }
    Push push = polled.get();
    byte[] blob = world.costs.measure(Call.SEND, () -> PushCodec.encode(push));
    long sent = world.time.now();
    world.traffic.pushes++;
    world.traffic.pushBytes += blob.length;
    world.traffic.messages += push.messages().size();
    world.time.in(
        pollNanos + world.costs.lastNanos(),
        () ->
            world.deliver(
                () ->
                    holder
                        .get()
                        .receive(
                            blob,
                            reply -> world.deliver(() -> hear(reply, sent)),
                            pause -> world.deliver(() -> busy(push, pause)),
                            () -> world.deliver(() -> failed(push)))));
  }

  private void hear(byte[] blob, long sent) {
    if (ended) {
      return;
    }
    if (world.time.now() - sent >= world.terms.pushTimeoutNanos()) {
      world.traffic.late++;
    }
    world.traffic.replyBytes += blob.length;
    world.costs.measure(
        Call.HEAR,
        () -> {
          publisher.onReply(decode(blob));
          return null;
        });
    world.time.in(world.costs.lastNanos(), this::look);
  }

  private void busy(Push push, long pauseNanos) {
    if (!ended) {
      publisher.onPushBusy(push.number(), pauseNanos);
      look();
    }
  }

  private void failed(Push push) {
    if (!ended) {
      publisher.onPushFailed(push.number());
      look();
    }
  }

  private static PushReply decode(byte[] blob) {
    try {
      return PushCodec.decodeReply(blob);
    } catch (MalformedBlobException e) {
      throw new IllegalStateException("Cannot read a reply that was just written", e);
    }
  }

  /** Why regions are open, as their server sees it. */
  List<String> openReasons() {
    return publisher.statuses().stream()
        .filter(status -> !status.precise())
        .map(status -> String.valueOf(status.openReason()))
        .toList();
  }
}
