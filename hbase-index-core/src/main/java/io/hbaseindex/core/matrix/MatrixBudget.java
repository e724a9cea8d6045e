/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.matrix;

/**
 * Counts the bytes of one matrix against a limit that is never passed.
 *
 * <p>Only the updater changes it; anybody may read {@link #used()}.
 */
final class MatrixBudget {
  private final long limit;
  private volatile long used;

  MatrixBudget(long limit) {
    if (limit < 0) {
      throw new IllegalArgumentException(
          "Cannot make a routing matrix: its byte budget was "
              + limit
              + "; it must not be negative");
    }
    this.limit = limit;
  }

  long limit() {
    return limit;
  }

  long used() {
    return used;
  }

  /** Whether {@code bytes} more would stay within the limit. */
  boolean fits(long bytes) {
    return bytes <= limit - used;
  }

  /**
   * Makes sure that {@code bytes} more stay within the limit.
   *
   * @param purpose what the bytes are for, to complete the sentence "Cannot …"
   */
  void require(long bytes, String purpose) {
    if (!fits(bytes)) {
      throw new RoutingBudgetExceededException(purpose, bytes, used, limit);
    }
  }

  void take(long bytes) {
    assert fits(bytes) : bytes + " bytes were not asked for first";
    changeBy(bytes);
  }

  void giveBack(long bytes) {
    changeBy(-bytes);
  }

  private void changeBy(long bytes) {
    used = used + bytes; // not atomic, and need not be: there is one updater
  }
}
