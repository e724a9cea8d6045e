/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class BulkLoadsTest {
  private static final Duration HANG = Duration.ofSeconds(20);

  private final BulkLoads loads = new BulkLoads();
  private final List<String> events = new CopyOnWriteArrayList<>();

  @Test
  void unlessCommitting_loadBeginsMeanwhile_itEndsTheBuild() throws Exception {
    Thread load = new Thread(() -> loads.committing(() -> events.add("build ended")));
    loads.unlessCommitting(
        () -> {
          load.start();
          awaitBlockedOrEnded(load);
          events.add("build begun");
        });
    load.join(HANG.toMillis());

    assertThat(events).containsExactly("build begun", "build ended");
  }

  @Test
  void unlessCommitting_duringALoad_doesNothing() throws Exception {
    Thread load = new Thread(() -> loads.committing(() -> {}));
    load.start();
    load.join(HANG.toMillis());
    loads.unlessCommitting(() -> events.add("build begun"));

    assertThat(events).isEmpty();
  }

  @Test
  void unlessCommitting_afterTheLoad_begins() {
    loads.committing(() -> {});
    loads.ended();
    loads.unlessCommitting(() -> events.add("build begun"));

    assertThat(events).containsExactly("build begun");
  }

  private static void awaitBlockedOrEnded(Thread thread) {
    long giveUp = System.nanoTime() + HANG.toNanos();
    while (thread.getState() != Thread.State.BLOCKED
        && thread.isAlive()
        && System.nanoTime() < giveUp) {
      Thread.onSpinWait();
    }
  }
}
