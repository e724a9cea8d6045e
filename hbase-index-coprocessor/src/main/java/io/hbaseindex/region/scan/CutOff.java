/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan;

/**
 * Decides when jumping no longer pays.
 *
 * <p><b>Density.</b> Jumping from a row to its direct neighbour costs more than walking there. How
 * far candidates lie apart cannot be seen while jumping, so now and then a candidate is walked to:
 * a probe. If {@value #DENSE_PROBES} probes in a row find it to be the next row, jumping ends. A
 * probe that finds another row costs that row, and doubles the distance to the next probe, up to
 * {@value #MAX_PROBE_INTERVAL} candidates: sparse candidates are probed less and less.
 *
 * <p><b>Staleness.</b> If three quarters of {@value #STALE_WINDOW} candidates in a row turned out
 * not to match, the postings are worth little, and jumping ends.
 *
 * <p>Neither is asked before a number of candidates given at construction. Pure bookkeeping; not
 * thread-safe.
 */
final class CutOff {
  static final int DENSE_PROBES = 8;
  static final int STALE_WINDOW = 128;
  private static final int FIRST_PROBE_INTERVAL = 16;
  private static final int MAX_PROBE_INTERVAL = 4_096;

  private final int after;
  private long candidates;
  private long nextProbe;
  private int probeInterval = FIRST_PROBE_INTERVAL;
  private int neighboursInARow;
  private int inWindow;
  private int staleInWindow;
  private boolean mostlyStale;

  /**
   * @param after candidates that are jumped to in any case
   */
  CutOff(int after) {
    this.after = after;
    this.nextProbe = after;
  }

  /** Whether the next candidate should be walked to rather than jumped to. */
  boolean wantsProbe() {
    return candidates >= nextProbe;
  }

  /** A candidate that was walked to was the next row, or was not. */
  void probed(boolean neighbour) {
    neighboursInARow = neighbour ? neighboursInARow + 1 : 0;
    probeInterval =
        neighbour ? FIRST_PROBE_INTERVAL : Math.min(2 * probeInterval, MAX_PROBE_INTERVAL);
    nextProbe = candidates + probeInterval;
  }

  /** A candidate was looked at. */
  void candidate(boolean stale) {
    candidates++;
    inWindow++;
    staleInWindow += stale ? 1 : 0;
    if (inWindow == STALE_WINDOW) {
      mostlyStale = candidates >= after && staleInWindow >= STALE_WINDOW * 3 / 4;
      inWindow = 0;
      staleInWindow = 0;
    }
  }

  boolean isDense() {
    return neighboursInARow >= DENSE_PROBES;
  }

  boolean isMostlyStale() {
    return mostlyStale;
  }
}
