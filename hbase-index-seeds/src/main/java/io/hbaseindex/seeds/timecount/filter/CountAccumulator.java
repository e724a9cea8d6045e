/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.timecount.filter;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * Adds up the windows of one answer, and their errors.
 *
 * <p>Two bounds are kept, each of which may fail with half the risk, and the smaller one is stated:
 *
 * <ul>
 *   <li>Half the risk is shared out evenly over the windows that may be looked at. By the union
 *       bound the sum of the windows' own bounds then fails with at most this half. Good for few,
 *       full windows.
 *   <li>The mean excess of all windows together, divided by the other half: Markov's inequality.
 *       Good for many windows that are each rarely wrong.
 * </ul>
 *
 * <p>Both hold whether or not windows fail together. They do: all windows use the same hashes, so
 * an element that collides with a frequent one collides with it everywhere, and the paper's {@code
 * 1 - (1 - P)^l}, which takes them as independent, is no bound.
 */
@InterfaceAudience.Private
public final class CountAccumulator {
  private final TimeSpan asked;
  private final double risk;
  private final double windowShare;
  private long count;
  private long windowBounds;
  private double meanExcess;
  private double inexact;
  private TimeSpan covered;

  /**
   * @param hashes counters of an element in a window
   * @param windows the number of windows that will be looked at, at most
   */
  public CountAccumulator(TimeSpan asked, double risk, int hashes, long windows) {
    if (!(risk > 0 && risk < 1)) {
      throw new IllegalArgumentException(
          "Cannot count: risk was " + risk + "; it must lie between 0 and 1");
    }
    this.asked = asked;
    this.risk = risk;
    this.windowShare = CounterTail.shareFor(risk / 2 / Math.max(1, windows), hashes);
    this.covered = asked;
  }

  public TimeSpan asked() {
    return asked;
  }

  void add(CountingWindow window, int estimate) {
    CounterTail tail = window.tail();
    // Windows that say zero are in the means, too: to leave out those known to be right would
    // understate how often the others are wrong.
    inexact += tail.excessProbability();
    meanExcess += tail.meanExcess();
    if (estimate > 0) {
      count += estimate;
      windowBounds += Math.min(estimate, tail.excessAt(windowShare));
      covered = covered.enclosing(window.span());
    }
  }

  public CountEstimate answer() {
    long bound = Math.min(windowBounds, (long) (meanExcess / (risk / 2)));
    return new CountEstimate(count, covered, bound, risk, Math.min(1, inexact));
  }
}
