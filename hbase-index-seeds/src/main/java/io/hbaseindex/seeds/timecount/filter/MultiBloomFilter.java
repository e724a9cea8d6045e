/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.timecount.filter;

import io.hbaseindex.core.filter.BitPlane;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A group of windows below one bit vector (the paper's MBF): counts an element's events per window
 * and never too few of them.
 *
 * <p>The bit vector holds the elements of all windows. It answers "never seen" for most elements at
 * the price of a few bits, and it multiplies the error for absent elements by its own small one;
 * for elements that are present it does nothing. The windows are {@link CountingWindow}s of equal
 * shape that give an element the same positions, so neighbours can be added up.
 *
 * <p>Two compressions trade precision for room, both without ever losing a count:
 *
 * <ul>
 *   <li>{@link #withMergedNeighbours} adds up neighbouring windows. Time gets coarser <em>and</em>
 *       each merged window is fuller: the paper's claim that the error stays the same does not hold
 *       (measured in docs/SEEDS.md). The bounds of later answers say what became of it.
 *   <li>{@link #mergedWith} joins two filters below one bit vector, the OR of theirs. Windows and
 *       their errors stay as they are; more absent elements pass the fuller bit vector.
 * </ul>
 *
 * <p>Not safe for use by several threads. There is no deletion.
 */
@InterfaceAudience.Private
public final class MultiBloomFilter {
  private final MbfParameters parameters;
  private final BitPlane bits;
  private final List<CountingWindow> windows;

  public MultiBloomFilter(MbfParameters parameters) {
    this(parameters, new BitPlane(parameters.bits()), new ArrayList<>());
  }

  public MultiBloomFilter(MbfParameters parameters, BitPlane bits, List<CountingWindow> windows) {
    this.parameters = parameters;
    this.bits = bits;
    this.windows = windows;
  }

  /** Adds an empty window; the caller has checked that there is room. */
  public CountingWindow openWindow(long time) {
    if (isFull()) {
      throw new IllegalStateException(
          "Cannot open a window: the filter has all its " + windows.size() + " windows");
    }
    CountingWindow window = new CountingWindow(parameters, time);
    windows.add(window);
    return window;
  }

  /** Records an event in one of this filter's windows. */
  public void record(CountingWindow window, ElementPositions element, long time) {
    window.record(element, time);
    for (int position : element.bits()) {
      bits.set(position);
    }
  }

  boolean mightContain(ElementPositions element) {
    for (int position : element.bits()) {
      if (!bits.get(position)) {
        return false;
      }
    }
    return true;
  }

  /** Adds this filter's share to a count. */
  public void count(ElementPositions element, CountAccumulator answer) {
    if (!mightContain(element)) {
      return;
    }
    for (CountingWindow window : windows) {
      if (window.span().overlaps(answer.asked())) {
        answer.add(window, window.estimate(element));
      }
    }
  }

  /**
   * The same events in half as many windows, each added to its neighbour in time. Two windows that
   * together have more than {@link MbfParameters#MAX_WINDOW_CAPACITY} events stay apart.
   */
  public MultiBloomFilter withMergedNeighbours() {
    List<CountingWindow> inTime = new ArrayList<>(windows);
    inTime.sort(Comparator.comparingLong(window -> window.span().first()));
    List<CountingWindow> merged = new ArrayList<>();
    for (int i = 0; i < inTime.size(); i++) {
      CountingWindow window = inTime.get(i);
      if (i + 1 < inTime.size() && window.canMergeWith(inTime.get(i + 1))) {
        merged.add(CountingWindow.merge(parameters, window, inTime.get(++i)));
      } else {
        merged.add(window);
      }
    }
    return new MultiBloomFilter(parameters, bits.copy(), merged);
  }

  /** One filter with the windows of both. */
  public MultiBloomFilter mergedWith(MultiBloomFilter later) {
    BitPlane union = bits.copy();
    later.bits.forEachSet(union::set);
    List<CountingWindow> all = new ArrayList<>(windows);
    all.addAll(later.windows);
    return new MultiBloomFilter(parameters, union, all);
  }

  public boolean isFull() {
    return windows.size() >= parameters.windowsPerFilter();
  }

  /** The times of all events; the filter must have a window. */
  public TimeSpan span() {
    return windows.stream()
        .map(CountingWindow::span)
        .reduce(TimeSpan::enclosing)
        .orElseThrow(() -> new IllegalStateException("Cannot tell the span of an empty filter"));
  }

  public long events() {
    return windows.stream().mapToLong(CountingWindow::events).sum();
  }

  public long bytes() {
    return BitPlane.bytesFor(bits.size()) + windows.stream().mapToLong(CountingWindow::bytes).sum();
  }

  public MbfParameters parameters() {
    return parameters;
  }

  public BitPlane bits() {
    return bits;
  }

  public List<CountingWindow> windows() {
    return windows;
  }
}
