/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.scale;

import io.hbaseindex.bench.scale.virtual.CpuCosts.Call;
import io.hbaseindex.bench.scale.virtual.Station;
import io.hbaseindex.bench.scale.virtual.VirtualTime;
import io.hbaseindex.core.format.MalformedBlobException;
import io.hbaseindex.core.push.Push;
import io.hbaseindex.core.push.PushReply;
import io.hbaseindex.core.registry.FilterRegistry;
import io.hbaseindex.core.registry.RegistryLimits;
import io.hbaseindex.core.time.Jitter;
import io.hbaseindex.core.wire.PushCodec;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * A holder of filters: the deployed registry behind a gate, some cores, and the lock that pushes
 * are applied under. Each step occupies a core for the processor time that it really took.
 *
 * <pre>
 *   arrival ─► gate ─► decode ─► (lock) apply ─► encode ─► departure
 *               │ no place in time
 *               └─► refused
 * </pre>
 */
final class SimulatedHolder {
  /** A push that waits at the gate. */
  private static final class Waiting {
    final Runnable enter;
    boolean over;

    Waiting(Runnable enter) {
      this.enter = enter;
    }
  }

  private static final int PAUSES_PER_PATIENCE = 32;
  private static final long TIDYING_NANOS = 20 * VirtualTime.MILLI;

  private final ScaleWorld world;
  private final Jitter jitter;
  private final FilterRegistry registry;
  private final Station cores;
  private final Station lock;
  private final ArrayDeque<Waiting> atGate = new ArrayDeque<>();
  private int inside;
  private boolean gone;

  SimulatedHolder(ScaleWorld world, long incarnation) {
    this.world = world;
    this.registry =
        new FilterRegistry(
            incarnation,
            world.time,
            world.terms,
            RegistryLimits.ofBytes(Long.MAX_VALUE),
            world.online::contains,
            moment -> true);
    this.jitter = new Jitter(incarnation);
    this.cores = new Station(world.time, world.settings.cores);
    this.lock = new Station(world.time, world.settings.parallelPushes ? Integer.MAX_VALUE : 1);
    world.time.in(TIDYING_NANOS, () -> cores.acquire(() -> tidy(TIDYING_NANOS)));
  }

  /** A thread that rests as long as it works: step by step, between pushes. */
  private void tidy(long nanosLeft) {
    boolean more = world.costs.measure(Call.TIDY, () -> registry.tidy(1));
    long left = more ? nanosLeft - world.costs.lastNanos() : 0;
    world.time.in(
        world.costs.lastNanos(),
        () -> {
          cores.release();
          if (left > 0) {
            cores.acquire(() -> tidy(left));
          } else if (!gone) {
            world.time.in(TIDYING_NANOS, () -> cores.acquire(() -> tidy(TIDYING_NANOS)));
          }
        });
  }

  FilterRegistry registry() {
    return registry;
  }

  Station cores() {
    return cores;
  }

  Station lock() {
    return lock;
  }

  /** The process ends: nothing that is under way is answered. */
  void end() {
    gone = true;
  }

  /** A push has arrived. */
  void receive(byte[] push, Consumer<byte[]> answered, LongConsumer busy, Runnable unreachable) {
    if (gone) {
      unreachable.run();
    } else if (inside < world.settings.pushPlaces) {
      enter(push, answered);
    } else if (atGate.size() < world.settings.gateQueue) {
      queue(new Waiting(() -> enter(push, answered)), busy);
    } else {
      refuse(busy);
    }
  }

  private void queue(Waiting call, LongConsumer busy) {
    atGate.add(call);
    world.time.in(
        (long) (world.settings.gateWaitMillis * VirtualTime.MILLI),
        () -> {
          if (!call.over && atGate.remove(call)) {
            refuse(busy);
          }
        });
  }

  /** As the master does: tells when the next push may come. */
  private void refuse(LongConsumer busy) {
    world.traffic.refused++;
    busy.accept(jitter.lengthen(world.terms.patienceNanos() / PAUSES_PER_PATIENCE));
  }

  private void enter(byte[] blob, Consumer<byte[]> answered) {
    inside++;
    long rpc = (long) (world.settings.rpcMicros * VirtualTime.MICRO);
    cores.acquire(
        () -> {
          Push push = world.costs.measure(Call.DECODE, () -> decode(blob));
          world.time.in(
              rpc + world.costs.lastNanos(),
              () -> {
                cores.release();
                lock.acquire(() -> cores.acquire(() -> apply(push, answered)));
              });
        });
  }

  private void apply(Push push, Consumer<byte[]> answered) {
    PushReply reply = world.costs.measure(Call.APPLY, () -> registry.apply(push));
    world.time.in(
        world.costs.lastNanos(),
        () -> {
          lock.release();
          byte[] blob = world.costs.measure(Call.REPLY, () -> PushCodec.encode(reply));
          world.time.in(
              world.costs.lastNanos(),
              () -> {
                cores.release();
                leave();
                if (!gone) {
                  answered.accept(blob);
                }
              });
        });
  }

  private void leave() {
    inside--;
    Waiting next = atGate.poll();
    if (next != null) {
      next.over = true;
      next.enter.run();
    }
  }

  private static Push decode(byte[] blob) {
    try {
      return PushCodec.decodePush(blob);
    } catch (MalformedBlobException e) {
      throw new IllegalStateException("Cannot read a push that was just written", e);
    }
  }
}
