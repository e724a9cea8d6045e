/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master.page.model;

import io.hbaseindex.core.route.OpenReason;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Which regions a query would ask.
 *
 * @param regions the table's regions in key order, up to a bound; none if there is a problem
 * @param skipped how many of all regions are proven not to hold such a row
 * @param matched how many may, by their filter
 * @param unfiltered how many are asked because their filter cannot be
 * @param askedBy the sets of columns that filters were asked by
 * @param problem why it cannot be told; empty if it can
 */
@InterfaceAudience.Private
public record Explained(
    List<Region> regions,
    int skipped,
    int matched,
    int unfiltered,
    List<String> askedBy,
    String problem) {
  /** What becomes of a region; what stands out in a picture comes last. */
  public enum Asked {
    SKIPPED,
    UNFILTERED,
    MATCHED
  }

  /**
   * One region and what becomes of it.
   *
   * @param why why its filter cannot be asked; null if it was
   */
  public record Region(RegionSight region, Asked asked, OpenReason why) {}

  public Explained {
    regions = List.copyOf(regions);
    askedBy = List.copyOf(askedBy);
  }

  /** The answer to a question that cannot be answered. */
  public static Explained refused(String problem) {
    return new Explained(List.of(), 0, 0, 0, List.of(), problem);
  }
}
