/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.simulation;

import io.hbaseindex.core.time.MachineClock;
import java.util.PriorityQueue;
import java.util.random.RandomGenerator;

/** Simulated time: what is due next happens next, and time passes only by that. */
final class SimTime {
  static final long MILLI = 1_000_000;

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

  long now() {
    return now;
  }

  void in(long nanos, Runnable action) {
    events.add(new Event(now + nanos, order++, action));
  }

  /** Lets the next event happen. */
  void step() {
    Event event = events.remove();
    now = event.at;
    event.action.run();
  }

  /**
   * The clocks of one machine. They run a little too fast or too slow, and can be made to stand
   * still, jump, or run at quite another speed.
   */
  final class Machine implements MachineClock {
    private final double usualRate;
    private double rate;
    private double wallRate = 1;
    private long since;
    private double nanosAtSince;
    private double wallNanosAtSince;
    private final long nanosAtStart;
    private final long wallAtStart;

    /** A machine whose monotonic clock is off by at most the given share. */
    Machine(RandomGenerator random, double drift) {
      this.usualRate = 1 + drift * (2 * random.nextDouble() - 1);
      this.rate = usualRate;
      this.since = now;
      // Close to the end of its range, so that comparisons by < instead of by difference show.
      this.nanosAtStart = Long.MAX_VALUE - random.nextInt(1 << 30) * 20L;
      this.wallAtStart = random.nextInt();
    }

    @Override
    public long monotonicNanos() {
      return nanosAtStart + (long) (nanosAtSince + (now - since) * rate);
    }

    @Override
    public long wallMillis() {
      return wallAtStart + (long) ((wallNanosAtSince + (now - since) * wallRate) / MILLI);
    }

    /** From now on the clocks run at so many times their usual speed. */
    void setSpeed(double monotonic, double wall) {
      nanosAtSince += (now - since) * rate;
      wallNanosAtSince += (now - since) * wallRate;
      since = now;
      rate = usualRate * monotonic;
      wallRate = wall;
    }

    boolean runsAsUsual() {
      return rate == usualRate && wallRate == 1;
    }

    /** Sets the monotonic clock forward. */
    void jump(long nanos) {
      nanosAtSince += nanos;
    }

    /** Sets the wall clock, forward or back. */
    void setWall(long nanos) {
      wallNanosAtSince += nanos;
    }

    /** How long until the monotonic clock has passed a moment; at least 1 µs. */
    long until(long moment) {
      double slowest = Math.max(rate, usualRate / 100);
      return Math.max((long) ((moment - monotonicNanos()) / slowest) + 1_000, 1_000);
    }
  }
}
