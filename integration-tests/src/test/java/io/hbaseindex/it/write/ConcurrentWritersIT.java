/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.write;

import static io.hbaseindex.it.write.WrittenTable.BY_CITY;
import static io.hbaseindex.it.write.WrittenTable.F;
import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.client.admin.CheckReport;
import io.hbaseindex.client.admin.RegionIndexAdmin;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.Seed;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.Waits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Many writers on few rows, all in the same milliseconds, with timestamps of the server and of
 * their own.
 *
 * <p>What must hold when they are done: no posting is missing, and none dangles, that is none
 * stands for a value which cannot show again without a write. A put that a delete marker hides can,
 * until a major compaction drops both. Behind one, postings and visible values are the same.
 */
@OnSharedCluster
class ConcurrentWritersIT {
  private static final int THREADS = 8;
  private static final int ROWS = 10;
  private static final int OPERATIONS = 400;
  private static final byte[] CITY = Bytes.toBytes("city");
  private static final byte[] COUNT = Bytes.toBytes("count");
  private static final IndexDefinition BY_COUNT =
      IndexDefinition.on("f", "count").named("by_count").eager();
  private static final IndexDefinition BY_BOTH =
      IndexDefinition.on("f", "city").and("f", "count").named("by_both").eager();

  /** Where the timestamps of writes come from. */
  private enum Clock {
    SERVER,
    /** Past, future, and again and again the same. */
    CLIENT;

    long draw(Random random) {
      return this == SERVER
          ? HConstants.LATEST_TIMESTAMP
          : NOW + (random.nextInt(7) - 3) * 600_000L + random.nextInt(2);
    }
  }

  private static final long NOW = System.currentTimeMillis();

  static List<Arguments> cases() {
    List<Arguments> cases = new ArrayList<>();
    for (Clock clock : Clock.values()) {
      for (int versions : new int[] {1, 3}) {
        cases.add(Arguments.of(clock, versions));
      }
    }
    return cases;
  }

  @ParameterizedTest(name = "timestamps of the {0}, {1} versions")
  @MethodSource("cases")
  void writes_eightThreadsOnTenRows_leaveNothingMissingAndNothingDangling(
      Clock clock, int versions, TestCluster cluster) throws Exception {
    try (WrittenTable indexed = create(cluster, versions)) {
      writeFromManyThreads(indexed, clock);

      requireClean(cluster, indexed);
      requireExactAfterCompaction(indexed);
      requireClean(cluster, indexed);
    }
  }

  @ParameterizedTest(name = "timestamps of the {0}, {1} versions")
  @MethodSource("cases")
  void writes_beneathFlushesAndCompactions_leaveNothingMissingAndNothingDangling(
      Clock clock, int versions, TestCluster cluster) throws Exception {
    try (WrittenTable indexed = create(cluster, versions)) {
      AtomicBoolean writing = new AtomicBoolean(true);
      FutureTask<Void> files =
          new FutureTask<>(
              () -> {
                for (int i = 0; writing.get(); i++) {
                  indexed.region().flush(true);
                  indexed.region().compact(i % 3 == 0);
                }
                return null;
              });
      new Thread(files, "flushes and compactions").start();
      try {
        writeFromManyThreads(indexed, clock);
      } finally {
        writing.set(false);
        files.get(Waits.HANG.toSeconds(), TimeUnit.SECONDS);
      }

      assertThat(indexed.live()).containsAll(indexed.calledFor());
      assertThat(check(cluster, indexed).missing()).isZero();
      requireExactAfterCompaction(indexed);
      requireClean(cluster, indexed);
    }
  }

  private static WrittenTable create(TestCluster cluster, int versions) throws IOException {
    return WrittenTable.create(
        cluster, f -> f.setMaxVersions(versions), t -> t, BY_CITY, BY_COUNT, BY_BOTH);
  }

  private static void writeFromManyThreads(WrittenTable indexed, Clock clock) throws Exception {
    long seed = Seed.choose(1).get(0);
    Seed.announce(ConcurrentWritersIT.class, seed);
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    List<Future<?>> writers = new ArrayList<>();
    for (int t = 0; t < THREADS; t++) {
      Random random = new Random(seed + t);
      writers.add(
          threads.submit(
              () -> {
                for (int i = 0; i < OPERATIONS; i++) {
                  write(indexed.table(), random, clock);
                }
                return null;
              }));
    }
    threads.shutdown();
    for (Future<?> writer : writers) {
      writer.get();
    }
  }

  /** Dangling is for the checker to say: what is hidden from readers may have to keep a posting. */
  private static void requireClean(TestCluster cluster, WrittenTable indexed) throws IOException {
    assertThat(indexed.live()).containsAll(indexed.calledFor());
    CheckReport report = check(cluster, indexed);
    assertThat(report.isClean()).as("%s", report).isTrue();
  }

  private static CheckReport check(TestCluster cluster, WrittenTable indexed) throws IOException {
    return new RegionIndexAdmin(cluster.connection()).check(indexed.name(), false);
  }

  /** A major compaction leaves nothing hidden, and the sweep behind it no posting of what was. */
  private static void requireExactAfterCompaction(WrittenTable indexed) throws IOException {
    indexed.region().flush(true);
    indexed.region().compact(true);
    Waits.until("the sweep behind the compaction")
        .untilAsserted(() -> assertThat(indexed.live()).isEqualTo(indexed.calledFor()));
  }

  private static void write(Table table, Random random, Clock clock)
      throws IOException, InterruptedException {
    byte[] row = row(random);
    long time = clock.draw(random);
    switch (random.nextInt(11)) {
      case 0 -> table.increment(new Increment(row).addColumn(F, COUNT, 1));
      case 1 -> table.append(new Append(row).addColumn(F, CITY, Bytes.toBytes("o")));
      case 2 -> table.delete(new Delete(row, time));
      case 3 -> table.delete(new Delete(row).addColumns(F, CITY, time));
      case 4 -> table.delete(new Delete(row).addColumn(F, CITY, time));
      case 5 -> table.delete(new Delete(row).addFamilyVersion(F, clock.draw(random)));
      case 6 -> table.batch(batch(random, clock), new Object[4]);
      default -> table.put(put(row, random, clock));
    }
  }

  private static List<Row> batch(Random random, Clock clock) {
    return List.of(
        put(row(random), random, clock),
        put(row(random), random, clock),
        new Delete(row(random)).addColumns(F, COUNT, clock.draw(random)),
        put(row(random), random, clock));
  }

  private static byte[] row(Random random) {
    return Bytes.toBytes("row" + random.nextInt(ROWS));
  }

  private static Put put(byte[] row, Random random, Clock clock) {
    return new Put(row)
        .addColumn(F, CITY, clock.draw(random), Bytes.toBytes("city" + random.nextInt(3)));
  }
}
