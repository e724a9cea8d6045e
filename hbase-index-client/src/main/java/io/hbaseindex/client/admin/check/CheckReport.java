/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.admin.check;

import java.util.ArrayList;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What a check of a table has found.
 *
 * @param rows rows looked at
 * @param postings postings looked at
 * @param missing how many postings rows lack
 * @param dangling how many postings name rows that do not call for them
 * @param stale how many such postings there are in indexes that may have them for a time, which are
 *     lazy ones and those on families with a TTL; they are no fault
 * @param overstated how many postings say for certain what their row does not show for certain
 * @param repaired how many of these were mended
 * @param examples the first faults, at most {@value #MAX_EXAMPLES}
 */
@InterfaceAudience.Public
public record CheckReport(
    long rows,
    long postings,
    long missing,
    long dangling,
    long stale,
    long overstated,
    long repaired,
    List<IndexFault> examples) {

  /** A broken table may have faults without number; a person reads a few. */
  public static final int MAX_EXAMPLES = 100;

  /** The report of a check that had nothing to look at. */
  public static final CheckReport NOTHING = new CheckReport(0, 0, 0, 0, 0, 0, 0, List.of());

  /** Copies the list. */
  public CheckReport {
    examples = List.copyOf(examples);
  }

  /** Whether nothing is wrong. */
  public boolean isClean() {
    return missing == 0 && dangling == 0 && overstated == 0;
  }

  /** The same without what was looked at. */
  CheckReport faultsAlone() {
    return new CheckReport(0, 0, missing, dangling, stale, overstated, repaired, examples);
  }

  CheckReport and(CheckReport other) {
    List<IndexFault> all = new ArrayList<>(examples);
    all.addAll(other.examples);
    return new CheckReport(
        rows + other.rows,
        postings + other.postings,
        missing + other.missing,
        dangling + other.dangling,
        stale + other.stale,
        overstated + other.overstated,
        repaired + other.repaired,
        all.subList(0, Math.min(all.size(), MAX_EXAMPLES)));
  }
}
