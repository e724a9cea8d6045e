/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.admin.filters;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * How large filters are and how full.
 *
 * @param segments number of segments
 * @param bytes bytes of their bits
 * @param cells number of their bits
 * @param bits how many of them are set
 * @param error the estimated probability that an absent element passes one of them
 */
@InterfaceAudience.Public
public record FilterFigures(int segments, long bytes, long cells, long bits, double error) {
  /** The figures of no filter. */
  static final FilterFigures NONE = new FilterFigures(0, 0, 0, 0, 0);

  /**
   * The share of bits that are set.
   *
   * @return between 0 and 1
   */
  public double fill() {
    return cells == 0 ? 0 : (double) bits / cells;
  }

  /** The figures of both together: their union answers for either. */
  FilterFigures with(FilterFigures other) {
    return new FilterFigures(
        segments + other.segments,
        bytes + other.bytes,
        cells + other.cells,
        bits + other.bits,
        1 - (1 - error) * (1 - other.error));
  }
}
