/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.admin.explain;

import io.hbaseindex.common.query.PlainScanReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hbase.TableName;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What one scan did: where it looked and why, which indexes it used and why not others, what that
 * cost.
 *
 * <p>The figures of {@link #visits} are the servers' own: whatever a region counted for the scan,
 * under the names of its counters. A region that has moved between the scan and the question has
 * forgotten it and is missing.
 *
 * @param table the table
 * @param plain why no index may serve the scan, whatever indexes there are; empty if one may
 * @param route where the scan was sent
 * @param visits what each region did that the scan came to, in key order
 * @param rows rows returned to the client
 * @param times how long it took
 * @param fittingIndex the index that the query could do with; empty if the table has it, or if none
 *     would help
 */
@InterfaceAudience.Public
public record Explanation(
    TableName table,
    Optional<PlainScanReason> plain,
    RouteFigures route,
    List<RegionVisit> visits,
    long rows,
    Times times,
    Optional<IndexAdvice> fittingIndex) {

  /** Fewer rows or postings than this are no trouble, however few of them are wanted. */
  private static final long FEW = 10;

  /** Copies the list. */
  public Explanation {
    visits = List.copyOf(visits);
  }

  /**
   * How long the steps took, by the client's clock.
   *
   * @param routing asking where to look
   * @param scanning reading all rows by that route
   * @param collecting asking the regions afterwards what they did
   */
  public record Times(Duration routing, Duration scanning, Duration collecting) {}

  /**
   * Whether and how an index was used.
   *
   * @param index its name
   * @param usedIn regions whose plan has it
   * @param reasons why not, or how, with the number of regions that say so
   */
  public record IndexUse(String index, int usedIn, Map<String, Integer> reasons) {}

  /** What was counted in all regions, added up by name. */
  public Map<String, Long> counters() {
    Map<String, Long> sums = new TreeMap<>();
    for (RegionVisit visit : visits) {
      visit.counters().forEach((name, value) -> sums.merge(name, value, Long::sum));
    }
    return sums;
  }

  /** The sum of one counter over all regions. */
  public long counted(String counter) {
    return counters().getOrDefault(counter, 0L);
  }

  /** Each index of the table, in how many regions it was used, and why not in others. */
  public List<IndexUse> indexes() {
    Map<String, Map<String, Integer>> reasons = new TreeMap<>();
    Map<String, Integer> used = new TreeMap<>();
    for (RegionVisit visit : visits) {
      for (RegionVisit.Choice choice : visit.choices()) {
        reasons
            .computeIfAbsent(choice.index(), index -> new LinkedHashMap<>())
            .merge(choice.reason(), 1, Integer::sum);
        used.merge(choice.index(), choice.used() ? 1 : 0, Integer::sum);
      }
    }
    List<IndexUse> uses = new ArrayList<>();
    reasons.forEach((index, why) -> uses.add(new IndexUse(index, used.get(index), why)));
    return uses;
  }

  /**
   * What was expected of postings, and what became of it, added up over all regions by the words
   * for the access: how often it was read, and how often left out.
   */
  public List<AccessSum> accesses() {
    Map<String, AccessSum> sums = new TreeMap<>();
    for (RegionVisit visit : visits) {
      for (RegionVisit.Access access : visit.accesses()) {
        sums.merge(access.access(), AccessSum.of(access), AccessSum::plus);
      }
    }
    return List.copyOf(sums.values());
  }

  /**
   * One access to postings in several regions.
   *
   * @param access in words
   * @param estimated live postings that the regions' filters expected at most, added up over those
   *     regions that have one
   * @param unknown regions whose filters did not know
   * @param readIn regions that read it
   * @param leftOutIn regions that left it out, because it would have cost more than it saves
   * @param live live postings of it that were read
   */
  public record AccessSum(
      String access, long estimated, int unknown, int readIn, int leftOutIn, long live) {
    private static AccessSum of(RegionVisit.Access one) {
      return new AccessSum(
          one.access(),
          one.estimated().orElse(0),
          one.estimated().isPresent() ? 0 : 1,
          one.leftOut() ? 0 : 1,
          one.leftOut() ? 1 : 0,
          one.live());
    }

    private AccessSum plus(AccessSum other) {
      return new AccessSum(
          access,
          estimated + other.estimated,
          unknown + other.unknown,
          readIn + other.readIn,
          leftOutIn + other.leftOutIn,
          live + other.live);
    }
  }

  /**
   * An index that the table could do with: the query has read whole regions, or more than twice as
   * many rows or postings as it returned rows.
   */
  public Optional<IndexAdvice> advice() {
    long read = Math.max(counted("postingsRead"), counted("rowsRead"));
    boolean wholeRegions = counted("scansJumped") == 0 && route.candidates() > 0;
    boolean wasteful = read > FEW && read > 2 * rows && counted("scansOrdered") == 0;
    return wholeRegions || wasteful ? fittingIndex : Optional.empty();
  }

  /** The servers that the scan came to. */
  public long serversVisited() {
    return visits.stream().map(RegionVisit::server).distinct().count();
  }
}
