/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class RowLocksTest {
  private static final int GENEROUS_MS = 60_000;

  @Test
  void acquire_rowHeldByOther_timesOutNamingTheRowAndHoldsNothing() throws Exception {
    RowLocks locks = new RowLocks(1, System::nanoTime);
    RowLocks.Held held = locks.acquire(rows("b"));

    assertThatThrownBy(() -> locks.acquire(rows("c", "a", "b")))
        .isInstanceOf(TimeoutException.class)
        .hasMessage("row b was locked by other writes for 1 ms");
    assertThat(locks.size()).isEqualTo(1);

    held.release();
    assertThat(locks.size()).isZero();
    locks.acquire(rows("a", "b", "c")).release();
  }

  @Test
  void acquire_sameRowTwiceInOneBatch_isOneLock() throws Exception {
    RowLocks locks = new RowLocks(1, System::nanoTime);

    RowLocks.Held held = locks.acquire(rows("a", "a"));

    assertThat(locks.size()).isEqualTo(1);
    held.release();
    held.release();
    assertThat(locks.size()).isZero();
  }

  @Test
  void release_again_leavesTheNextOwnerAlone() throws Exception {
    RowLocks locks = new RowLocks(1, System::nanoTime);
    RowLocks.Held first = locks.acquire(rows("a"));
    first.release();
    RowLocks.Held second = locks.acquire(rows("a"));

    first.release();

    assertThat(locks.size()).isEqualTo(1);
    second.release();
  }

  @Test
  @Timeout(value = 120, unit = TimeUnit.SECONDS)
  void acquire_interruptedWhileWaiting_holdsNothing() throws Exception {
    RowLocks locks = new RowLocks(GENEROUS_MS, System::nanoTime);
    RowLocks.Held held = locks.acquire(rows("b"));
    CountDownLatch interrupted = new CountDownLatch(1);
    Thread waiter =
        new Thread(
            () -> {
              try {
                locks.acquire(rows("a", "b"));
              } catch (InterruptedException e) {
                interrupted.countDown();
              } catch (TimeoutException e) {
                throw new AssertionError(e);
              }
            });
    waiter.start();

    waiter.interrupt();

    assertThat(interrupted.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(locks.size()).isEqualTo(1);
    held.release();
  }

  @Test
  @Timeout(value = 120, unit = TimeUnit.SECONDS)
  void acquire_manyThreadsOverFewRows_neverTwoOwnersAndNoDeadlock() throws Exception {
    RowLocks locks = new RowLocks(GENEROUS_MS, System::nanoTime);
    int[] owners = new int[10];
    ExecutorService threads = Executors.newFixedThreadPool(8);
    List<Future<?>> done = new ArrayList<>();
    for (int t = 0; t < 8; t++) {
      Random random = new Random(t);
      done.add(
          threads.submit(
              () -> {
                for (int i = 0; i < 2_000; i++) {
                  int one = random.nextInt(owners.length);
                  int two = random.nextInt(owners.length);
                  RowLocks.Held held =
                      locks.acquire(List.of(new byte[] {(byte) one}, new byte[] {(byte) two}));
                  try {
                    // Plain, unguarded counters: two owners at once would lose counts.
                    owners[one]++;
                    owners[two]++;
                  } finally {
                    held.release();
                  }
                }
                return null;
              }));
    }
    for (Future<?> thread : done) {
      thread.get();
    }
    threads.shutdown();

    int sum = 0;
    for (int count : owners) {
      sum += count;
    }
    assertThat(sum).isEqualTo(8 * 2_000 * 2);
    assertThat(locks.size()).isZero();
  }

  private static List<byte[]> rows(String... names) {
    List<byte[]> rows = new ArrayList<>();
    for (String name : names) {
      rows.add(name.getBytes());
    }
    return rows;
  }
}
