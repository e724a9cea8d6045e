/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.scan;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.apache.hadoop.hbase.util.Bytes;

/** Gives the results it was made for, and counts how often it is asked. */
final class FakeScanner implements ResultScanner {
  private final Callable<Result> answer;
  int asked;
  volatile boolean closed;
  volatile boolean closedByInterrupted;

  private FakeScanner(Callable<Result> answer) {
    this.answer = answer;
  }

  static FakeScanner of(Result... results) {
    Deque<Result> left = new ArrayDeque<>(Arrays.asList(results));
    return new FakeScanner(left::poll);
  }

  static FakeScanner failing(Error failure) {
    return new FakeScanner(
        () -> {
          throw failure;
        });
  }

  static FakeScanner answering(Callable<Result> answer) {
    return new FakeScanner(answer);
  }

  static Result row(String key) {
    return row(key, false);
  }

  /** A row, or the beginning of one. */
  static Result row(String key, boolean mayHaveMoreCells) {
    byte[] bytes = Bytes.toBytes(key);
    return Result.create(
        new Cell[] {new KeyValue(bytes, bytes, bytes, bytes)}, null, false, mayHaveMoreCells);
  }

  @Override
  public Result next() throws IOException {
    asked++;
    try {
      return answer.call();
    } catch (InterruptedException e) {
      throw new InterruptedIOException(e.getMessage());
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  @Override
  public void close() {
    closedByInterrupted = Thread.currentThread().isInterrupted();
    closed = true;
  }

  @Override
  public boolean renewLease() {
    return true;
  }

  @Override
  public ScanMetrics getScanMetrics() {
    return null;
  }
}
