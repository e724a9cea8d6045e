/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.scan;

import io.hbaseindex.client.routing.RoutePlan;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Cursor;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Scans one part after another, and gives the user's consumer what it would get from one scan: one
 * stream of results, one set of figures, one end. The consumer's calls to the controller go to the
 * part that is being read. Ending the scan also ends the parts that have not begun.
 *
 * <p>HBase calls a consumer from one thread at a time. The user's consumer is told of the end once,
 * also if it throws when it is told. HBase does not end a scan when its consumer throws, whatever
 * it throws, so nothing is thrown at HBase from here: the scan is ended as failed.
 */
final class OrderedConsumer {
  private static final Logger LOG = LoggerFactory.getLogger(OrderedConsumer.class);

  private final AsyncTable<AdvancedScanResultConsumer> table;
  private final Scan scan;
  private final AdvancedScanResultConsumer consumer;
  private final PieceMetrics metrics;
  private final RowLimit limit;
  private WaitingParts waiting;
  private final AtomicBoolean ended = new AtomicBoolean();
  private volatile boolean terminated;

  /** Nothing is scanned before {@link #start}. */
  OrderedConsumer(
      AsyncTable<AdvancedScanResultConsumer> table,
      Scan scan,
      AdvancedScanResultConsumer consumer) {
    this.table = table;
    this.scan = scan;
    this.consumer = consumer;
    this.metrics = PieceMetrics.of(scan);
    this.limit = new RowLimit(scan.getLimit());
    if (metrics.merged() != null) {
      consumer.onScanMetricsCreated(metrics.merged());
    }
  }

  void start(RoutePlan plan) {
    // One part is read after another, so there is nothing to be gained from cutting them.
    waiting = new WaitingParts(scan, plan, WaitingParts.RegionEnds.UNKNOWN);
    scanNext();
  }

  private void scanNext() {
    if (terminated || waiting.isEmpty() || limit.isReached()) {
      complete();
      return;
    }
    Scan part = waiting.first().join();
    waiting.removeFirst();
    limit.pushDown(part);
    try {
      table.scan(part, new Part());
    } catch (Throwable e) {
      // Errors, too: nobody else would ever tell the consumer.
      fail(e);
    }
  }

  private void complete() {
    if (ended.compareAndSet(false, true)) {
      consumer.onComplete();
    }
  }

  /** Tells the consumer that the scan has failed, unless that has ended. */
  void fail(Throwable error) {
    if (ended.compareAndSet(false, true)) {
      consumer.onError(error);
    } else {
      LOG.warn("A consumer failed when the scan of {} had ended", table.getName(), error);
    }
  }

  /** Receives one part. */
  private final class Part implements AdvancedScanResultConsumer {
    private ScanMetrics counted;

    @Override
    public void onScanMetricsCreated(ScanMetrics created) {
      counted = created;
    }

    @Override
    public void onNext(Result[] results, ScanController controller) {
      metrics.gather(counted);
      for (Result result : results) {
        limit.admits(result);
      }
      give(controller, at -> consumer.onNext(results, at));
    }

    @Override
    public void onHeartbeat(ScanController controller) {
      metrics.gather(counted);
      give(controller, consumer::onHeartbeat);
    }

    /** Calls the user's consumer; if it throws, that is the end of the scan. */
    private void give(ScanController part, Consumer<ScanController> call) {
      if (ended.get()) {
        part.terminate(); // its consumer suspended it and threw, and it was resumed since
        return;
      }
      Controller controller = new Controller(part);
      try {
        call.accept(controller);
      } catch (Throwable e) {
        controller.giveUp();
        fail(e);
      }
    }

    @Override
    public void onError(Throwable error) {
      metrics.gather(counted);
      fail(error);
    }

    @Override
    public void onComplete() {
      metrics.gather(counted);
      limit.partEnded();
      scanNext();
    }
  }

  /** Notes that the consumer has had enough. */
  private final class Controller implements AdvancedScanResultConsumer.ScanController {
    private final AdvancedScanResultConsumer.ScanController part;
    private boolean used;

    Controller(AdvancedScanResultConsumer.ScanController part) {
      this.part = part;
    }

    @Override
    public AdvancedScanResultConsumer.ScanResumer suspend() {
      used = true;
      return part.suspend();
    }

    @Override
    public void terminate() {
      used = true;
      terminated = true;
      part.terminate();
    }

    /** HBase lets a controller be told one thing; a suspended part ends when it is resumed. */
    void giveUp() {
      terminated = true;
      if (!used) {
        part.terminate();
      }
    }

    @Override
    public Optional<Cursor> cursor() {
      return part.cursor();
    }
  }
}
