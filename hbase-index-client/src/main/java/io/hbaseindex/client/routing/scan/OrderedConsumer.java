/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.scan;

import io.hbaseindex.client.routing.RoutePlan;
import io.hbaseindex.client.routing.source.RouteFailure;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Cursor;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Scans several parts at a time, and gives the user's consumer what it would get from one scan: one
 * stream of results in order, one set of figures, one end.
 *
 * <p>What the parts say is kept in a {@link WaitingResults} for each of them, which suspends its
 * part while much is kept. Whoever adds something gives the consumer all that is next in order,
 * unless somebody else is doing so: the consumer is called by one thread at a time, and never under
 * a lock. A consumer that suspends the scan is called no more until it resumes it; the parts read
 * on until their rooms are full. A limit bounds how many parts are read at once, as with {@link
 * RoutedScanner}.
 *
 * <p>The user's consumer is told of the end once, also if it throws when it is told. HBase does not
 * end a scan when its consumer throws, whatever it throws, so nothing is thrown at HBase from here:
 * the scan is ended as failed.
 */
final class OrderedConsumer {
  private static final Logger LOG = LoggerFactory.getLogger(OrderedConsumer.class);

  private final AsyncTable<AdvancedScanResultConsumer> table;
  private final Scan scan;
  private final AdvancedScanResultConsumer consumer;
  private final WaitingParts.RegionEnds regions;
  private final int parallelism;
  private final PieceMetrics metrics;
  private final RowLimit limit;

  /** The parts that are read, in order; the consumer gets what the first has. */
  private final Deque<WaitingResults> reading = new ArrayDeque<>();

  private WaitingParts waiting;

  /** Whether somebody begins a part. */
  private boolean beginning;

  /** Whether somebody gives the consumer what there is. */
  private boolean giving;

  private boolean suspended;
  private boolean enough;
  private Throwable failure;
  private boolean ended;

  /**
   * Nothing is scanned before {@link #start}.
   *
   * @param regions tells where to cut parts that nobody knows the regions of
   * @param parallelism parts that are read at once, at most
   */
  OrderedConsumer(
      AsyncTable<AdvancedScanResultConsumer> table,
      Scan scan,
      AdvancedScanResultConsumer consumer,
      WaitingParts.RegionEnds regions,
      int parallelism) {
    this.table = table;
    this.scan = scan;
    this.consumer = consumer;
    // One part after another: there is nothing to be gained from cutting them.
    this.regions = parallelism > 1 ? regions : WaitingParts.RegionEnds.UNKNOWN;
    this.parallelism = parallelism;
    this.metrics = PieceMetrics.of(scan);
    this.limit = new RowLimit(scan.getLimit());
    if (metrics.merged() != null) {
      consumer.onScanMetricsCreated(metrics.merged());
    }
  }

  void start(RoutePlan plan) {
    synchronized (this) {
      waiting = new WaitingParts(scan, plan, regions);
    }
    begin();
    give();
  }

  // ---- reading parts ----

  /** Begins the next part if one more may be read, and so on. */
  private void begin() {
    synchronized (this) {
      if (ended || beginning || waiting.isEmpty() || reading.size() >= limit.atMost(parallelism)) {
        return;
      }
      beginning = true;
    }
    try {
      // Nobody else looks at the waiting parts until the next one has begun.
      waiting
          .first()
          .thenAccept(this::begin)
          .exceptionally(
              error -> {
                fail(RouteFailure.causeOf(error));
                return null;
              });
    } catch (Throwable e) {
      fail(e);
    }
  }

  private void begin(Scan part) {
    WaitingResults results = new WaitingResults(table, part, this, metrics);
    synchronized (this) {
      beginning = false;
      if (ended) {
        return;
      }
      waiting.removeFirst();
      limit.pushDown(part);
      reading.add(results);
    }
    try {
      table.scan(part, results);
    } catch (Throwable e) {
      // Errors, too: nobody else would ever tell the consumer.
      results.onError(e);
    }
    begin();
  }

  // ---- giving results ----

  /** Gives the consumer what has come and is next in order, unless somebody is doing so. */
  void give() {
    synchronized (this) {
      if (giving) {
        return;
      }
      giving = true;
    }
    for (Optional<Runnable> step = nextStep(); step.isPresent(); step = nextStep()) {
      try {
        step.get().run();
      } catch (Throwable e) {
        // A part that could not go on. Nobody else would ever give again.
        fail(e);
      }
    }
  }

  /** What is to be done next; empty, and nobody gives any more, if that is not known yet. */
  private synchronized Optional<Runnable> nextStep() {
    Optional<Runnable> step = ended ? Optional.empty() : next();
    giving = step.isPresent();
    return step;
  }

  private Optional<Runnable> next() {
    if (failure != null) {
      return Optional.of(endWith(() -> consumer.onError(failure)));
    }
    if (suspended) {
      return Optional.empty();
    }
    if (enough || limit.isDone()) {
      return Optional.of(endWith(consumer::onComplete));
    }
    WaitingResults first = reading.peek();
    if (first == null) {
      return beginning || !waiting.isEmpty()
          ? Optional.empty()
          : Optional.of(endWith(consumer::onComplete));
    }
    return switch (first.state()) {
      case READING -> Optional.empty();
      case SPOKEN -> Optional.of(say(first));
      case FAILED -> Optional.of(endWith(() -> consumer.onError(first.error())));
      case THROUGH -> {
        reading.remove();
        limit.partEnded();
        yield Optional.of(this::begin);
      }
    };
  }

  /** Takes over what a part says, and goes on reading it meanwhile. */
  private Runnable say(WaitingResults part) {
    WaitingResults.Saying saying = part.take();
    Runnable goOn = part.resuming();
    Controller controller = new Controller(saying.cursor());
    if (saying.isHeartbeat()) {
      return () -> {
        goOn.run();
        call(controller, consumer::onHeartbeat);
      };
    }
    Result[] admitted = admitted(saying.results());
    boolean allTooMany = admitted.length == 0 && saying.results().length > 0;
    return () -> {
      goOn.run();
      if (!allTooMany) {
        call(controller, at -> consumer.onNext(admitted, at));
      }
    };
  }

  private Result[] admitted(Result[] results) {
    List<Result> admitted = new ArrayList<>(results.length);
    for (Result result : results) {
      if (!limit.admits(result)) {
        enough = true;
        break;
      }
      admitted.add(result);
    }
    return admitted.size() == results.length ? results : admitted.toArray(Result[]::new);
  }

  /** Calls the user's consumer; if it throws, that is the end of the scan. */
  private void call(
      Controller controller, Consumer<AdvancedScanResultConsumer.ScanController> call) {
    try {
      call.accept(controller);
    } catch (Throwable e) {
      fail(e);
    } finally {
      controller.over = true;
    }
  }

  // ---- the end ----

  /** Tells the consumer that the scan has failed, unless that has ended. */
  void fail(Throwable error) {
    synchronized (this) {
      if (ended) {
        LOG.warn("The scan of {} had ended when this failed", table.getName(), error);
        return;
      }
      failure = failure == null ? error : failure;
    }
    give();
  }

  /** Ends the scan; what is returned tells the consumer so, and ends the parts that are read. */
  private Runnable endWith(Runnable last) {
    ended = true;
    List<Runnable> endings = reading.stream().map(WaitingResults::ending).toList();
    reading.clear();
    return () -> {
      endings.forEach(this::runAtTheEnd);
      runAtTheEnd(last);
    };
  }

  /** Nobody can be told any more of what fails now. */
  private void runAtTheEnd(Runnable last) {
    try {
      last.run();
    } catch (Throwable e) {
      LOG.warn("The scan of {} had ended when this failed", table.getName(), e);
    }
  }

  /** What the consumer may ask for while it is called: one thing at a time, as with HBase. */
  private final class Controller implements AdvancedScanResultConsumer.ScanController {
    private final Optional<Cursor> cursor;
    private boolean used;
    private boolean over;

    Controller(Optional<Cursor> cursor) {
      this.cursor = cursor;
    }

    @Override
    public AdvancedScanResultConsumer.ScanResumer suspend() {
      use("suspend");
      synchronized (OrderedConsumer.this) {
        suspended = true;
      }
      return new Resumer();
    }

    @Override
    public void terminate() {
      use("terminate");
      synchronized (OrderedConsumer.this) {
        enough = true;
      }
    }

    private void use(String what) {
      if (used || over) {
        throw new IllegalStateException(
            "Cannot %s a scan: its controller was used before, or the call it was made for is over"
                .formatted(what));
      }
      used = true;
    }

    @Override
    public Optional<Cursor> cursor() {
      return cursor;
    }
  }

  /** Goes on with a scan that was suspended, once. */
  private final class Resumer implements AdvancedScanResultConsumer.ScanResumer {
    private boolean resumed;

    @Override
    public void resume() {
      synchronized (OrderedConsumer.this) {
        if (resumed) {
          return;
        }
        resumed = true;
        suspended = false;
      }
      give();
    }
  }
}
