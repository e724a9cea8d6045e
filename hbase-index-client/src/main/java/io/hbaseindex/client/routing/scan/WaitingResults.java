/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.scan;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Cursor;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;

/**
 * What one part of a scan has said and the user's consumer has not been told yet. The part is
 * suspended while that is much, and goes on when half of it has been taken.
 *
 * <p>All state is guarded by the monitor of the {@link OrderedConsumer} that the part belongs to.
 * Calls to HBase that may call back are returned to be made without it.
 */
final class WaitingResults implements AdvancedScanResultConsumer {
  /** How a part stands for whoever waits for it. */
  enum State {
    /** It has nothing to say yet. */
    READING,
    /** It has said something. */
    SPOKEN,
    /** It has failed, and all that it said before was taken. */
    FAILED,
    /** It is through, and all that it said was taken. */
    THROUGH
  }

  /**
   * Results, or that there are none yet.
   *
   * @param results null for a heartbeat
   * @param cursor how far the part is, if that was asked for
   */
  record Saying(Result[] results, Optional<Cursor> cursor, long bytes) {
    boolean isHeartbeat() {
      return results == null;
    }
  }

  private final Scan part;
  private final OrderedConsumer owner;
  private final PieceMetrics metrics;
  private final long mostBytes;
  private final Deque<Saying> sayings = new ArrayDeque<>();
  private long bytes;
  private ScanResumer suspended;
  private boolean complete;
  private Throwable error;
  private boolean unwanted;
  private ScanMetrics counted;

  /**
   * @param metrics gathers what the parts count
   */
  WaitingResults(AsyncTable<?> table, Scan part, OrderedConsumer owner, PieceMetrics metrics) {
    this.part = part;
    this.owner = owner;
    this.metrics = metrics;
    this.mostBytes = PrefetchingScanner.mostBytes(table, part);
  }

  // ---- HBase speaks ----

  @Override
  public void onScanMetricsCreated(ScanMetrics created) {
    synchronized (owner) {
      counted = created;
    }
  }

  @Override
  public void onNext(Result[] results, ScanController controller) {
    long more = 0;
    for (Result result : results) {
      more += Result.getTotalSizeOfCells(result);
    }
    say(new Saying(results, cursor(controller), more), controller);
  }

  @Override
  public void onHeartbeat(ScanController controller) {
    say(new Saying(null, cursor(controller), 0), controller);
  }

  private Optional<Cursor> cursor(ScanController controller) {
    return part.isNeedCursorResult() ? controller.cursor() : Optional.empty();
  }

  private void say(Saying saying, ScanController controller) {
    synchronized (owner) {
      metrics.gather(counted);
      if (!unwanted) {
        add(saying);
      }
    }
    owner.give();
    synchronized (owner) {
      if (unwanted) {
        controller.terminate();
      } else if (!sayings.isEmpty() && bytes >= mostBytes) {
        // With nothing left to be taken nobody would resume it.
        suspended = controller.suspend();
      }
    }
  }

  /** Of several heartbeats in a row the last is enough. */
  private void add(Saying saying) {
    if (saying.isHeartbeat() && !sayings.isEmpty() && sayings.peekLast().isHeartbeat()) {
      sayings.removeLast();
    }
    sayings.add(saying);
    bytes += saying.bytes();
  }

  @Override
  public void onError(Throwable failure) {
    synchronized (owner) {
      metrics.gather(counted);
      error = failure;
    }
    owner.give();
  }

  @Override
  public void onComplete() {
    synchronized (owner) {
      metrics.gather(counted);
      complete = true;
    }
    owner.give();
  }

  // ---- to be called under the owner's monitor ----

  State state() {
    if (!sayings.isEmpty()) {
      return State.SPOKEN;
    }
    if (error != null) {
      return State.FAILED;
    }
    return complete ? State.THROUGH : State.READING;
  }

  Throwable error() {
    return error;
  }

  /** Takes what was said first. */
  Saying take() {
    Saying saying = sayings.remove();
    bytes -= saying.bytes();
    return saying;
  }

  /** Goes on with a part that was suspended, if so much has been taken that it may. */
  Runnable resuming() {
    if (suspended == null || !sayings.isEmpty() && bytes > mostBytes / 2) {
      return () -> {};
    }
    ScanResumer resumed = suspended;
    suspended = null;
    return resumed::resume;
  }

  /** Ends the part: at once if it is suspended, otherwise when it speaks next. */
  Runnable ending() {
    unwanted = true;
    sayings.clear();
    bytes = 0;
    ScanResumer ended = suspended;
    suspended = null;
    return ended == null ? () -> {} : () -> PrefetchingScanner.end(ended);
  }
}
