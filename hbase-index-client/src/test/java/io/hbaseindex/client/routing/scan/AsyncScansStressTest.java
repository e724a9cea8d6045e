/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.client.routing.plan.RoutePlans;
import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.core.route.RouteAnswer.Candidate;
import io.hbaseindex.core.route.RowRange;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Cursor;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/**
 * Many scans at once over a table whose parts come on any thread, now and then with errors, to
 * consumers that suspend, resume from elsewhere, have enough, or throw: every scan ends, and its
 * consumer is told so once.
 */
class AsyncScansStressTest {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final int SCANS = 20_000;
  private static final long SEED = 20_261_117;

  @Test
  void everyScanEndsOnce() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      Random random = new Random(SEED);
      List<Telling> all = new ArrayList<>();
      for (int i = 0; i < SCANS; i++) {
        Telling consumer = new Telling(random.nextLong(), threads);
        all.add(consumer);
        // Some parts are suspended, since their results have to wait for others.
        Scan scan = new Scan().setMaxResultSize(1 + random.nextInt(100));
        if (random.nextInt(3) == 0) {
          scan.setLimit(1 + random.nextInt(4));
        }
        OrderedConsumer ordered =
            new OrderedConsumer(
                new Table(random.nextLong(), threads).proxy(),
                scan,
                consumer,
                WaitingParts.RegionEnds.UNKNOWN,
                1 + random.nextInt(4));
        RouteAnswer route = route(random);
        threads.execute(() -> ordered.start(RoutePlans.routed(TABLE, route, 0, List.of())));
      }
      for (int i = 0; i < SCANS; i++) {
        assertThat(all.get(i).ended)
            .as("scan %d of seed %d: %s", i, SEED, all.get(i).calls)
            .succeedsWithin(60, TimeUnit.SECONDS);
      }
      threads.shutdown();
      assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
      assertThat(all).allMatch(consumer -> consumer.ends.get() == 1);
      assertThat(all).allSatisfy(consumer -> assertThat(consumer.wrong).isEmpty());
      assertThat(all)
          .as("some have enough")
          .anyMatch(consumer -> consumer.calls.contains("enough"));
      assertThat(all).as("some throw").anyMatch(consumer -> consumer.calls.contains("thrown"));
      assertThat(all).as("some suspend").anyMatch(consumer -> consumer.calls.contains("suspended"));
    } finally {
      threads.shutdownNow();
    }
  }

  private static RouteAnswer route(Random random) {
    List<Candidate> candidates = new ArrayList<>();
    for (char start = 'a'; start < 'a' + random.nextInt(6); start++) {
      RowRange range =
          new RowRange(Bytes.toBytes("" + start), Bytes.toBytes("" + (char) (start + 1)));
      candidates.add(
          new Candidate(range, "server", random.nextInt(4) == 0 ? OpenReason.LAPSED : null));
    }
    return new RouteAnswer(candidates, 0, candidates.size(), 0);
  }

  /** A user's consumer, of some character. */
  private static final class Telling implements AdvancedScanResultConsumer {
    private final Random random;
    private final ExecutorService threads;
    private final List<String> calls = new ArrayList<>();
    private final CompletableFuture<String> ended = new CompletableFuture<>();
    private final AtomicInteger ends = new AtomicInteger();
    private final AtomicBoolean inside = new AtomicBoolean();
    private final List<AssertionError> wrong = new CopyOnWriteArrayList<>();
    private byte[] last = {};

    Telling(long seed, ExecutorService threads) {
      this.random = new Random(seed);
      this.threads = threads;
    }

    /** Called by one thread at a time, with rows in order. */
    private void react(ScanController controller, Result... results) {
      assertThat(inside.getAndSet(true)).as("called by two threads at once").isFalse();
      try {
        for (Result result : results) {
          assertThat(Bytes.compareTo(last, result.getRow())).as("order").isLessThanOrEqualTo(0);
          last = result.getRow();
        }
        react(controller);
      } catch (AssertionError e) {
        wrong.add(e);
        throw e;
      } finally {
        inside.set(false);
      }
    }

    private synchronized void react(ScanController controller) {
      switch (random.nextInt(20)) {
        case 0 -> {
          calls.add("enough");
          controller.terminate();
        }
        case 1 -> {
          calls.add("thrown");
          throw new IllegalStateException("consumer's own");
        }
        case 2, 3, 4, 5 -> {
          calls.add("suspended");
          ScanResumer resumer = controller.suspend();
          threads.execute(resumer::resume);
        }
        default -> calls.add("taken");
      }
    }

    @Override
    public void onNext(Result[] results, ScanController controller) {
      react(controller, results);
    }

    @Override
    public void onHeartbeat(ScanController controller) {
      react(controller, new Result[0]);
    }

    @Override
    public void onError(Throwable error) {
      ends.incrementAndGet();
      ended.complete("error");
    }

    @Override
    public void onComplete() {
      ends.incrementAndGet();
      ended.complete("end");
    }
  }

  /** A table that gives a few batches of each part, each on whatever thread is free. */
  private static final class Table {
    private final Random random;
    private final ExecutorService threads;

    Table(long seed, ExecutorService threads) {
      this.random = new Random(seed);
      this.threads = threads;
    }

    @SuppressWarnings("unchecked")
    AsyncTable<AdvancedScanResultConsumer> proxy() {
      return (AsyncTable<AdvancedScanResultConsumer>)
          Proxy.newProxyInstance(
              AsyncTable.class.getClassLoader(),
              new Class<?>[] {AsyncTable.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("scan")) {
                  scan((Scan) arguments[0], (AdvancedScanResultConsumer) arguments[1]);
                  return null;
                }
                return TABLE;
              });
    }

    private synchronized void scan(Scan part, AdvancedScanResultConsumer consumer) {
      if (random.nextInt(50) == 0) {
        throw new NoClassDefFoundError("some scans cannot be begun");
      }
      int batches = random.nextInt(4);
      boolean fails = random.nextInt(30) == 0;
      threads.execute(() -> go(part, consumer, batches, fails));
    }

    private void go(Scan part, AdvancedScanResultConsumer consumer, int batches, boolean fails) {
      if (batches == 0) {
        if (fails) {
          consumer.onError(new IOException("gone"));
        } else {
          consumer.onComplete();
        }
        return;
      }
      Controller controller = new Controller(() -> go(part, consumer, batches - 1, fails));
      if (batches % 2 == 0) {
        consumer.onHeartbeat(controller);
      } else {
        consumer.onNext(new Result[] {row(part)}, controller);
      }
      controller.back(consumer, threads);
    }

    private static Result row(Scan part) {
      List<Cell> cells =
          List.of(
              new KeyValue(
                  part.getStartRow(), Bytes.toBytes("f"), Bytes.toBytes("q"), Bytes.toBytes("v")));
      return Result.create(cells);
    }
  }

  /** As HBase's: it may be told one thing, and a part goes on when the consumer is back. */
  private static final class Controller
      implements AdvancedScanResultConsumer.ScanController, AdvancedScanResultConsumer.ScanResumer {
    private final Runnable next;
    private boolean suspended;
    private boolean resumed;
    private boolean waiting;
    private boolean terminated;

    Controller(Runnable next) {
      this.next = next;
    }

    @Override
    public synchronized AdvancedScanResultConsumer.ScanResumer suspend() {
      requireUnused();
      suspended = true;
      return this;
    }

    @Override
    public synchronized void terminate() {
      requireUnused();
      terminated = true;
    }

    private void requireUnused() {
      if (suspended || terminated) {
        throw new IllegalStateException("told before");
      }
    }

    @Override
    public Optional<Cursor> cursor() {
      return Optional.empty();
    }

    @Override
    public void resume() {
      synchronized (this) {
        resumed = true;
        if (!waiting) {
          return;
        }
      }
      next.run();
    }

    void back(AdvancedScanResultConsumer consumer, ExecutorService threads) {
      synchronized (this) {
        if (suspended && !resumed) {
          waiting = true;
          return;
        }
      }
      if (terminated) {
        consumer.onComplete();
      } else {
        threads.execute(next);
      }
    }
  }
}
