/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.scan;

import io.hbaseindex.client.routing.RoutePlan;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;

/**
 * A scanner over the parts of a scan that its route leaves. It gives the results that an ordinary
 * scanner would give, in the same order.
 *
 * <p>Nothing happens before the first result is asked for, as with HBase's own scanner; then the
 * route is asked for, and up to a few parts are read at once. A limit bounds how many: with so many
 * rows left to give, no more parts than that are begun. The results that were read ahead and are
 * not wanted any more are one fetch per part at most.
 *
 * <p>Not safe for use by several threads at once, like any scanner.
 */
final class RoutedScanner implements PlannedScanner {
  private final Scan scan;
  private final Supplier<CompletableFuture<RoutePlan>> router;
  private final WaitingParts.RegionEnds regions;
  private final Piece.Opener opener;
  private final int parallelism;
  private final PieceMetrics metrics;
  private final RowLimit limit;
  private final Supplier<Optional<Result>> last;
  private final Deque<Piece> reading = new ArrayDeque<>();
  private RoutePlan plan;
  private WaitingParts waiting;
  private boolean closed;
  private boolean gaveLast;

  /**
   * @param scan a copy that nobody else changes
   * @param router asks for the scan's route
   * @param regions tells where to cut parts that nobody knows the regions of
   * @param opener reads parts, once the plan is there
   * @param metrics gathers what the parts count
   */
  RoutedScanner(
      Scan scan,
      Supplier<CompletableFuture<RoutePlan>> router,
      WaitingParts.RegionEnds regions,
      Piece.Opener opener,
      int parallelism,
      PieceMetrics metrics) {
    this(scan, router, regions, opener, parallelism, metrics, Optional::empty);
  }

  /**
   * @param last what comes behind all results, if anything; asked for when the plan is there
   */
  RoutedScanner(
      Scan scan,
      Supplier<CompletableFuture<RoutePlan>> router,
      WaitingParts.RegionEnds regions,
      Piece.Opener opener,
      int parallelism,
      PieceMetrics metrics,
      Supplier<Optional<Result>> last) {
    this.last = last;
    this.scan = scan;
    this.router = router;
    this.regions = regions;
    this.opener = opener;
    this.parallelism = parallelism;
    this.metrics = metrics;
    this.limit = new RowLimit(scan.getLimit());
  }

  @Override
  public Result next() throws IOException {
    if (closed) {
      return null;
    }
    if (limit.isDone()) {
      // Asking a part for one row more might read all the rest of a region in vain.
      close();
      return null;
    }
    if (waiting == null) {
      waiting = new WaitingParts(scan, plan(), regions);
    }
    for (begin(); !reading.isEmpty(); begin()) {
      Piece piece = reading.peek();
      Result result = piece.next();
      if (result != null && limit.admits(result)) {
        return result;
      }
      boolean tooMany = result != null;
      if (tooMany || limit.isReached()) {
        close();
        return null;
      }
      end(reading.remove());
      limit.partEnded();
    }
    metrics.publish();
    if (gaveLast) {
      return null;
    }
    gaveLast = true;
    return last.get().orElse(null);
  }

  @Override
  public RoutePlan plan() throws IOException {
    if (plan == null) {
      plan = await(router.get());
    }
    return plan;
  }

  private static <T> T await(CompletableFuture<T> future) throws IOException {
    try {
      return future.get();
    } catch (InterruptedException e) {
      InterruptedIOException interrupted = new InterruptedIOException("Cannot scan: interrupted");
      interrupted.initCause(e);
      throw interrupted;
    } catch (ExecutionException e) {
      throw new IOException("Cannot scan: " + e.getCause(), e.getCause());
    }
  }

  /** Begins parts, up to as many as may be read at once. */
  private void begin() throws IOException {
    while (reading.size() < limit.atMost(parallelism) && !waiting.isEmpty()) {
      Scan part = await(waiting.first());
      limit.pushDown(part);
      reading.add(opener.open(part, !reading.isEmpty()));
      // Only now: a part that could not be opened must not be skipped by the next attempt.
      waiting.removeFirst();
    }
  }

  private void end(Piece piece) {
    piece.close();
    metrics.gather(piece.metrics());
  }

  @Override
  public boolean renewLease() {
    boolean renewed = !reading.isEmpty();
    for (Piece piece : reading) {
      boolean alive = piece.renewLease();
      renewed &= alive || piece != reading.peek();
    }
    return renewed;
  }

  @Override
  public ScanMetrics getScanMetrics() {
    reading.forEach(piece -> metrics.gather(piece.metrics()));
    return metrics.merged();
  }

  @Override
  public void close() {
    closed = true;
    while (!reading.isEmpty()) {
      end(reading.remove());
    }
    opener.close();
    metrics.publish();
  }
}
