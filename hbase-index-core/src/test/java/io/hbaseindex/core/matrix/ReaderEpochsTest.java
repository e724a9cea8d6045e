/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ReaderEpochsTest {
  @Test
  void awaitReaders_noSectionOpen_returns() {
    ReaderEpochs epochs = new ReaderEpochs(2);
    for (int i = 0; i < 5; i++) {
      epochs.exit(epochs.enter());
      epochs.awaitReaders();
    }
  }

  @Test
  void awaitReaders_sectionOpen_returnsOnlyAfterItsExit() throws Exception {
    ReaderEpochs epochs = new ReaderEpochs(2);
    List<String> order = Collections.synchronizedList(new ArrayList<>());
    int ticket = epochs.enter();
    Thread updater = startAwaiting(epochs, order);

    untilWaitingOrDone(updater);
    order.add("exit");
    epochs.exit(ticket);
    updater.join();
    assertThat(order).containsExactly("exit", "awaited");
  }

  @Test
  void awaitReaders_sectionOpenedLater_isNotWaitedFor() throws Exception {
    ReaderEpochs epochs = new ReaderEpochs(2);
    int early = epochs.enter();
    Thread updater = startAwaiting(epochs, new ArrayList<>());
    untilWaitingOrDone(updater);

    int late = epochs.enter();
    epochs.exit(early);
    updater.join();
    epochs.exit(late);
  }

  @Test
  void awaitReaders_secondWait_waitsForSectionsOpenedDuringTheFirst() throws Exception {
    ReaderEpochs epochs = new ReaderEpochs(2);
    int early = epochs.enter();
    Thread first = startAwaiting(epochs, new ArrayList<>());
    untilWaitingOrDone(first);
    int late = epochs.enter();
    epochs.exit(early);
    first.join();

    List<String> order = Collections.synchronizedList(new ArrayList<>());
    Thread second = startAwaiting(epochs, order);
    untilWaitingOrDone(second);
    order.add("exit");
    epochs.exit(late);
    second.join();
    assertThat(order).containsExactly("exit", "awaited");
  }

  /** A reader that was delayed after it read the epoch must not count itself in under it. */
  @Test
  void enter_epochReadBeforeAWait_isRefusedAndLeavesNoCount() {
    ReaderEpochs epochs = new ReaderEpochs(2);
    long seen = epochs.epoch();
    epochs.awaitReaders();

    assertThat(epochs.tryEnter(seen)).isEqualTo(ReaderEpochs.MOVED);
    epochs.awaitReaders();
    epochs.awaitReaders();
    assertThat(epochs.tryEnter(seen)).isEqualTo(ReaderEpochs.MOVED);
  }

  @Test
  void awaitReaders_interruptedWhileWaiting_stillWaitsAndKeepsTheInterrupt() throws Exception {
    ReaderEpochs epochs = new ReaderEpochs(2);
    int ticket = epochs.enter();
    List<String> order = Collections.synchronizedList(new ArrayList<>());
    Thread updater =
        new Thread(
            () -> {
              epochs.awaitReaders();
              order.add("awaited, interrupted " + Thread.currentThread().isInterrupted());
            });
    updater.start();
    untilWaitingOrDone(updater);
    updater.interrupt();
    order.add("exit");
    epochs.exit(ticket);
    updater.join();
    assertThat(order).containsExactly("exit", "awaited, interrupted true");
  }

  /** What is taken away after a wait is never met by a reader, however they interleave. */
  @Test
  void readers_underManyWaits_neverMeetWhatWasTakenAway() throws Exception {
    ReaderEpochs epochs = new ReaderEpochs(4);
    AtomicReference<boolean[]> shared = new AtomicReference<>(new boolean[] {true});
    ExecutorService threads = Executors.newFixedThreadPool(4);
    List<Future<Long>> readers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      readers.add(
          threads.submit(
              () -> {
                long met = 0;
                while (shared.get() != null) {
                  int ticket = epochs.enter();
                  boolean[] state = shared.get();
                  Thread.onSpinWait();
                  if (state != null && !state[0]) {
                    met++;
                  }
                  epochs.exit(ticket);
                }
                return met;
              }));
    }
    for (int i = 0; i < 100_000; i++) {
      boolean[] former = shared.getAndSet(new boolean[] {true});
      epochs.awaitReaders();
      former[0] = false;
    }
    shared.set(null);
    for (Future<Long> reader : readers) {
      assertThat(reader.get(30, TimeUnit.SECONDS)).isZero();
    }
    threads.shutdown();
  }

  private static Thread startAwaiting(ReaderEpochs epochs, List<String> order) {
    Thread updater =
        new Thread(
            () -> {
              epochs.awaitReaders();
              order.add("awaited");
            });
    updater.start();
    return updater;
  }

  private static void untilWaitingOrDone(Thread thread) {
    while (thread.getState() != Thread.State.TIMED_WAITING
        && thread.getState() != Thread.State.TERMINATED) {
      Thread.onSpinWait();
    }
  }
}
