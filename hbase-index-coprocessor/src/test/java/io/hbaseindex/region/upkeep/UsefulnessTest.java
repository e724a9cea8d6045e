/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.upkeep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class UsefulnessTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private long now = -5;
  private long empty = 100;
  private final Usefulness usefulness = new Usefulness(now, empty);

  private void pass(int seconds, int scansPerSecond, boolean open) {
    for (int second = 0; second < seconds; second++) {
      now += SECOND;
      empty += scansPerSecond;
      usefulness.look(now, open, empty);
    }
  }

  @Test
  void rate_ofAnOpenRegion_isTheMeanAndThenFollowsChanges() {
    pass(1, 3, true);
    assertThat(usefulness.rate()).isCloseTo(3, within(1e-9));
    pass(1, 5, true);
    assertThat(usefulness.rate()).isCloseTo(4, within(1e-9));
    pass(3600, 10, true);
    assertThat(usefulness.rate()).isCloseTo(10, within(0.1));
    pass(3600, 0, true);
    assertThat(usefulness.rate()).isCloseTo(0, within(0.1));
  }

  @Test
  void rate_ofARegionWithAFilter_isForgottenByHalfInHours() {
    pass(60, 8, true);
    pass((int) (Usefulness.HALF_LIFE_NANOS / SECOND), 0, false);
    assertThat(usefulness.rate()).isCloseTo(4, within(0.01));
  }

  @Test
  void look_atTheSameMoment_changesNothing() {
    pass(60, 8, true);
    usefulness.look(now, true, empty + 1000);
    assertThat(usefulness.rate()).isCloseTo(8, within(1e-9));
  }
}
