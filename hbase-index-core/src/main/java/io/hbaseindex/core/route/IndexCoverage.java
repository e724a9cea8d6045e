/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.route;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * One set of columns of one index under one definition of it, in a table of one shape. A filter
 * proves nothing about the set unless it covers exactly these four numbers.
 *
 * @param space the {@linkplain io.hbaseindex.core.definition.RouteSet#space number} of the set,
 *     never used for another one. All columns of an index have the index's id, which is what
 *     releases that know no smaller sets cover and ask for
 * @param version counts the definitions the index has had
 * @param seed the seed its elements are hashed with
 * @param shape the number of the table descriptor that a region runs with, or that a question was
 *     judged by. After a change of the table the regions take on the new descriptor one by one;
 *     what may be concluded from an absent value can differ between the old and the new one.
 */
@InterfaceAudience.Private
public record IndexCoverage(long space, long version, long seed, long shape) {
  /** The id of the index that the set is of. */
  public int indexId() {
    return (int) space;
  }

  /** Whether the set is of all columns of its index. */
  public boolean isWhole() {
    return space >>> Integer.SIZE == 0;
  }
}
