/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PaceTest {
  private final List<Long> rests = new ArrayList<>();
  private long now = 42;

  private void sleep(long nanos) {
    rests.add(nanos);
    now += nanos;
  }

  @Test
  void rest_afterEachStep_isAsLongAsTheStep() {
    Pace pace = new Pace(() -> now, this::sleep);
    now += 5;
    pace.rest();
    now += 70;
    pace.rest();
    assertThat(rests).containsExactly(5L, 70L);
  }

  @Test
  void rest_afterAVeryLongStep_isASecond() {
    Pace pace = new Pace(() -> now, this::sleep);
    now += TimeUnit.HOURS.toNanos(1);
    pace.rest();
    assertThat(rests).containsExactly(TimeUnit.SECONDS.toNanos(1));
  }

  @Test
  void rest_interrupted_goesOnAndKeepsTheInterrupt() {
    Pace pace =
        new Pace(
            () -> now,
            nanos -> {
              throw new InterruptedException();
            });
    pace.rest();
    assertThat(Thread.interrupted()).isTrue();
  }
}
