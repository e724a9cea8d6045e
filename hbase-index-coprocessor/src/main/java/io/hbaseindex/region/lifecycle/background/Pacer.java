/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.lifecycle.background;

import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * Keeps the background work of one server below a rate: whoever has done some work is told how long
 * to wait before the next piece.
 *
 * <p>The waits of all who share a pacer are laid one after another, so the rate holds for them
 * together. Nobody is ever told to wait longer than {@link #MAX_WAIT_NANOS}, so a changed rate is
 * noticed soon and work that must end is not stuck behind a long sleep; with very low rates the
 * rate is exceeded rather than the wait.
 */
final class Pacer {

  static final long MAX_WAIT_NANOS = 1_000_000_000L;
  private static final double NANOS_PER_SECOND = 1e9;

  private final LongSupplier nanoClock;
  private final IntSupplier rowsPerSecond;
  private long busyUntil;

  /**
   * @param nanoClock monotonic time
   * @param rowsPerSecond asked each time, so that it can change while the server runs; zero or less
   *     means no limit
   */
  Pacer(LongSupplier nanoClock, IntSupplier rowsPerSecond) {
    this.nanoClock = nanoClock;
    this.rowsPerSecond = rowsPerSecond;
    this.busyUntil = nanoClock.getAsLong();
  }

  /** Books {@code rows} rows of work and returns the nanoseconds to wait before the next piece. */
  synchronized long book(long rows) {
    long now = nanoClock.getAsLong();
    int rate = rowsPerSecond.getAsInt();
    if (rate <= 0) {
      busyUntil = now;
      return 0;
    }
    if (busyUntil - now < 0) {
      busyUntil = now;
    }
    busyUntil += (long) (rows * NANOS_PER_SECOND / rate);
    if (busyUntil - now > MAX_WAIT_NANOS) {
      busyUntil = now + MAX_WAIT_NANOS;
    }
    return busyUntil - now;
  }
}
