/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.common.query;

import org.apache.yetus.audience.InterfaceAudience;

/** What is known about a filter that is not itself a condition on a column's newest value. */
@InterfaceAudience.Private
public enum FilterTrait {
  /**
   * Judges each row by that row alone, and if it hides a cell of a column from the filters beside
   * it, then it hides all older cells of that column too.
   */
  ROW_LOCAL,
  /** Is {@link #ROW_LOCAL}, and shows either all cells of a row or none. */
  WHOLE_ROWS,
  /**
   * Is {@link #WHOLE_ROWS} as long as it is shown rows by rising keys: it remembers that the last
   * row it wants has passed.
   */
  WHOLE_ROWS_BY_RISING_KEYS,
  /** Judges each row by that row alone, but may hide a column's newest cell and show an older. */
  VERSION_SELECTIVE,
  /** Anything may depend on anything. */
  UNKNOWN
}
