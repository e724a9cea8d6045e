/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.phoenix;

import com.sun.management.OperatingSystemMXBean;
import io.hbaseindex.bench.cluster.BenchCluster;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** Has several threads do one thing at once, and takes the time, the processor's and the calls. */
final class Stopwatch {
  private static final OperatingSystemMXBean PROCESS =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(2);
  private static final int DIGITS = 3;

  private final BenchCluster cluster;

  Stopwatch(BenchCluster cluster) {
    this.cluster = cluster;
  }

  /** What one of the threads does. */
  interface Work {
    /**
     * Works to its end.
     *
     * @param thread from 0
     * @param latency where the time of each step goes
     * @return how many rows it has found
     */
    long run(int thread, Contender.Session session, Histogram latency) throws Exception;
  }

  /** The count of the sample is that of the latencies. */
  Sample time(Contender contender, int threads, Work work) throws Exception {
    List<Contender.Session> sessions = new ArrayList<>();
    ExecutorService workers = Executors.newFixedThreadPool(threads);
    try {
      for (int thread = 0; thread < threads; thread++) {
        sessions.add(contender.open());
      }
      Histogram latency = new ConcurrentHistogram(LONGEST_NANOS, DIGITS);
      long calls = cluster.scanCalls();
      long cpu = PROCESS.getProcessCpuTime();
      long began = System.nanoTime();
      List<Future<Long>> all = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        int number = thread;
        all.add(workers.submit(() -> work.run(number, sessions.get(number), latency)));
      }
      long rows = 0;
      for (Future<Long> one : all) {
        rows += one.get();
      }
      double seconds = (System.nanoTime() - began) / 1e9;
      return new Sample(
          latency.getTotalCount(),
          seconds,
          (PROCESS.getProcessCpuTime() - cpu) / 1e9,
          cluster.scanCalls() - calls,
          rows,
          latency);
    } finally {
      workers.shutdownNow();
      for (Contender.Session session : sessions) {
        session.close();
      }
    }
  }

  /** Does a step and notes how long it took. */
  static long step(Histogram latency, Step step) throws Exception {
    long began = System.nanoTime();
    long rows = step.run();
    latency.recordValue(Math.min(LONGEST_NANOS, System.nanoTime() - began));
    return rows;
  }

  /** Something whose time is taken. */
  interface Step {
    long run() throws Exception;
  }
}
