package io.hbaseindex.client.routing;

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
 * A part of a scan whose first results are fetched by another thread before they are asked for: one
 * call to a region server, whose results HBase's scanner keeps. From then on it is read like any
 * other.
 */
final class ReadAhead implements Piece {
  private final ResultScanner scanner;
  private final CompletableFuture<Result> first = new CompletableFuture<>();
  private boolean firstTaken;

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
    boolean closedBeforeItsTurn = first.isDone();
    if (closedBeforeItsTurn) {
      scanner.close();
      return;
    }
    try {
      first.complete(scanner.next());
    } catch (Throwable e) {
      // Errors, too: the thread that waits for the result is the one to be told.
      first.completeExceptionally(e);
    } finally {
      if (first.isCancelled()) {
        scanner.close();
      }
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
    // If the fetch is under way, the thread that does it closes the scanner.
    if (!first.cancel(false)) {
      scanner.close();
    }
  }
}
