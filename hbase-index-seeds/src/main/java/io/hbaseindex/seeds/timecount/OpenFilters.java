/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.timecount;

import io.hbaseindex.seeds.timecount.filter.CountingWindow;
import io.hbaseindex.seeds.timecount.filter.ElementPositions;
import io.hbaseindex.seeds.timecount.filter.MbfParameters;
import io.hbaseindex.seeds.timecount.filter.MultiBloomFilter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.TreeMap;

/**
 * The filters that still take events, and the windows in them that wait for more.
 *
 * <p>A filter is closed when it has all its windows and none of them waits any longer. Each open
 * filter but the newest therefore has a waiting window, which bounds their number by {@link
 * Windowing#maxOpenWindows} plus one.
 */
final class OpenFilters {
  /** Takes over a filter that gets no more events. */
  @FunctionalInterface
  interface Closing {
    void close(MultiBloomFilter filter) throws IOException;
  }

  private record Place(MultiBloomFilter filter, CountingWindow window) {}

  private final MbfParameters parameters;
  private final Windowing windowing;
  private final Closing closing;
  private final List<MultiBloomFilter> filters = new ArrayList<>();
  private final TreeMap<Long, Place> waiting = new TreeMap<>();
  private long newest;

  /**
   * @param newest time of the newest event that was ever recorded, by an earlier owner perhaps
   */
  OpenFilters(MbfParameters parameters, Windowing windowing, long newest, Closing closing) {
    this.parameters = parameters;
    this.windowing = windowing;
    this.newest = newest;
    this.closing = closing;
  }

  static int maxFilters(Windowing windowing) {
    return windowing.maxOpenWindows() + 1;
  }

  /**
   * Records an event, after closing what it shows to be over.
   *
   * @return false if the event came too late and was not recorded
   * @throws IOException if a filter could not be closed: the filter stays and the event is not
   *     recorded, so that the call can be repeated
   */
  boolean record(ElementPositions element, long time) throws IOException {
    long window = windowing.windowOf(time);
    if (windowing.isOver(window, newest)) {
      return false;
    }
    long newestNow = Math.max(newest, time);
    closeFinished(newestNow);
    newest = newestNow;

    Place place = waiting.get(window);
    if (place == null) {
      place = open(time);
      waiting.put(window, place);
    }
    place.filter.record(place.window, element, time);
    if (place.window.isFull()) {
      waiting.remove(window);
    }
    return true;
  }

  /** Closes every filter, full or not. */
  void closeAll() throws IOException {
    waiting.clear();
    for (Iterator<MultiBloomFilter> each = filters.iterator(); each.hasNext(); ) {
      closing.close(each.next());
      each.remove();
    }
  }

  List<MultiBloomFilter> filters() {
    return filters;
  }

  private Place open(long time) {
    if (filters.isEmpty() || newestFilter().isFull()) {
      filters.add(new MultiBloomFilter(parameters));
    }
    return new Place(newestFilter(), newestFilter().openWindow(time));
  }

  private MultiBloomFilter newestFilter() {
    return filters.get(filters.size() - 1);
  }

  private void closeFinished(long newestNow) throws IOException {
    while (!waiting.isEmpty() && windowing.isOver(waiting.firstKey(), newestNow)) {
      waiting.pollFirstEntry();
    }
    for (Iterator<MultiBloomFilter> each = filters.iterator(); each.hasNext(); ) {
      MultiBloomFilter filter = each.next();
      if (filter.isFull() && !isWaiting(filter)) {
        closing.close(filter);
        each.remove();
      }
    }
  }

  private boolean isWaiting(MultiBloomFilter filter) {
    for (Place place : waiting.values()) {
      if (place.filter == filter) {
        return true;
      }
    }
    return false;
  }
}
