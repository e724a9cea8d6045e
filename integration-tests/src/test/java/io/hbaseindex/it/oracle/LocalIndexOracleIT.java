/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.oracle;

import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.Seed;
import io.hbaseindex.it.cluster.TestCluster;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random writes, region events and queries: the index and the plain scan always agree.
 *
 * <p>The seeds run side by side, a table and a thread each, since most of a run is waiting for
 * regions to open, close and be flushed. What a seed does to its table does not depend on the
 * others, so it replays alone.
 */
@OnSharedCluster
@Tag("chaos")
class LocalIndexOracleIT {

  private static final OraclePlan PLAN = new OraclePlan(12_000, 24, 2);

  /** More of them only make the servers wait for each other. */
  private static final int SIDE_BY_SIDE = 5;

  @Test
  void randomWritesAndRegionEvents_everyQueryEqualsThePlainScan(TestCluster cluster)
      throws Exception {
    List<Long> seeds = Seed.fixed(1L, 2L, 3L, 4L, 5L);
    for (int i = 0; i < seeds.size(); i += SIDE_BY_SIDE) {
      runSideBySide(cluster, seeds.subList(i, Math.min(i + SIDE_BY_SIDE, seeds.size())));
    }
  }

  private void runSideBySide(TestCluster cluster, List<Long> seeds) throws Exception {
    Crashes crashes = new Crashes(cluster);
    OracleTally tally = new OracleTally();
    Map<Long, TableDescriptor> tables = new LinkedHashMap<>();
    for (long seed : seeds) {
      Seed.announce(getClass(), seed);
      TableDescriptor descriptor = OracleTable.descriptor();
      cluster.tables().create(descriptor, OracleTable.firstSplits());
      tables.put(seed, descriptor);
      crashes.join(descriptor.getTableName());
    }
    ExecutorService threads = Executors.newFixedThreadPool(seeds.size());
    Map<Long, Future<?>> runs = new LinkedHashMap<>();
    tables.forEach(
        (seed, descriptor) ->
            runs.put(seed, threads.submit(() -> run(cluster, crashes, tally, seed, descriptor))));
    List<Throwable> failures = new ArrayList<>();
    for (Map.Entry<Long, Future<?>> run : runs.entrySet()) {
      try {
        run.getValue().get();
      } catch (ExecutionException e) {
        failures.add(
            new AssertionError("Seed " + run.getKey() + ": " + e.getCause(), e.getCause()));
      }
    }
    threads.shutdown();
    if (!failures.isEmpty()) {
      AssertionError first =
          new AssertionError(
              failures.size()
                  + " of "
                  + seeds.size()
                  + " seeds failed; "
                  + failures.get(0).getMessage(),
              failures.get(0));
      failures.subList(1, failures.size()).forEach(first::addSuppressed);
      throw first;
    }
    System.out.println("Jumped: " + tally);
    // One seed, as a replay has, asks too little to judge by.
    if (seeds.size() == SIDE_BY_SIDE) {
      tally.requireEnough();
    }
  }

  private static Void run(
      TestCluster cluster,
      Crashes crashes,
      OracleTally tally,
      long seed,
      TableDescriptor descriptor)
      throws Exception {
    try {
      long began = System.nanoTime();
      OracleRun run = new OracleRun(cluster, descriptor.getTableName(), PLAN, crashes, tally, seed);
      run.run();
      System.out.printf(
          "seed %d: %s; %.0f s%n", seed, run.summary(), (System.nanoTime() - began) / 1e9);
    } finally {
      crashes.leave(descriptor.getTableName());
      cluster.tables().drop(descriptor.getTableName());
    }
    return null;
  }
}
