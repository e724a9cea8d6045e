/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.lifecycle.background;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PacerTest {

  private long now = Long.MAX_VALUE - 5;
  private int rate = 1_000;
  private final Pacer pacer = new Pacer(() -> now, () -> rate);

  @Test
  void book_waitsAsLongAsTheWorkMayTake() {
    assertThat(pacer.book(100)).isEqualTo(100_000_000);
  }

  @Test
  void book_bySeveral_isLaidOneAfterAnother() {
    pacer.book(100);
    assertThat(pacer.book(50)).isEqualTo(150_000_000);
  }

  @Test
  void book_afterIdleTime_savesNoCredit() {
    pacer.book(100);
    now += 10_000_000_000L;
    assertThat(pacer.book(100)).isEqualTo(100_000_000);
  }

  @Test
  void book_noLimit_neverWaits() {
    rate = 0;
    assertThat(pacer.book(1_000_000)).isZero();
  }

  @Test
  void book_rateRaised_countsAtOnce() {
    pacer.book(900);
    rate = 0;
    assertThat(pacer.book(1)).isZero();
  }

  @Test
  void book_tinyRate_waitIsBounded() {
    rate = 1;
    assertThat(pacer.book(1_000_000)).isEqualTo(Pacer.MAX_WAIT_NANOS);
  }
}
