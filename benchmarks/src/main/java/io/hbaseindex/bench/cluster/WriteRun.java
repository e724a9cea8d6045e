/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.cluster;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongFunction;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;

/** Fills a fresh table of one variant, then changes its rows, and takes the time. */
public final class WriteRun {
  private static final OperatingSystemMXBean PROCESS =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private final BenchCluster cluster;
  private final CustomerRows customers;
  private final int rows;
  private final int regions;
  private final int threads;

  WriteRun(BenchCluster cluster, int rows, int regions, int threads) {
    this.cluster = cluster;
    this.customers = new CustomerRows(rows);
    this.rows = rows;
    this.regions = regions;
    this.threads = threads;
  }

  /**
   * What one run came to.
   *
   * @param load rows loaded, in batches of {@value #BATCH}
   * @param update rows updated, in batches of {@value #BATCH}
   * @param single rows updated, one put at a time
   * @param loadLogBytes bytes logged per row loaded
   */
  record Result(Speed load, Speed update, Speed single, double loadLogBytes) {}

  /**
   * @param perSecond rows per second of the clock
   * @param perCpuSecond rows per second of processor time that this process used, which other
   *     processes do not disturb
   */
  public record Speed(double perSecond, double perCpuSecond) {}

  public static final int BATCH = 1_000;

  /** One row in this many is updated once more by a put of its own, which takes far longer. */
  private static final int SINGLE_SHARE = 20;

  Result run(BenchTable variant, int round) throws Exception {
    return run(variant, round, table -> {});
  }

  /** Waits, for example, until a table is in the state that is to be measured. */
  interface Preparation {
    void prepare(TableName table) throws Exception;
  }

  Result run(BenchTable variant, int round, Preparation preparation) throws Exception {
    TableName name = TableName.valueOf("write_" + variant.name().toLowerCase() + "_" + round);
    cluster.create(variant.table(name), customers.splitKeys(regions));
    try {
      preparation.prepare(name);
      Speed load;
      double logBytes;
      try (LogBytes log = new LogBytes(cluster.regions(name))) {
        load = speed(name, rows, BATCH, customers::load);
        logBytes = (double) log.sum() / rows;
      }
      Speed update = speed(name, rows, BATCH, customers::move);
      Speed single =
          speed(name, rows / SINGLE_SHARE, 1, number -> customers.load(number * SINGLE_SHARE));
      return new Result(load, update, single, logBytes);
    } finally {
      cluster.drop(name);
    }
  }

  private Speed speed(TableName name, int count, int batch, LongFunction<Put> put)
      throws Exception {
    return speed(cluster.connection(), name, threads, count, batch, put);
  }

  /** Writes rows by several threads, in batches, and takes the time. */
  public static Speed speed(
      Connection connection,
      TableName name,
      int threads,
      int count,
      int batch,
      LongFunction<Put> put)
      throws Exception {
    ExecutorService writers = Executors.newFixedThreadPool(threads);
    try {
      long began = System.nanoTime();
      long cpuBegan = PROCESS.getProcessCpuTime();
      List<Future<?>> done = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        int first = thread;
        done.add(writers.submit(() -> write(connection, name, threads, first, count, batch, put)));
      }
      for (Future<?> writer : done) {
        writer.get();
      }
      double seconds = (System.nanoTime() - began) / 1e9;
      double cpuSeconds = (PROCESS.getProcessCpuTime() - cpuBegan) / 1e9;
      return new Speed(count / seconds, count / cpuSeconds);
    } finally {
      writers.shutdownNow();
    }
  }

  /** Writes every batch whose number is {@code first} modulo the number of threads. */
  private static Void write(
      Connection connection,
      TableName name,
      int threads,
      int first,
      int count,
      int batch,
      LongFunction<Put> put)
      throws IOException {
    try (Table table = connection.getTable(name)) {
      for (long from = (long) first * batch; from < count; from += (long) threads * batch) {
        List<Put> puts = new ArrayList<>(batch);
        for (long number = from; number < Math.min(from + batch, count); number++) {
          puts.add(put.apply(number));
        }
        if (batch == 1) {
          table.put(puts.get(0));
        } else {
          table.put(puts);
        }
      }
    }
    return null;
  }
}
