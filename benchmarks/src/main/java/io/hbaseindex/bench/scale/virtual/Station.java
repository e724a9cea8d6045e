/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.scale.virtual;

import java.util.ArrayDeque;

/**
 * Places that are taken in the order in which they are asked for: the cores of a machine, or a
 * lock, which is a station of one place.
 */
public final class Station {
  private final VirtualTime time;
  private final int places;
  private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
  private int taken;
  private long busyNanos;
  private long changedAt;

  /** A station of so many places, all free. */
  public Station(VirtualTime time, int places) {
    this.time = time;
    this.places = places;
  }

  /** Runs something as soon as a place is free, which is taken from then on. */
  public void acquire(Runnable granted) {
    if (taken == places) {
      waiting.add(granted);
    } else {
      count(1);
      granted.run();
    }
  }

  /** Gives a place back; whoever waits for the longest gets it. */
  public void release() {
    Runnable next = waiting.poll();
    if (next == null) {
      count(-1);
    } else {
      next.run();
    }
  }

  private void count(int more) {
    busyNanos += taken * (time.now() - changedAt);
    changedAt = time.now();
    taken += more;
  }

  /** Nanoseconds for which places were taken so far, all together. */
  public long busyNanos() {
    count(0);
    return busyNanos;
  }
}
