package io.hbaseindex.client.routing;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.apache.hadoop.hbase.util.Bytes;

/** Gives the results it was made with, and counts how often it is asked. */
final class FakeScanner implements ResultScanner {
  private final Deque<Result> results;
  private final Error failure;
  int asked;
  boolean closed;

  private FakeScanner(List<Result> results, Error failure) {
    this.results = new ArrayDeque<>(results);
    this.failure = failure;
  }

  static FakeScanner of(Result... results) {
    return new FakeScanner(Arrays.asList(results), null);
  }

  static FakeScanner failing(Error failure) {
    return new FakeScanner(List.of(), failure);
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
    if (failure != null) {
      throw failure;
    }
    return results.poll();
  }

  @Override
  public void close() {
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
