/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.oracle;

/**
 * How the questions of several runs were answered. The bars are for all of them together: one run
 * asks each shape some sixteen times, of which two that fell back would be too many.
 *
 * @param jumps by shape of query
 * @param rows of numbers of rows
 * @param values of values of a column, their sums and orders
 * @param times of the times that a column's cells were written at
 */
record OracleTally(JumpTally jumps, CountTally rows, CountTally values, CountTally times) {
  OracleTally() {
    this(new JumpTally(), new CountTally(), new CountTally(), new CountTally());
  }

  /** Fails unless the index has answered a good part. */
  void requireEnough() {
    jumps.requireEnoughJumps();
    rows.requireEnoughFromPostings();
    values.requireEnoughFromPostings();
    times.requireEnoughFromPostings();
  }

  @Override
  public String toString() {
    return jumps + "; " + rows + "; of values: " + values + "; of times: " + times;
  }
}
