/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RouteBreakerTest {
  private long now = 5;
  private final RouteBreaker breaker = new RouteBreaker(() -> now);

  private void fail(int times) {
    for (int i = 0; i < times; i++) {
      breaker.failed();
    }
  }

  private void pass(long seconds) {
    now += TimeUnit.SECONDS.toNanos(seconds);
  }

  @Test
  void failures_fewOrNotInARow_leaveItClosed() {
    fail(2);
    breaker.answered();
    fail(2);

    assertThat(breaker.allows()).isTrue();
  }

  @Test
  void failures_threeInARow_refuseFurtherCallsForAWhile() {
    fail(3);

    assertThat(breaker.allows()).isFalse();
    pass(1);
    assertThat(breaker.allows()).isTrue();
  }

  @Test
  void trial_underWay_keepsOthersWaiting() {
    fail(3);
    pass(1);

    assertThat(breaker.allows()).isTrue();
    assertThat(breaker.allows()).isFalse();
  }

  @Test
  void trial_thatSucceeds_letsEveryoneThrough() {
    fail(3);
    pass(1);
    breaker.allows();
    breaker.answered();

    assertThat(breaker.allows()).isTrue();
    assertThat(breaker.allows()).isTrue();
  }

  @Test
  void trial_thatFails_doublesThePauseUpToALimit() {
    fail(3);
    long pause = 1;
    for (int trial = 0; trial < 10; trial++) {
      pass(pause);
      assertThat(breaker.allows()).isTrue();
      breaker.failed();
      pause = Math.min(2 * pause, 30);
      pass(pause - 1);
      assertThat(breaker.allows()).as("after %d s of %d", pause - 1, pause).isFalse();
      pass(1 - pause);
    }
  }

  @Test
  void trial_thatNeverReports_isFollowedByAnother() {
    fail(3);
    pass(1);
    assertThat(breaker.allows()).isTrue();
    pass(1);

    assertThat(breaker.allows()).isTrue();
  }

  @Test
  void failures_ofCallsBegunBefore_doNotLengthenThePause() {
    fail(20);
    pass(1);

    assertThat(breaker.allows()).isTrue();
  }
}
