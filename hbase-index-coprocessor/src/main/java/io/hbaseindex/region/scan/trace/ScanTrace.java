/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan.trace;

import io.hbaseindex.region.metrics.IndexCounter;
import io.hbaseindex.region.metrics.IndexMetrics;
import io.hbaseindex.region.metrics.RegionMetrics;
import io.hbaseindex.region.scan.plan.AccessFigures;
import io.hbaseindex.region.scan.plan.IndexChoice;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A record of what one client's scan has done in this region. Everything that it counts is counted
 * by the region too.
 *
 * <p>A client may open several scanners under one trace, one after the other or at once. Safe for
 * use by many threads.
 */
@InterfaceAudience.Private
public final class ScanTrace {
  private static final Set<IndexCounter> OF_SCANS =
      EnumSet.of(
          IndexCounter.SCANS_JUMPED,
          IndexCounter.SCANS_CUT_OFF,
          IndexCounter.CUT_OFF_DENSE,
          IndexCounter.CUT_OFF_STALE,
          IndexCounter.CUT_OFF_READ_FAILED,
          IndexCounter.SCANS_ORDERED,
          IndexCounter.ORDERED_BY_POSTINGS,
          IndexCounter.ORDERED_BY_ROWS,
          IndexCounter.CANDIDATES,
          IndexCounter.STALE_CANDIDATES,
          IndexCounter.ROWS_FROM_POSTINGS,
          IndexCounter.ROWS_READ,
          IndexCounter.POSTINGS_READ);

  private final RegionMetrics counts;
  private String plan = "";
  private List<IndexChoice> choices = List.of();
  private final Map<String, AccessFigures> accesses = new LinkedHashMap<>();
  private long planNanos;
  private long openNanos;

  ScanTrace(IndexMetrics region) {
    this.counts = new RegionMetrics(region);
  }

  /** What to count with. */
  public IndexMetrics counts() {
    return counts;
  }

  /**
   * Notes the plan of a scan, and the time spent on it.
   *
   * @param expected what is known beforehand of what the scan reads
   */
  public synchronized void planned(
      String text, List<IndexChoice> made, List<AccessFigures> expected, long nanos) {
    plan = text;
    choices = List.copyOf(made);
    for (AccessFigures figures : expected) {
      // What scans of other parts of the region have read stays: all of them have one estimate.
      AccessFigures before = accesses.get(figures.access());
      accesses.put(figures.access(), figures.read(before == null ? 0 : before.live()));
    }
    planNanos += nanos;
  }

  /** Adds time spent on opening postings. */
  public synchronized void opened(long nanos) {
    openNanos += nanos;
  }

  /** Adds live postings that were read. */
  public synchronized void read(String access, long live) {
    accesses.merge(
        access,
        new AccessFigures(access, OptionalLong.empty(), false, live),
        (known, more) -> known.read(live));
  }

  /** What was expected of each access to postings, and what became of it. */
  public synchronized List<AccessFigures> accesses() {
    return List.copyOf(accesses.values());
  }

  /** The plan made last, for a person; empty if none could be made. */
  public synchronized String plan() {
    return plan;
  }

  /** For each index of the table, whether the plan uses it and why. */
  public synchronized List<IndexChoice> choices() {
    return choices;
  }

  /** What was counted, by the names a person sees; what scans never count is left out. */
  public Map<String, Long> counters() {
    Map<String, Long> counted = counts.snapshot();
    counted.keySet().removeIf(name -> !isOfScans(name));
    return counted;
  }

  private static boolean isOfScans(String name) {
    return name.startsWith(IndexCounter.SCANS_PLAIN.metricName())
        || OF_SCANS.stream().anyMatch(counter -> counter.metricName().equals(name));
  }

  /** Time spent on choosing a plan. */
  public synchronized long planNanos() {
    return planNanos;
  }

  /** Time spent on reading postings before the first row. */
  public synchronized long openNanos() {
    return openNanos;
  }
}
