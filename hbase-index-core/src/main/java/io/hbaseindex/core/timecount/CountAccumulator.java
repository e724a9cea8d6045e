package io.hbaseindex.core.timecount;

/**
 * Adds up the windows of one answer, and their errors.
 *
 * <p>The risk is shared out evenly over the windows that may be looked at; by the union bound the
 * sum of the windows' bounds then fails with at most the whole risk, whether or not windows fail
 * together. They do: all windows use the same hashes, so an element that collides with a frequent
 * one collides with it everywhere, and the paper's {@code 1 - (1 - P)^l}, which takes them as
 * independent, is no bound.
 */
final class CountAccumulator {
  private final TimeSpan asked;
  private final double risk;
  private final double windowRisk;
  private long count;
  private long excess;
  private double inexact;
  private TimeSpan covered;

  /**
   * @param windows the number of windows that will be looked at, at most
   */
  CountAccumulator(TimeSpan asked, double risk, long windows) {
    if (!(risk > 0 && risk < 1)) {
      throw new IllegalArgumentException(
          "Cannot count: risk was " + risk + "; it must lie between 0 and 1");
    }
    this.asked = asked;
    this.risk = risk;
    this.windowRisk = risk / Math.max(1, windows);
    this.covered = asked;
  }

  TimeSpan asked() {
    return asked;
  }

  void add(CountingWindow window, int estimate, int hashes) {
    // Counts for windows that say zero, too: to leave out those known to be right would understate
    // how often the others are wrong.
    inexact += window.inexactProbability(hashes);
    if (estimate > 0) {
      count += estimate;
      excess += Math.min(estimate, window.excessAt(windowRisk, hashes));
      covered = covered.enclosing(window.span());
    }
  }

  CountEstimate answer() {
    return new CountEstimate(count, covered, excess, risk, Math.min(1, inexact));
  }
}
