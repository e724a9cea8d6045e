/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/** Asks questions of one kind in one way, for a while, and takes the time of each. */
final class QueryRun {
  private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final int DIGITS = 3;

  /** What a run came to: latencies in nanoseconds, and rows per question. */
  record Outcome(Histogram latency, double rows) {
    double p50Millis() {
      return latency.getValueAtPercentile(50) / 1e6;
    }

    double p99Millis() {
      return latency.getValueAtPercentile(99) / 1e6;
    }
  }

  private final Map<QueryWay.Asker, Connection> connections;
  private final TableName name;
  private final int rows;
  private final AtomicInteger questions = new AtomicInteger();

  QueryRun(Map<QueryWay.Asker, Connection> connections, TableName name, int rows) {
    this.connections = connections;
    this.name = name;
    this.rows = rows;
  }

  Outcome run(QueryKind kind, QueryWay way, int threads, long millis) throws Exception {
    Histogram latency = new ConcurrentHistogram(LONGEST_NANOS, DIGITS);
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    AtomicInteger left = new AtomicInteger(way.mostQueries());
    ExecutorService askers = Executors.newFixedThreadPool(threads);
    try {
      List<Future<Long>> found = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        found.add(askers.submit(() -> ask(kind, way, deadline, left, latency)));
      }
      long all = 0;
      for (Future<Long> one : found) {
        all += one.get();
      }
      return new Outcome(latency, (double) all / latency.getTotalCount());
    } finally {
      askers.shutdownNow();
    }
  }

  private long ask(
      QueryKind kind, QueryWay way, long deadline, AtomicInteger left, Histogram latency)
      throws IOException {
    long found = 0;
    try (Table table = connections.get(way.asker()).getTable(name)) {
      while (left.getAndDecrement() > 0 && System.nanoTime() - deadline < 0) {
        Scan scan = kind.scan(questions.incrementAndGet(), rows);
        way.prepare(scan);
        long began = System.nanoTime();
        try (ResultScanner scanner = table.getScanner(scan)) {
          for (Result result = scanner.next(); result != null; result = scanner.next()) {
            found++;
          }
        }
        latency.recordValue(Math.min(LONGEST_NANOS, System.nanoTime() - began));
      }
    }
    return found;
  }
}
