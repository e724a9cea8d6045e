/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.oracle;

/** The kinds of question a client can ask; every kind is asked after every burst of writes. */
enum QueryShape {
  EQUAL(true),
  /** One of several values, as an OR of equalities. */
  IN(true),
  PREFIX(true),
  LESS(true),
  LESS_OR_EQUAL(true),
  GREATER(true),
  GREATER_OR_EQUAL(true),
  /** Between two bounds of one column. */
  BETWEEN(true),
  /** Two columns, both must hold. */
  AND(true),
  /** Two columns, one must hold. */
  OR(true),
  /** ANDs and ORs inside each other. */
  NESTED(true),
  /** Together with filters that look at keys or cells and remember nothing. */
  WITH_STATELESS(true),
  /**
   * ColumnValueFilter, which answers with the matching cells and allows batch and partial results.
   */
  CELLS(true),
  /** Equality under a row limit, small caching and a small result size. */
  LIMITED(true),
  /** Reads nothing but columns of one index and those that it includes. */
  COVERED(true),
  /** On a column of partial indexes, for rows that meet the condition of one. */
  PARTIAL(true),
  /** On a column of no index, or only partly so: must be answered, must not jump. */
  UNINDEXED(false),
  /** Filters with memory, filterIfMissing=false, all versions, time ranges, not-equal, raw. */
  UNSUITABLE(false),
  /** Backwards through the table. */
  REVERSED(false);

  private final boolean eligible;

  QueryShape(boolean eligible) {
    this.eligible = eligible;
  }

  /** Whether an index that is ready must be used for such a query. */
  boolean eligible() {
    return eligible;
  }
}
