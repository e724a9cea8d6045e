/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ReadAheadTest {
  @Test
  @Timeout(value = 10, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void error_inTheThreadThatReads_reachesTheOneThatWaits() {
    Error error = new NoClassDefFoundError("filter");
    FakeScanner scanner = FakeScanner.failing(error);

    Piece piece = ReadAhead.start(scanner, ReadAheadTest::runToTheEnd);

    assertThatThrownBy(piece::next).isSameAs(error);
  }

  /** As a pool does it: what a task throws ends its thread, and nobody is told. */
  private static void runToTheEnd(Runnable task) {
    Thread thread = new Thread(task);
    thread.setUncaughtExceptionHandler((ended, error) -> {});
    thread.start();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  @Timeout(value = 10, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void closedWhileItReads_readingEnds_andTheThreadIsFitForOthers() throws Exception {
    CountDownLatch reads = new CountDownLatch(1);
    FakeScanner scanner =
        FakeScanner.answering(
            () -> {
              reads.countDown();
              new CountDownLatch(1).await();
              return null;
            });
    ExecutorService pool = Executors.newSingleThreadExecutor();
    try {
      Piece piece = ReadAhead.start(scanner, pool);
      reads.await();

      piece.close();

      assertThat(pool.submit(() -> Thread.currentThread().isInterrupted()).get()).isFalse();
      assertThat(scanner.closed).isTrue();
      assertThat(scanner.closedByInterrupted).isFalse();
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void closedBeforeItsTurn_nothingIsRead() {
    FakeScanner scanner = FakeScanner.of(FakeScanner.row("a"));
    Deque<Runnable> tasks = new ArrayDeque<>();
    Piece piece = ReadAhead.start(scanner, tasks::add);

    piece.close();
    tasks.remove().run();

    assertThat(scanner.asked).isZero();
    assertThat(scanner.closed).isTrue();
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void noThreadToBeHad_scannerIsClosed() {
    FakeScanner scanner = FakeScanner.of();
    Error error = new OutOfMemoryError("unable to create native thread");

    assertThatThrownBy(
            () ->
                ReadAhead.start(
                    scanner,
                    task -> {
                      throw error;
                    }))
        .isSameAs(error);
    assertThat(scanner.closed).isTrue();
  }
}
