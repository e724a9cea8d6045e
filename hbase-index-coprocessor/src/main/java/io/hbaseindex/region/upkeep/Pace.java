/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.upkeep;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Keeps long work to half of a thread's time: after each step it rests for as long as the step
 * took. Used by one thread.
 */
@InterfaceAudience.Private
public final class Pace {
  /** A step may have waited for something itself; then it need not rest for that long, too. */
  private static final long LONGEST_REST_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Lets time pass. */
  public interface Sleeper {
    void sleep(long nanos) throws InterruptedException;
  }

  private final LongSupplier nanoClock;
  private final Sleeper sleeper;
  private long began;

  /** The first step begins now. */
  public Pace(LongSupplier nanoClock, Sleeper sleeper) {
    this.nanoClock = nanoClock;
    this.sleeper = sleeper;
    this.began = nanoClock.getAsLong();
  }

  /** A step is over; returns when the next one may begin. */
  public void rest() {
    try {
      sleeper.sleep(Math.min(nanoClock.getAsLong() - began, LONGEST_REST_NANOS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the work goes on, and whoever wants it ended says so
    }
    began = nanoClock.getAsLong();
  }
}
