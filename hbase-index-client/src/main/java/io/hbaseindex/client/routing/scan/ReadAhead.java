/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.scan;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;

/**
 * A part of a scan whose first results are fetched by another thread before they are asked for;
 * HBase's scanner keeps them. From then on it is read like any other.
 *
 * <p>Where rows are rare, the first ones may take many calls to many regions. A part that is closed
 * meanwhile interrupts them.
 */
final class ReadAhead implements Piece {
  private final ResultScanner scanner;
  private final CompletableFuture<Result> first = new CompletableFuture<>();
  private boolean firstTaken;

  /** The thread that fetches, from its beginning to its end; null before and after. */
  private Thread fetcher;

  private ReadAhead(ResultScanner scanner) {
    this.scanner = scanner;
  }

  /** Starts to fetch; if no thread is free, the part is read when it is asked for. */
  static Piece start(ResultScanner scanner, Executor executor) {
    ReadAhead piece = new ReadAhead(scanner);
    try {
      executor.execute(piece::fetchFirst);
      return piece;
    } catch (RejectedExecutionException e) {
      return new Direct(scanner);
    } catch (RuntimeException | Error e) {
      // For want of memory for a thread, for example; the part is opened anew when asked for.
      scanner.close();
      throw e;
    }
  }

  private void fetchFirst() {
    if (!begin()) {
      scanner.close();
      return;
    }
    try {
      first.complete(scanner.next());
    } catch (Throwable e) {
      // Errors, too: the thread that waits for the result is the one to be told.
      first.completeExceptionally(e);
    } finally {
      end();
      if (first.isCancelled()) {
        scanner.close();
      }
    }
  }

  /** Whether the part still wants its first results. */
  private synchronized boolean begin() {
    if (first.isDone()) {
      return false;
    }
    fetcher = Thread.currentThread();
    return true;
  }

  /** From here on the thread is not interrupted, and it is not left interrupted for others. */
  private synchronized void end() {
    fetcher = null;
    if (first.isCancelled()) {
      Thread.interrupted();
    }
  }

  @Override
  public Result next() throws IOException {
    if (firstTaken) {
      return scanner.next();
    }
    try {
      Result result = first.get();
      firstTaken = true;
      return result;
    } catch (InterruptedException e) {
      InterruptedIOException interrupted = new InterruptedIOException(e.getMessage());
      interrupted.initCause(e);
      throw interrupted;
    } catch (ExecutionException e) {
      firstTaken = true;
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) e.getCause();
    }
  }

  @Override
  public boolean renewLease() {
    return first.isDone() && scanner.renewLease();
  }

  @Override
  public ScanMetrics metrics() {
    return scanner.getScanMetrics();
  }

  @Override
  public void close() {
    // If the fetch is under way or to come, the thread that does it closes the scanner.
    if (!cancel()) {
      scanner.close();
    }
  }

  private synchronized boolean cancel() {
    boolean cancelled = first.cancel(false);
    if (cancelled && fetcher != null) {
      fetcher.interrupt();
    }
    return cancelled;
  }
}
