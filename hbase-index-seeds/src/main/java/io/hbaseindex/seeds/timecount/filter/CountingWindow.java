/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.timecount.filter;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * The counting vector of one window (the paper's CBF): an element's count is the least of its
 * counters, which is never below the number of its events.
 *
 * <p>Each event raises each <em>distinct</em> counter of its element once, so an element never adds
 * to its own error. There is no deletion: what a window has counted stays.
 */
@InterfaceAudience.Private
public final class CountingWindow {
  private final int capacity;
  private final PackedCounters counters;
  private final CounterTail tail;
  private TimeSpan span;
  private int events;

  /** An empty window that takes {@code capacity} events, the first of them at {@code time}. */
  public CountingWindow(MbfParameters parameters, long time) {
    this.capacity = parameters.windowCapacity();
    this.counters = new PackedCounters(parameters.counters(), parameters.counterWidth());
    this.tail = new CounterTail(parameters.counters(), parameters.counterHashes(), capacity);
    this.span = TimeSpan.at(time);
  }

  /**
   * A window as it was stored.
   *
   * @throws IllegalArgumentException if a counter is above the events, which raise it one by one
   */
  public CountingWindow(
      TimeSpan span, int events, int capacity, PackedCounters counters, int counterHashes) {
    requireCounted(counters, events);
    this.span = span;
    this.events = events;
    this.capacity = capacity;
    this.counters = counters;
    this.tail = CounterTail.of(counters, counterHashes, capacity);
  }

  /** Memory is taken for the highest counter, so a broken one must not get that far. */
  private static void requireCounted(PackedCounters counters, int events) {
    for (int i = 0; i < counters.size(); i++) {
      if (counters.get(i) > events) {
        throw new IllegalArgumentException(
            "a counter is at " + counters.get(i) + " after " + events + " events");
      }
    }
  }

  /** One window for the events of both; it takes no more events. */
  static CountingWindow merge(MbfParameters parameters, CountingWindow one, CountingWindow other) {
    int events = one.events + other.events;
    int width = MbfParameters.counterWidth(events);
    return new CountingWindow(
        one.span.enclosing(other.span),
        events,
        events,
        PackedCounters.sum(one.counters, other.counters, width),
        parameters.counterHashes());
  }

  boolean canMergeWith(CountingWindow other) {
    return (long) events + other.events <= MbfParameters.MAX_WINDOW_CAPACITY;
  }

  void record(ElementPositions element, long time) {
    if (isFull()) {
      throw new IllegalStateException(
          "Cannot record an event: the window holds " + events + " of " + capacity);
    }
    for (int position : element.counters()) {
      int value = counters.get(position);
      counters.set(position, value + 1);
      tail.raisedFrom(value);
    }
    events++;
    span = span.enclosing(TimeSpan.at(time));
  }

  int estimate(ElementPositions element) {
    int least = Integer.MAX_VALUE;
    for (int position : element.counters()) {
      least = Math.min(least, counters.get(position));
      if (least == 0) {
        return 0;
      }
    }
    return least;
  }

  /** How far {@link #estimate} may exceed the truth, and how often. */
  CounterTail tail() {
    return tail;
  }

  public boolean isFull() {
    return events >= capacity;
  }

  public TimeSpan span() {
    return span;
  }

  public int events() {
    return events;
  }

  public int capacity() {
    return capacity;
  }

  public PackedCounters counters() {
    return counters;
  }

  long bytes() {
    return (long) counters.wordCount() * Long.BYTES + tail.bytes();
  }
}
