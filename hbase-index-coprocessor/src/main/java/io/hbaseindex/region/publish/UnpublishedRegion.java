/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.publish;

import io.hbaseindex.core.push.LeaseTerms;
import io.hbaseindex.core.time.MachineClock;
import io.hbaseindex.region.context.FilterFeed;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The feed of a region that publishes no filter. Another server may have published one of the same
 * keys before, and may have died: as long as that can still be trusted, writes wait as they do in a
 * region that publishes. The master is not asked, so only time ends this.
 */
@InterfaceAudience.Private
public final class UnpublishedRegion implements FilterFeed {

  /** Lets time pass. */
  interface Sleeper {
    void sleep(long nanos) throws InterruptedException;
  }

  private final LongSupplier nanoClock;
  private final Sleeper sleeper;
  private final long trustedUntil;

  UnpublishedRegion(LeaseTerms terms, LongSupplier nanoClock, Sleeper sleeper) {
    this.nanoClock = nanoClock;
    this.sleeper = sleeper;
    this.trustedUntil = nanoClock.getAsLong() + terms.openingNanos();
  }

  /**
   * For a region that has just opened.
   *
   * @param server the region server's own configuration
   */
  public static UnpublishedRegion of(Configuration server, MachineClock clock) {
    return new UnpublishedRegion(
        RegionFeed.leaseTerms(server), clock::monotonicNanos, TimeUnit.NANOSECONDS::sleep);
  }

  @Override
  public boolean isFollowing() {
    return false;
  }

  @Override
  public Step begin(
      Collection<byte[]> started, Collection<byte[]> kept, Collection<byte[]> ended) {
    return leftNanos() <= 0 ? Step.NONE : new WaitingStep();
  }

  private long leftNanos() {
    return trustedUntil - nanoClock.getAsLong();
  }

  private void awaitEndOfTrust() {
    boolean interrupted = false;
    for (long left = leftNanos(); left > 0; left = leftNanos()) {
      try {
        sleeper.sleep(left);
      } catch (InterruptedException e) {
        // Acknowledging early would lose rows; the wait is short, and the interrupt is kept.
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private final class WaitingStep implements Step {
    @Override
    public void awaitConfirmation() {
      awaitEndOfTrust();
    }

    @Override
    public void succeeded() {}

    @Override
    public void end() {}
  }
}
