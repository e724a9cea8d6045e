/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.source;

import java.util.function.LongSupplier;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A circuit breaker for calls to the master. After several failures in a row the master is not
 * asked for a while, so that not every scan waits in vain. After a pause one call is let through.
 * The pause doubles with each call that fails, up to a limit, and any success ends it.
 *
 * <p>Safe for use by many threads.
 */
@InterfaceAudience.Private
public final class RouteBreaker {
  private static final int FAILURES = 3;
  private static final long FIRST_PAUSE_NANOS = 1_000_000_000L;
  private static final long LONGEST_PAUSE_NANOS = 30_000_000_000L;

  private final LongSupplier nanoClock;
  private int failures;
  private boolean broken;
  private boolean trialUnderWay;
  private long pauseNanos = FIRST_PAUSE_NANOS;
  private long retryAt;

  public RouteBreaker(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /** Whether the master may be asked now. Whoever is told so reports how it went. */
  synchronized boolean allows() {
    if (!broken) {
      return true;
    }
    long now = nanoClock.getAsLong();
    if (now - retryAt < 0) {
      return false;
    }
    trialUnderWay = true;
    // Others wait for what becomes of this call; should it never report, they try again later.
    retryAt = now + pauseNanos;
    return true;
  }

  /** Whether the master is left alone now. Asking this is no promise to report. */
  synchronized boolean rests() {
    return broken && nanoClock.getAsLong() - retryAt < 0;
  }

  /** The master answered, whatever it said. */
  synchronized void answered() {
    failures = 0;
    broken = false;
    trialUnderWay = false;
    pauseNanos = FIRST_PAUSE_NANOS;
  }

  /** The master did not answer. */
  synchronized void failed() {
    if (!broken) {
      failures++;
      broken = failures >= FAILURES;
      retryAt = nanoClock.getAsLong() + pauseNanos;
    } else if (trialUnderWay) {
      // Calls that had begun before it broke fail late, and are no reason to wait longer.
      trialUnderWay = false;
      pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
      retryAt = nanoClock.getAsLong() + pauseNanos;
    }
  }
}
