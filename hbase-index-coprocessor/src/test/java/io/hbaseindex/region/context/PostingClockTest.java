/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.context;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PostingClockTest {
  private final AtomicLong wall = new AtomicLong(1_000);

  @Test
  void tick_wallClockStandsStill_stillIncreases() {
    PostingClock clock = new PostingClock(wall::get, -1);

    assertThat(clock.tick()).isEqualTo(1_000);
    assertThat(clock.tick()).isEqualTo(1_001);
  }

  @Test
  void tick_wallClockAdvances_follows() {
    PostingClock clock = new PostingClock(wall::get, -1);
    clock.tick();
    wall.set(5_000);

    assertThat(clock.tick()).isEqualTo(5_000);
  }

  @Test
  void P1_tick_wallClockFallsBack_neverDoes() {
    PostingClock clock = new PostingClock(wall::get, -1);
    long before = clock.tick();
    wall.set(900);

    assertThat(clock.tick()).isGreaterThan(before);
  }

  @Test
  void P1_tick_regionMovedToAServerThatIsBehind_startsAboveWhatIsStored() {
    wall.set(900);

    assertThat(new PostingClock(wall::get, 1_000).tick()).isEqualTo(1_001);
  }
}
