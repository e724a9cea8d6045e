/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.lifecycle.background;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class BackgroundWorkTest {

  private final ConcurrentMap<String, Object> shared = new ConcurrentHashMap<>();
  private final Configuration conf = new Configuration(false);

  @Test
  void acquire_sameServer_isShared() {
    BackgroundWork first = acquire("a");
    assertThat(acquire("a")).isSameAs(first);
    assertThat(acquire("b")).isNotSameAs(first);
  }

  @Test
  void release_byTheLast_endsIt() {
    BackgroundWork first = acquire("a");
    acquire("a");

    first.release();
    assertThat(shared).hasSize(1);
    first.release();
    assertThat(shared).isEmpty();

    PacedTask late =
        first.task("late", () -> true, () -> PacedTask.Outcome.done(0), (e, millis) -> {});
    late.wake();
    assertThat(late.isStopped()).isTrue();
  }

  @Test
  void task_runsOnItsThreads() throws Exception {
    CountDownLatch ran = new CountDownLatch(1);
    BackgroundWork work = acquire("a");
    work.task(
            "now",
            () -> true,
            () -> {
              ran.countDown();
              return PacedTask.Outcome.done(0);
            },
            (e, millis) -> {})
        .wake();

    assertThat(ran.await(1, TimeUnit.MINUTES)).isTrue();
    work.release();
  }

  private BackgroundWork acquire(String server) {
    return BackgroundWork.acquire(shared, server, () -> conf, System::nanoTime);
  }
}
