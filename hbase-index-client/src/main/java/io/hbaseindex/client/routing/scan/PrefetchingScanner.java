/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.scan;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.Queue;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.apache.hadoop.hbase.util.FutureUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A scanner of HBase's asynchronous client that reads on in the background until some results wait
 * to be taken, and again when half of them are gone.
 *
 * <p>It does what HBase's AsyncTableResultScanner does, which may wait for ever: that one resumes
 * its scan, and then forgets whom it resumed; if results came and suspended the scan anew within
 * that call, it forgets the new one. Seen with regions whose last results suspend the scan.
 */
final class PrefetchingScanner implements ResultScanner, AdvancedScanResultConsumer {
  private static final Logger LOG = LoggerFactory.getLogger(PrefetchingScanner.class);

  private final Scan scan;
  private final long mostBytes;
  private final Queue<Result> waiting = new ArrayDeque<>();
  private long waitingBytes;
  private ScanResumer suspended;
  private boolean ended;
  private Throwable error;
  private volatile ScanMetrics metrics;

  private PrefetchingScanner(Scan scan, long mostBytes) {
    this.scan = scan;
    this.mostBytes = mostBytes;
  }

  /** Begins to read at once. */
  static ResultScanner start(AsyncTable<AdvancedScanResultConsumer> table, Scan scan) {
    PrefetchingScanner scanner = new PrefetchingScanner(scan, mostBytes(table, scan));
    table.scan(scan, scanner);
    return scanner;
  }

  /** Room for two answers of a server, as with HBase. */
  static long mostBytes(AsyncTable<?> table, Scan scan) {
    long answer =
        scan.getMaxResultSize() > 0
            ? scan.getMaxResultSize()
            : table
                .getConfiguration()
                .getLong(
                    HConstants.HBASE_CLIENT_SCANNER_MAX_RESULT_SIZE_KEY,
                    HConstants.DEFAULT_HBASE_CLIENT_SCANNER_MAX_RESULT_SIZE);
    return answer > Long.MAX_VALUE / 2 ? answer : answer * 2;
  }

  @Override
  public synchronized void onNext(Result[] results, ScanController controller) {
    if (ended) {
      controller.terminate();
      return;
    }
    for (Result result : results) {
      waiting.add(result);
      waitingBytes += Result.getTotalSizeOfCells(result);
    }
    notifyAll();
    if (waitingBytes >= mostBytes) {
      suspended = controller.suspend();
    }
  }

  @Override
  public synchronized void onHeartbeat(ScanController controller) {
    if (ended) {
      controller.terminate();
    } else if (scan.isNeedCursorResult()) {
      controller.cursor().map(Result::createCursorResult).ifPresent(waiting::add);
      notifyAll();
    }
  }

  @Override
  public synchronized void onError(Throwable failure) {
    error = failure;
    notifyAll();
  }

  @Override
  public synchronized void onComplete() {
    ended = true;
    notifyAll();
  }

  @Override
  public void onScanMetricsCreated(ScanMetrics created) {
    metrics = created;
  }

  @Override
  public Result next() throws IOException {
    Result result;
    ScanResumer paused = null;
    synchronized (this) {
      result = awaitNext();
      if (result != null) {
        waitingBytes -= Result.getTotalSizeOfCells(result);
      }
      if (waiting.isEmpty() || waitingBytes <= mostBytes / 2) {
        paused = suspended;
        suspended = null;
      }
    }
    // Results may come, and suspend the scan anew, before this returns.
    resume(paused);
    return result;
  }

  private Result awaitNext() throws IOException {
    while (waiting.isEmpty() && !ended) {
      if (error != null) {
        throw FutureUtils.rethrow(error);
      }
      try {
        wait();
      } catch (InterruptedException e) {
        InterruptedIOException interrupted = new InterruptedIOException("Cannot scan: interrupted");
        interrupted.initCause(e);
        throw interrupted;
      }
    }
    return waiting.poll();
  }

  private static void resume(ScanResumer paused) {
    if (paused != null) {
      paused.resume();
    }
  }

  @Override
  public void close() {
    ScanResumer paused;
    synchronized (this) {
      ended = true;
      waiting.clear();
      waitingBytes = 0;
      paused = suspended;
      suspended = null;
      notifyAll();
    }
    if (paused != null) {
      end(paused);
    }
  }

  /**
   * Ends a suspended scan. HBase's own scanner does so by a method that others cannot see; resumed,
   * the scan would be told only when its next results come, maybe at the end of the table.
   */
  static void end(ScanResumer paused) {
    try {
      Method terminate = paused.getClass().getMethod("terminate");
      terminate.setAccessible(true);
      terminate.invoke(paused);
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.debug("A suspended scan has no way to be ended at once; it is resumed", e);
      paused.resume();
    }
  }

  /** A scan that is suspended keeps its lease by itself. */
  @Override
  public boolean renewLease() {
    return false;
  }

  @Override
  public ScanMetrics getScanMetrics() {
    return metrics;
  }
}
