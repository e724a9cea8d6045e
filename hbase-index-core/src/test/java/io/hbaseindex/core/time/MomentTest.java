/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.time;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MomentTest {
  private static final long MILLI = 1_000_000;
  private static final Moment START = new Moment(7 * MILLI, 1_000);

  @Test
  void isWithin_endsWhenEitherClockHasReachedTheDuration() {
    assertThat(new Moment(10 * MILLI - 1, 1_002).isWithin(3 * MILLI, START)).isTrue();
    assertThat(new Moment(10 * MILLI, 1_002).isWithin(3 * MILLI, START)).isFalse();
    assertThat(new Moment(10 * MILLI - 1, 1_003).isWithin(3 * MILLI, START)).isFalse();
  }

  @Test
  void nanosSince_goesByTheClockThatSaysMore() {
    assertThat(new Moment(12 * MILLI, 1_002).nanosSince(START)).isEqualTo(5 * MILLI);
    assertThat(new Moment(8 * MILLI, 1_004).nanosSince(START)).isEqualTo(4 * MILLI);
    assertThat(new Moment(8 * MILLI, 1_004).millisSince(START)).isEqualTo(4);
  }

  @Test
  void plus_movesBothClocks() {
    assertThat(START.plus(3 * MILLI)).isEqualTo(new Moment(10 * MILLI, 1_003));
  }
}
