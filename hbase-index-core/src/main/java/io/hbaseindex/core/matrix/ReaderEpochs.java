/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.matrix;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/**
 * A count of the reader sections that are open, by the parity of the epoch they began in.
 *
 * <p>A reader reads the epoch, counts itself in under the epoch's parity, and reads the epoch
 * again; if it has moved, the reader counts itself out and starts over. The updater moves the epoch
 * on and waits until the count of the parity it left is zero. Three cases exhaust what a reader can
 * be:
 *
 * <ul>
 *   <li>It was confirmed in the epoch just left. Its count came before the move, so the updater
 *       sees it and waits.
 *   <li>It was confirmed in an earlier epoch. The wait that ended that epoch has waited for it.
 *   <li>It is confirmed in the new epoch or later. It has read what the updater wrote last, so it
 *       sees all that was written before the wait began.
 * </ul>
 *
 * <p>Without the second look a reader could read the epoch, be delayed, and count itself in under a
 * parity whose count the updater has already found to be zero; the next wait, on the other parity,
 * would not wait for it either.
 *
 * <p>Counts are striped over cells a cache line or more apart, chosen by thread, so that readers on
 * different processors do not contend. A reader leaves through the cell it came in by, hence each
 * cell by itself falls to zero, and the updater may look at the cells one after another.
 *
 * <p>A reader starts over only when an update happened meanwhile, so some thread always advances.
 * How long the updater waits is bounded by the longest section.
 */
final class ReaderEpochs implements ReaderSections {
  /** No ticket: the epoch has moved since it was read. */
  static final int MOVED = -1;

  /** Two cache lines: processors fetch them in pairs. */
  private static final int CELL_SPACING = 16;

  private static final int MAX_STRIPES = 64;
  private static final int SPINS_BEFORE_PARKING = 200;
  private static final long PARK_NANOS = 20_000;

  private final int stripes;
  private final AtomicLongArray counts;
  private volatile long epoch;

  ReaderEpochs() {
    this(Runtime.getRuntime().availableProcessors());
  }

  ReaderEpochs(int parallelism) {
    int wanted = Math.min(MAX_STRIPES, Math.max(1, parallelism));
    this.stripes = Integer.highestOneBit(2 * wanted - 1);
    this.counts = new AtomicLongArray((2 * stripes + 1) * CELL_SPACING);
  }

  @Override
  public int enter() {
    int ticket = tryEnter(epoch);
    while (ticket == MOVED) {
      ticket = tryEnter(epoch);
    }
    return ticket;
  }

  /** The epoch of now, which a reader enters with. */
  long epoch() {
    return epoch;
  }

  /** Opens a section in an epoch that was read before, or says that it has {@link #MOVED}. */
  int tryEnter(long seen) {
    int stripe = (int) Thread.currentThread().getId() & stripes - 1;
    int cell = cell((int) seen & 1, stripe);
    counts.getAndIncrement(cell);
    if (epoch == seen) {
      return cell;
    }
    counts.getAndDecrement(cell);
    return MOVED;
  }

  @Override
  public void exit(int ticket) {
    counts.getAndDecrement(ticket);
  }

  @Override
  public void awaitReaders() {
    long left = epoch;
    epoch = left + 1;
    for (int stripe = 0; stripe < stripes; stripe++) {
      awaitZero(cell((int) left & 1, stripe));
    }
  }

  private int cell(int parity, int stripe) {
    return (2 * stripe + parity + 1) * CELL_SPACING;
  }

  private void awaitZero(int cell) {
    for (int spins = 0; counts.get(cell) != 0; spins++) {
      if (spins < SPINS_BEFORE_PARKING) {
        Thread.onSpinWait();
      } else if (Thread.currentThread().isInterrupted()) {
        // Parking returns at once while the interrupt is pending, and is not ours to clear.
        Thread.yield();
      } else {
        LockSupport.parkNanos(this, PARK_NANOS);
      }
    }
  }
}
