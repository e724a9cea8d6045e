/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.chaos.load;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Lets so many operations pass in a second, whoever asks; nothing is saved up. */
public final class Pace {
  private final long gapNanos;
  private long next = System.nanoTime();

  public Pace(int perSecond) {
    this.gapNanos = TimeUnit.SECONDS.toNanos(1) / perSecond;
  }

  /** Waits for its turn. */
  void await() {
    long turn;
    synchronized (this) {
      turn = Math.max(next, System.nanoTime());
      next = turn + gapNanos;
    }
    for (long left = turn - System.nanoTime(); left > 0; left = turn - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
