/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing;

import io.hbaseindex.common.query.PlainScanReason;
import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.core.route.RouteAnswer.Candidate;
import io.hbaseindex.core.route.RowRange;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableName;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The key ranges that one scan reads, and why: all but the regions that were proven to hold no row
 * it asks for.
 *
 * @param table the table that is scanned
 * @param unrouted why the scan was not narrowed; empty if it was
 * @param plain what about the scan itself keeps indexes away; only with {@link
 *     UnroutedReason#SCAN_NOT_ELIGIBLE}
 * @param answer the key ranges to look at, with the servers that announced them; all keys if the
 *     scan was not narrowed
 * @param ageMillis how old the filters were that this was decided by; 0 if the master was asked
 */
@InterfaceAudience.Public
public record RoutePlan(
    TableName table,
    Optional<UnroutedReason> unrouted,
    Optional<PlainScanReason> plain,
    RouteAnswer answer,
    long ageMillis) {

  private static final RouteAnswer EVERYWHERE =
      new RouteAnswer(List.of(new Candidate(RowRange.ALL, null, OpenReason.ABSENT)), 0, 0, 0);

  public static RoutePlan routed(TableName table, RouteAnswer answer, long ageMillis) {
    return new RoutePlan(table, Optional.empty(), Optional.empty(), answer, ageMillis);
  }

  public static RoutePlan everywhere(TableName table, UnroutedReason reason) {
    return new RoutePlan(table, Optional.of(reason), Optional.empty(), EVERYWHERE, 0);
  }

  public static RoutePlan notEligible(TableName table, PlainScanReason reason) {
    return new RoutePlan(
        table, Optional.of(UnroutedReason.SCAN_NOT_ELIGIBLE), Optional.of(reason), EVERYWHERE, 0);
  }

  /** Whether filters were asked where to look. */
  public boolean isRouted() {
    return unrouted.isEmpty();
  }

  /** Whether every key range was judged by a filter. */
  public boolean isPrecise() {
    return isRouted() && answer.candidates().stream().allMatch(each -> each.open() == null);
  }

  /** Regions proven not to hold a row that is asked for. */
  public int skippedRegions() {
    return answer.excluded();
  }

  /** Regions whose filter says that they may hold one. */
  public int positiveRegions() {
    return answer.positive();
  }

  /** Announced regions whose filter could not be asked. */
  public int openRegions() {
    return answer.open();
  }

  /** The key ranges to look at, in key order, with those that touch joined. */
  public List<RowRange> ranges() {
    return answer.ranges();
  }

  /** The servers that hold candidates, as far as they are known. */
  public Set<String> servers() {
    return answer.candidates().stream()
        .map(Candidate::server)
        .filter(server -> server != null)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
