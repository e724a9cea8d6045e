/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class UpkeepThreadsTest {
  private final UpkeepThreads threads = new UpkeepThreads("test", 1, System::nanoTime);
  private final CountDownLatch released = new CountDownLatch(1);

  @AfterEach
  void stop() {
    released.countDown();
    threads.stop();
  }

  private record Task(Need look, Runnable work) implements UpkeepTask {
    @Override
    public long asked() {
      return 0;
    }

    @Override
    public void run() {
      work.run();
    }
  }

  private void hang(CountDownLatch began) {
    began.countDown();
    try {
      released.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void add_whileAFilterIsBuilt_storedFiltersAreReadBesideIt() throws InterruptedException {
    CountDownLatch building = new CountDownLatch(1);
    CountDownLatch read = new CountDownLatch(3);
    AtomicInteger builds = new AtomicInteger();
    threads.add(new Task(UpkeepTask.Need.FIRST_FILTER, () -> hang(building)));
    building.await();
    threads.add(new Task(UpkeepTask.Need.FIRST_FILTER, builds::incrementAndGet));
    threads.add(new Task(UpkeepTask.Need.FILE, read::countDown));
    read.await();
    assertThat(builds).hasValue(0);
  }

  @Test
  void add_aTaskThatThrows_isRunAgainAndSoAreOthers() throws InterruptedException {
    CountDownLatch ran = new CountDownLatch(4);
    threads.add(
        new Task(
            UpkeepTask.Need.FILE,
            () -> {
              ran.countDown();
              throw new IllegalStateException("it does not work");
            }));
    threads.add(new Task(UpkeepTask.Need.FIRST_FILTER, ran::countDown));
    ran.await();
  }

  @Test
  void execute_runsOnce() throws InterruptedException {
    CountDownLatch ran = new CountDownLatch(1);
    threads.execute(ran::countDown);
    ran.await();
  }
}
