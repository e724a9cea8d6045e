/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.push.LeaseTerms;
import io.hbaseindex.region.context.FilterFeed;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnpublishedRegionTest {
  private static final LeaseTerms TERMS = LeaseTerms.standard();
  private static final long OPENED = 1_000;

  private long now = OPENED;
  private boolean interrupting;
  private final UnpublishedRegion region = new UnpublishedRegion(TERMS, () -> now, this::sleep);

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
