/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.matrix;

import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Counts the bytes of filters against a limit that is never passed. Several matrices may share one;
 * or each has a {@link #share} of it, which gives back what it has taken when it is closed.
 *
 * <p>Safe for use by many threads.
 */
@InterfaceAudience.Private
public final class MatrixBudget implements AutoCloseable {
  private static final int SPARED = 4;

  private final long limit;
  private final Optional<MatrixBudget> whole;
  private long used;
  private boolean closed;

  /** A budget of which nothing is in use. */
  public MatrixBudget(long limit) {
    this(limit, Optional.empty());
  }

  private MatrixBudget(long limit, Optional<MatrixBudget> whole) {
    if (limit < 0) {
      throw new IllegalArgumentException(
          "Cannot make a routing matrix: its byte budget was "
              + limit
              + "; it must not be negative");
    }
    this.limit = limit;
    this.whole = whole;
  }

  /** A part that takes from this budget, as much as is left. */
  public MatrixBudget share() {
    return new MatrixBudget(limit, Optional.of(this));
  }

  public long limit() {
    return limit;
  }

  /** Bytes in use. */
  public synchronized long used() {
    return used;
  }

  /** What it may come to as things are: a share, by what others have left of the whole. */
  public synchronized long withinReach() {
    return whole.map(all -> Math.min(limit, used + all.limit() - all.used())).orElse(limit);
  }

  /** Takes so many bytes if they are left. */
  public synchronized boolean tryTake(long bytes) {
    boolean left = !closed && bytes <= limit - used;
    if (!left || !whole.map(all -> all.tryTake(bytes)).orElse(true)) {
      return false;
    }
    used += bytes;
    return true;
  }

  /** Takes so many bytes if a quarter of all is left after that. */
  public synchronized boolean tryTakeSparing(long bytes) {
    return bytes <= withinReach() - used - limit / SPARED && tryTake(bytes);
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
  public synchronized void giveBack(long bytes) {
    used -= bytes;
    if (!closed) {
      whole.ifPresent(all -> all.giveBack(bytes));
    }
  }

  /** Gives back all that is in use, to the budget that this is a share of, and takes no more. */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      whole.ifPresent(all -> all.giveBack(used));
    }
  }
}
