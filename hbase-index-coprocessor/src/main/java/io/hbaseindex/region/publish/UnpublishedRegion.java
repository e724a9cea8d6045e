/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.publish;

import io.hbaseindex.core.push.LeaseTerms;
import io.hbaseindex.core.time.MachineClock;
import io.hbaseindex.region.context.FilterFeed;
import io.hbaseindex.region.metrics.IndexCounter;
import io.hbaseindex.region.metrics.IndexMetrics;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The feed of a region that publishes no filter. Another server may have published one of the same
 * keys before, and may have died: as long as that can still be trusted, writes wait as they do in a
 * region that publishes. The master is not asked, so only time ends this; and where it is known
 * that nobody ever published, nobody waits.
 */
@InterfaceAudience.Private
public final class UnpublishedRegion implements FilterFeed {

  /** Lets time pass. */
  interface Sleeper {
    void sleep(long nanos) throws InterruptedException;
  }

  private final LongSupplier nanoClock;
  private final Sleeper sleeper;
  private final BooleanSupplier publishedBefore;
  private final IndexMetrics metrics;
  private final long trustedUntil;

  UnpublishedRegion(
      LeaseTerms terms,
      LongSupplier nanoClock,
      Sleeper sleeper,
      BooleanSupplier publishedBefore,
      IndexMetrics metrics) {
    this.nanoClock = nanoClock;
    this.sleeper = sleeper;
    this.publishedBefore = publishedBefore;
    this.metrics = metrics;
    this.trustedUntil = nanoClock.getAsLong() + terms.openingNanos();
  }

  /**
   * For a region that has just opened.
   *
   * @param server the region server's own configuration
   * @param publishedBefore whether an earlier incarnation may have published a filter; asked when
   *     something is written
   */
  public static UnpublishedRegion of(
      Configuration server,
      MachineClock clock,
      BooleanSupplier publishedBefore,
      IndexMetrics metrics) {
    return new UnpublishedRegion(
        RegionFeed.leaseTerms(server),
        clock::monotonicNanos,
        TimeUnit.NANOSECONDS::sleep,
        publishedBefore,
        metrics);
  }

  @Override
  public boolean isFollowing() {
    return false;
  }

  /** Whether so little time has passed that a filter of before, if there is one, may be trusted. */
  public boolean mayBeTrusted() {
    return leftNanos() > 0;
  }

  private boolean isOpening() {
    return mayBeTrusted() && publishedBefore.getAsBoolean();
  }

  @Override
  public Step beginUnindexed() {
    return isOpening() ? this::awaitEndOfTrust : Step.NONE;
  }

  @Override
  public Step begin(Collection<byte[]> started, Collection<byte[]> kept, Collection<byte[]> ended) {
    return beginUnindexed();
  }

  private long leftNanos() {
    return trustedUntil - nanoClock.getAsLong();
  }

  /** Returns when no filter of before can be trusted any more. */
  public void awaitEndOfTrust() {
    if (!isOpening()) {
      return;
    }
    metrics.increment(IndexCounter.OPENING_WAITS);
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
}
