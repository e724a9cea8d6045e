/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.publish;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HorizonTest {
  /** The clock wraps around before the horizon. */
  private static final long NOW = Long.MAX_VALUE - 10;

  private final Horizon horizon = new Horizon();

  @Test
  void untouched_hasPassed() {
    assertThat(horizon.hasPassed(NOW)).isTrue();
    assertThat(horizon.earlierOf(NOW + 5, NOW)).isEqualTo(NOW + 5);
  }

  @Test
  void hasPassed_atItsMoment_andNotBefore() {
    horizon.extendTo(NOW + 20);
    assertThat(horizon.hasPassed(NOW + 19)).isFalse();
    assertThat(horizon.hasPassed(NOW + 20)).isTrue();
  }

  @Test
  void extendTo_anEarlierMoment_doesNotBringItNearer() {
    horizon.extendTo(NOW + 20);
    horizon.extendTo(NOW + 15);
    assertThat(horizon.hasPassed(NOW + 19)).isFalse();
    horizon.extendTo(NOW + 25);
    assertThat(horizon.hasPassed(NOW + 24)).isFalse();
  }

  @Test
  void extendTo_afterItHasPassed_isPendingAgain() {
    horizon.extendTo(NOW + 20);
    assertThat(horizon.hasPassed(NOW + 20)).isTrue();
    horizon.extendTo(NOW + 12);
    assertThat(horizon.hasPassed(NOW + 11)).isFalse();
  }

  @Test
  void extendTo_another_onlyIfThatIsPending() {
    Horizon other = new Horizon();
    horizon.extendTo(other);
    assertThat(horizon.hasPassed(NOW)).isTrue();
    other.extendTo(NOW + 20);
    horizon.extendTo(other);
    assertThat(horizon.hasPassed(NOW + 19)).isFalse();
    assertThat(horizon.hasPassed(NOW + 20)).isTrue();
  }

  @Test
  void end_leavesNothing() {
    horizon.extendTo(NOW + 20);
    horizon.end();
    assertThat(horizon.hasPassed(NOW)).isTrue();
  }

  @Test
  void earlierOf_isTheHorizonOnlyIfThatComesFirst() {
    horizon.extendTo(NOW + 20);
    assertThat(horizon.earlierOf(NOW + 19, NOW)).isEqualTo(NOW + 19);
    assertThat(horizon.earlierOf(NOW + 21, NOW)).isEqualTo(NOW + 20);
    assertThat(horizon.earlierOf(NOW + 21, NOW + 20)).isEqualTo(NOW + 21);
  }
}
