/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.matrix;

import java.util.concurrent.atomic.AtomicLong;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Counts the bytes of filters against a limit that is never passed. Several matrices may share one.
 *
 * <p>Safe for use by many threads.
 */
@InterfaceAudience.Private
public final class MatrixBudget {
  private final long limit;
  private final AtomicLong used = new AtomicLong();

  /** A budget of which nothing is in use. */
  public MatrixBudget(long limit) {
    if (limit < 0) {
      throw new IllegalArgumentException(
          "Cannot make a routing matrix: its byte budget was "
              + limit
              + "; it must not be negative");
    }
    this.limit = limit;
  }

  public long limit() {
    return limit;
  }

  /** Bytes in use. */
  public long used() {
    return used.get();
  }

  /** Takes so many bytes if they are left. */
  public boolean tryTake(long bytes) {
    for (long before = used.get(); bytes <= limit - before; before = used.get()) {
      if (used.compareAndSet(before, before + bytes)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Takes so many bytes.
   *
   * @param purpose what the bytes are for, to complete the sentence "Cannot …"
   * @throws RoutingBudgetExceededException if they are not left; none are taken then
   */
  public void take(long bytes, String purpose) {
    if (!tryTake(bytes)) {
      throw new RoutingBudgetExceededException(purpose, bytes, used(), limit);
    }
  }

  /** Gives bytes back. */
  public void giveBack(long bytes) {
    used.addAndGet(-bytes);
  }
}
