/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.simulation;

import java.util.HashSet;
import java.util.Set;
import java.util.random.RandomGenerator;

/** Loses, doubles, delays and reorders messages, and cuts off one direction of a connection. */
final class SimNetwork {
  private record Way(SimProcess from, SimProcess to) {}

  private final SimTime time;
  private final RandomGenerator random;
  private final Set<Way> cut = new HashSet<>();
  private double loss;
  private double doubling;
  private double delays;

  SimNetwork(SimTime time, RandomGenerator random) {
    this.time = time;
    this.random = random;
    this.loss = pick(0, 0, 0.02, 0.15);
    this.doubling = pick(0, 0.05, 0.3);
    this.delays = pick(0, 0.05, 0.3);
  }

  private double pick(double... choices) {
    return choices[random.nextInt(choices.length)];
  }

  void send(SimProcess from, SimProcess to, Runnable delivery) {
    deliver(from, to, delivery);
    if (random.nextDouble() < doubling) {
      deliver(from, to, delivery);
    }
  }

  private void deliver(SimProcess from, SimProcess to, Runnable delivery) {
    if (random.nextDouble() < loss || cut.contains(new Way(from, to))) {
      return;
    }
    long delay = SimTime.MILLI / 2 + random.nextInt((int) (4 * SimTime.MILLI));
    if (random.nextDouble() < delays) {
      delay += random.nextInt(random.nextBoolean() ? 200 : 3_000) * SimTime.MILLI;
    }
    time.in(delay, () -> to.run(delivery));
  }

  void cut(SimProcess from, SimProcess to) {
    cut.add(new Way(from, to));
  }

  void mend(SimProcess from, SimProcess to) {
    cut.remove(new Way(from, to));
  }

  /** From now on everything arrives, once and soon. */
  void heal() {
    cut.clear();
    loss = 0;
    doubling = 0;
    delays = 0;
  }
}
