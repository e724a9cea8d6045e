/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.admin.explain;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What one region did for a scan.
 *
 * @param region the region's encoded name
 * @param startKey its first key
 * @param server the server that has it
 * @param plan which postings it read, in words; empty if none
 * @param choices for each index whether the plan uses it, and why
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
    Map<String, Long> counters,
    Duration planning,
    Duration opening) {

  /** Copies the list and the map. */
  public RegionVisit {
    choices = List.copyOf(choices);
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
}
