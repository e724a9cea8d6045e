/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.matrix;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * An update would take a {@link RoutingMatrix} past its byte budget; it was refused and the matrix
 * is as it was before. The owner concerned has to be treated as a candidate for every element.
 */
@InterfaceAudience.Private
public final class RoutingBudgetExceededException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final long needed;
  private final long used;
  private final long budget;

  RoutingBudgetExceededException(String purpose, long needed, long used, long budget) {
    super(
        "Cannot "
            + purpose
            + ": it needs "
            + needed
            + " bytes and "
            + used
            + " of a budget of "
            + budget
            + " are in use; raise the budget or remove owners");
    this.needed = needed;
    this.used = used;
    this.budget = budget;
  }

  /** Bytes the update needs on top of those in use. */
  public long needed() {
    return needed;
  }

  /** Bytes in use. */
  public long used() {
    return used;
  }

  /** Bytes the matrix may use. */
  public long budget() {
    return budget;
  }
}
