/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.context;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Exclusive locks on the data rows of one region. Whoever computes the postings of a row from what
 * is stored holds the row's lock from the read until the result is in the memstore.
 *
 * <p>HBase's own row locks do not serve: plain puts and batches share them. All rows of a batch are
 * locked in row order, so two batches cannot wait for each other, and they are released together;
 * one latch per batch is therefore all that waiters need. A row costs one entry in a map while it
 * is locked. Waiting is bounded by the time given to the constructor.
 */
@InterfaceAudience.Private
public final class RowLocks {
  private final ConcurrentMap<Row, Held> owners = new ConcurrentHashMap<>();
  private final long waitMillis;
  private final LongSupplier nanoClock;

  /**
   * @param waitMillis how long a batch waits for its locks, in sum
   * @param nanoClock a monotonic clock
   */
  public RowLocks(long waitMillis, LongSupplier nanoClock) {
    this.waitMillis = waitMillis;
    this.nanoClock = nanoClock;
  }

  /**
   * Locks all of {@code rows}, in order.
   *
   * @throws TimeoutException if one stayed locked by others; then none is held
   * @throws InterruptedException if interrupted while waiting; then none is held
   */
  public Held acquire(Collection<byte[]> rows) throws TimeoutException, InterruptedException {
    List<Row> sorted = sorted(rows);
    Held held = new Held(sorted);
    boolean complete = false;
    try {
      long deadline = nanoClock.getAsLong() + TimeUnit.MILLISECONDS.toNanos(waitMillis);
      for (Row row : sorted) {
        acquire(row, held, deadline);
      }
      complete = true;
      return held;
    } finally {
      if (!complete) {
        held.release();
      }
    }
  }

  private static List<Row> sorted(Collection<byte[]> rows) {
    List<Row> result = new ArrayList<>(rows.size());
    boolean ascending = true;
    for (byte[] key : rows) {
      Row row = new Row(key);
      ascending &= result.isEmpty() || result.get(result.size() - 1).compareTo(row) < 0;
      result.add(row);
    }
    return ascending ? result : List.copyOf(new TreeSet<>(result));
  }

  private void acquire(Row row, Held held, long deadline)
      throws TimeoutException, InterruptedException {
    Held owner = owners.putIfAbsent(row, held);
    while (owner != null) {
      if (!owner.released.await(deadline - nanoClock.getAsLong(), TimeUnit.NANOSECONDS)) {
        throw new TimeoutException(
            "row %s was locked by other writes for %d ms".formatted(row, waitMillis));
      }
      owner = owners.putIfAbsent(row, held);
    }
  }

  /** How many rows are locked at the moment. */
  public int size() {
    return owners.size();
  }

  /** The locks of one batch. */
  public final class Held {
    private final Collection<Row> rows;
    private final CountDownLatch released = new CountDownLatch(1);

    private Held(Collection<Row> rows) {
      this.rows = rows;
    }

    /** Releases all rows; doing it again does nothing. */
    public void release() {
      rows.forEach(row -> owners.remove(row, this));
      released.countDown();
    }
  }

  private static final class Row implements Comparable<Row> {
    private final byte[] key;
    private final int hash;

    Row(byte[] key) {
      this.key = key;
      this.hash = Arrays.hashCode(key);
    }

    @Override
    public int compareTo(Row other) {
      return Arrays.compareUnsigned(key, other.key);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Row that && hash == that.hash && Arrays.equals(key, that.key);
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public String toString() {
      return PrintableRow.of(key);
    }
  }
}
