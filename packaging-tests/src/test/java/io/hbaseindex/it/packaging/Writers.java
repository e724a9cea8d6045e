/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.packaging;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Two threads that write new rows all over the table until closed, and note what they got
 * acknowledged.
 */
final class Writers implements AutoCloseable {
  private static final AtomicInteger SERIAL = new AtomicInteger();
  private static final int THREADS = 2;
  private static final int REGIONS = 6;

  /** Each row that is written is asked for later on: enough is enough. */
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final Queue<String> acknowledged = new ConcurrentLinkedQueue<>();
  private final Queue<String> uncertain = new ConcurrentLinkedQueue<>();
  private final AtomicLong longestNanos = new AtomicLong();
  private final AtomicBoolean ended = new AtomicBoolean();
  private final List<Thread> threads = new ArrayList<>();

  static Writers start(RemoteTable table) {
    Writers writers = new Writers();
    for (int i = 0; i < THREADS; i++) {
      Thread thread = new Thread(() -> writers.write(table), "writer-" + i);
      writers.threads.add(thread);
      thread.start();
    }
    return writers;
  }

  private void write(RemoteTable table) {
    while (!ended.get()) {
      int number = SERIAL.incrementAndGet();
      String key = "k%d-written-%06d".formatted(number % REGIONS, number);
      long begun = System.nanoTime();
      try {
        table.put(key);
        acknowledged.add(key);
      } catch (IOException e) {
        // The client has given up; whether the row is there nobody knows.
        uncertain.add(key);
      }
      longestNanos.accumulateAndGet(System.nanoTime() - begun, Math::max);
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  int count() {
    return acknowledged.size();
  }

  /** Rows whose writes were acknowledged. */
  List<String> acknowledged() {
    return List.copyOf(acknowledged);
  }

  /** Rows whose writes failed at the client, and that may or may not be there. */
  List<String> uncertain() {
    return List.copyOf(uncertain);
  }

  /** How long the slowest write took, until it was acknowledged or given up. */
  Duration longest() {
    return Duration.ofNanos(longestNanos.get());
  }

  @Override
  public void close() throws InterruptedException {
    ended.set(true);
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
