/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.push.LeaseTerms;
import io.hbaseindex.region.context.FilterFeed;
import io.hbaseindex.region.lifecycle.CountingMetrics;
import io.hbaseindex.region.metrics.IndexCounter;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnpublishedRegionTest {
  private static final LeaseTerms TERMS = LeaseTerms.standard();
  private static final long OPENED = 1_000;

  private long now = OPENED;
  private boolean interrupting;
  private boolean publishedBefore = true;
  private final CountingMetrics metrics = new CountingMetrics();
  private final UnpublishedRegion region =
      new UnpublishedRegion(TERMS, () -> now, this::sleep, () -> publishedBefore, metrics);

  private void sleep(long nanos) throws InterruptedException {
    if (interrupting) {
      interrupting = false;
      now++;
      throw new InterruptedException();
    }
    now += nanos;
  }

  private FilterFeed.Step begin() {
    return region.begin(List.of(), List.of(), List.of());
  }

  @Test
  void write_rightAfterTheOpen_waitsUntilNoEarlierTrustIsLeft() {
    begin().awaitConfirmation();
    assertThat(now).isEqualTo(OPENED + TERMS.openingNanos());
    assertThat(metrics.of(IndexCounter.OPENING_WAITS)).isEqualTo(1);
  }

  @Test
  void write_whereNobodyEverPublished_doesNotWait() {
    publishedBefore = false;
    assertThat(begin()).isSameAs(FilterFeed.Step.NONE);
    region.awaitEndOfTrust();
    assertThat(now).isEqualTo(OPENED);
    assertThat(metrics.of(IndexCounter.OPENING_WAITS)).isZero();
  }

  @Test
  void write_begunBeforeTrustIsOverAndWrittenAfter_doesNotWait() {
    FilterFeed.Step step = begin();
    now = OPENED + 2 * TERMS.openingNanos();
    step.awaitConfirmation();
    assertThat(now).isEqualTo(OPENED + 2 * TERMS.openingNanos());
  }

  @Test
  void write_afterNoTrustIsLeft_doesNotWait() {
    now = OPENED + TERMS.openingNanos();
    FilterFeed.Step step = begin();
    assertThat(step).isSameAs(FilterFeed.Step.NONE);
  }

  @Test
  void write_interruptedWhileItWaits_waitsOnAndKeepsTheInterrupt() {
    interrupting = true;
    begin().awaitConfirmation();
    assertThat(now).isEqualTo(OPENED + TERMS.openingNanos());
    assertThat(Thread.interrupted()).isTrue();
  }
}
