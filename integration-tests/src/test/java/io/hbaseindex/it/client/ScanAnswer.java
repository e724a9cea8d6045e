/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.client;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.ScanResultConsumer;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * What a scan returned, as lines that can be compared: each result with the number of its cells,
 * then the cells; or the error. Where HBase may cut rows anywhere, the cuts are left out, and so
 * are cursors, which depend on time.
 */
final class ScanAnswer {
  /**
   * HBase's client gives up a call after a minute and makes it again: a scan that has not ended
   * after this has lost more than one call, and ends never.
   */
  private static final long HANG_SECONDS = 200;

  private static final String ERROR = "failed with ";

  private ScanAnswer() {}

  /** Whether the scan failed. */
  static boolean isError(List<String> answer) {
    return answer.size() == 1 && answer.get(0).startsWith(ERROR);
  }

  /** The ways to scan with the asynchronous client. */
  enum AsyncWay {
    ALL_AT_ONCE,
    SCANNER,
    CONSUMER,
    POOLED_CONSUMER
  }

  static List<String> of(Connection connection, TableName name, Scan scan) {
    List<Result> results = new ArrayList<>();
    try (Table table = connection.getTable(name);
        ResultScanner scanner = table.getScanner(scan)) {
      for (Result result = scanner.next(); result != null; result = scanner.next()) {
        results.add(result);
      }
    } catch (IOException e) {
      return List.of(ERROR + e.getClass().getName());
    }
    return print(scan, results);
  }

  static List<String> of(
      AsyncConnection connection, TableName name, Scan scan, AsyncWay way, ExecutorService pool) {
    // What was heard of the scan, for whoever wonders why it does not end.
    List<String> calls = new CopyOnWriteArrayList<>();
    try {
      CompletableFuture<List<Result>> results =
          switch (way) {
            case ALL_AT_ONCE -> connection.getTable(name).scanAll(scan);
            case SCANNER -> viaScanner(connection.getTable(name).getScanner(scan), pool, calls);
            case CONSUMER -> {
              Gathering consumer = new Gathering(calls);
              connection.getTable(name).scan(scan, consumer);
              yield consumer.all;
            }
            case POOLED_CONSUMER -> {
              PooledGathering consumer = new PooledGathering(calls);
              connection.getTable(name, pool).scan(scan, consumer);
              yield consumer.all;
            }
          };
      return print(scan, results.get(HANG_SECONDS, TimeUnit.SECONDS));
    } catch (ExecutionException e) {
      return List.of(ERROR + e.getCause().getClass().getName());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } catch (TimeoutException e) {
      printStacks();
      throw new AssertionError(
          "Cannot tell what %s of %s gives: no end after %d s, heard so far: %s; all stacks are printed above"
              .formatted(way, scan, HANG_SECONDS, calls),
          e);
    }
  }

  /** What everybody is doing, for whoever wonders why a scan does not end. */
  private static void printStacks() {
    Thread.getAllStackTraces()
        .forEach(
            (thread, stack) -> {
              System.out.println(thread + " " + thread.getState());
              List.of(stack).forEach(frame -> System.out.println("  " + frame));
            });
  }

  private static CompletableFuture<List<Result>> viaScanner(
      ResultScanner scanner, Executor pool, List<String> calls) {
    CompletableFuture<List<Result>> all = new CompletableFuture<>();
    pool.execute(
        () -> {
          try (scanner) {
            List<Result> results = new ArrayList<>();
            for (Result result = scanner.next(); result != null; result = scanner.next()) {
              calls.add("next");
              results.add(result);
            }
            all.complete(results);
          } catch (IOException e) {
            all.completeExceptionally(e);
          }
        });
    return all;
  }

  private static final class Gathering implements AdvancedScanResultConsumer {
    private final List<Result> results = new ArrayList<>();
    private final CompletableFuture<List<Result>> all = new CompletableFuture<>();
    private final List<String> calls;

    Gathering(List<String> calls) {
      this.calls = calls;
    }

    @Override
    public void onHeartbeat(ScanController controller) {
      calls.add("heartbeat");
    }

    @Override
    public void onNext(Result[] next, ScanController controller) {
      calls.add(next.length + " results");
      results.addAll(List.of(next));
    }

    @Override
    public void onError(Throwable error) {
      all.completeExceptionally(error);
    }

    @Override
    public void onComplete() {
      all.complete(results);
    }
  }

  private static final class PooledGathering implements ScanResultConsumer {
    private final List<Result> results = new ArrayList<>();
    private final CompletableFuture<List<Result>> all = new CompletableFuture<>();
    private final List<String> calls;

    PooledGathering(List<String> calls) {
      this.calls = calls;
    }

    @Override
    public boolean onNext(Result next) {
      calls.add("next");
      results.add(next);
      return true;
    }

    @Override
    public void onError(Throwable error) {
      all.completeExceptionally(error);
    }

    @Override
    public void onComplete() {
      all.complete(results);
    }
  }

  private static List<String> print(Scan scan, List<Result> results) {
    List<String> lines = new ArrayList<>();
    for (Result result : results) {
      if (!result.isCursor()) {
        if (!scan.getAllowPartialResults()) {
          lines.add("result of " + result.size());
        }
        for (Cell cell : result.rawCells()) {
          lines.add(print(cell));
        }
      }
    }
    return lines;
  }

  private static String print(Cell cell) {
    return Bytes.toStringBinary(CellUtil.cloneRow(cell))
        + "/"
        + Bytes.toString(CellUtil.cloneFamily(cell))
        + ":"
        + Bytes.toStringBinary(CellUtil.cloneQualifier(cell))
        + "/"
        + cell.getTimestamp()
        + "="
        + Bytes.toStringBinary(CellUtil.cloneValue(cell))
        + "/"
        + cell.getType();
  }
}
