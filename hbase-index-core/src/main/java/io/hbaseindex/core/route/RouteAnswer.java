/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.route;

import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The key ranges where rows that satisfy a predicate may be: all keys but those of regions that
 * were proven to hold none.
 *
 * @param candidates what was not proven, in key order and without overlaps
 * @param excluded regions proven not to hold such a row
 * @param positive regions whose filter answered that they may
 * @param open announced regions whose filter could not be asked, whatever the reason
 */
@InterfaceAudience.Private
public record RouteAnswer(List<Candidate> candidates, int excluded, int positive, int open) {
  /**
   * A range that may hold such a row.
   *
   * @param server the server that announced the region; null if none did, and if these are several
   *     regions that nothing is known of here
   * @param open why its filter was not asked; null if it was, and answered that it may
   */
  public record Candidate(RowRange range, String server, OpenReason open) {}

  public RouteAnswer {
    candidates = List.copyOf(candidates);
  }

  /** The answer for a table that nothing is known of. */
  public static RouteAnswer unknownTable() {
    return new RouteAnswer(List.of(new Candidate(RowRange.ALL, null, OpenReason.ABSENT)), 0, 0, 0);
  }

  /**
   * Whether a server may hold such a row: one of its regions may, or nobody has announced some of
   * the keys.
   */
  public boolean mayHold(String server) {
    return candidates.stream()
        .anyMatch(candidate -> candidate.server() == null || candidate.server().equals(server));
  }

  /** Whether a key lies in some candidate. */
  public boolean mayHold(byte[] key) {
    return candidates.stream().anyMatch(candidate -> candidate.range().contains(key));
  }
}
