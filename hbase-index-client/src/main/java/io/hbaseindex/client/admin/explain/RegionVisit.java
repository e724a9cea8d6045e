/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.admin.explain;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What one region did for a scan.
 *
 * @param region the region's encoded name
 * @param startKey its first key
 * @param server the server that has it
 * @param plan which postings it read, in words; empty if none
 * @param choices for each index whether the plan uses it, and why
 * @param accesses what was expected of the postings it read, or could have read, and what became of
 *     it
 * @param counters what it counted for this scan, under the names of its status
 * @param planning time spent on choosing the plan
 * @param opening time spent on reading postings before the first row
 */
@InterfaceAudience.Public
public record RegionVisit(
    String region,
    byte[] startKey,
    String server,
    String plan,
    List<Choice> choices,
    List<Access> accesses,
    Map<String, Long> counters,
    Duration planning,
    Duration opening) {

  /** Copies the lists and the map. */
  public RegionVisit {
    choices = List.copyOf(choices);
    accesses = List.copyOf(accesses);
    counters = Map.copyOf(counters);
  }

  /**
   * Whether a plan uses an index.
   *
   * @param index its name
   * @param used whether it does
   * @param reason how, or why not
   */
  public record Choice(String index, boolean used, String reason) {}

  /**
   * One access to postings.
   *
   * @param access in words, such as {@code lookup by_city}
   * @param estimated live postings that the region's filter expected at most; empty if it has none
   * @param leftOut whether it was not read, because that would have cost more than it saves
   * @param live live postings of it that were read; all of them, unless the scan ended before or
   *     jumped over some
   */
  public record Access(String access, OptionalLong estimated, boolean leftOut, long live) {}
}
