/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.registry;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * The size of filters, and how full they are.
 *
 * @param segments number of segments
 * @param bytes bytes of their bits
 * @param cells number of their bits
 * @param bits how many of them are set
 * @param values the estimated number of distinct elements in them
 * @param error the estimated probability that an absent element passes one of them
 */
@InterfaceAudience.Private
public record FilterSize(
    int segments, long bytes, long cells, long bits, long values, double error) {
  /** The size of no filter. */
  public static final FilterSize NONE = new FilterSize(0, 0, 0, 0, 0, 0);

  /** The share of bits that are set. */
  public double fill() {
    return cells == 0 ? 0 : (double) bits / cells;
  }
}
