/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.scale.virtual;

import io.hbaseindex.core.time.MachineClock;
import java.util.PriorityQueue;

/**
 * Time that passes only by what happens: the event that is due next is run, and the clock of all
 * machines stands at its moment meanwhile.
 */
public final class VirtualTime implements MachineClock {
  public static final long MICRO = 1_000;
  public static final long MILLI = 1_000_000;
  public static final long SECOND = 1_000_000_000;

  private record Event(long at, long order, Runnable action) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(at, other.at);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private long now;
  private long order;

  /** Nanoseconds since the simulation began. */
  public long now() {
    return now;
  }

  /** Runs an action after some nanoseconds. */
  public void in(long nanos, Runnable action) {
    events.add(new Event(now + nanos, order++, action));
  }

  /** Runs everything that is due before a moment, and stands at that moment then. */
  public void runUntil(long moment) {
    while (!events.isEmpty() && events.peek().at < moment) {
      Event event = events.remove();
      now = event.at;
      event.action.run();
    }
    now = moment;
  }

  @Override
  public long monotonicNanos() {
    return now;
  }

  @Override
  public long wallMillis() {
    return now / MILLI;
  }
}
