/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.simulation;

/** Something that runs on a machine, can be paused, and ends. */
abstract class SimProcess {
  final SimTime time;
  final SimTime.Machine machine;
  private boolean dead;
  private long pausedUntil;
  private long pauses;

  SimProcess(SimTime time, SimTime.Machine machine) {
    this.time = time;
    this.machine = machine;
  }

  boolean isDead() {
    return dead;
  }

  void die() {
    dead = true;
  }

  boolean isPaused() {
    return time.now() < pausedUntil;
  }

  /** How often the process has been paused so far. */
  long pauses() {
    return pauses;
  }

  void pause(long nanos) {
    pausedUntil = Math.max(pausedUntil, time.now() + nanos);
    pauses++;
  }

  /** Does something as soon as the process runs, and never if it is dead by then. */
  void run(Runnable action) {
    if (dead) {
      return;
    }
    if (isPaused()) {
      time.in(pausedUntil - time.now(), () -> run(action));
    } else {
      action.run();
    }
  }

  /** Does something after some time. */
  void runIn(long nanos, Runnable action) {
    time.in(nanos, () -> run(action));
  }
}
