/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.client.IndexedAsyncConnection;
import io.hbaseindex.client.IndexedConnection;
import io.hbaseindex.client.routing.RoutingCounter;
import io.hbaseindex.client.routing.RoutingCounters;
import io.hbaseindex.client.routing.RoutingSettings;
import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.IndexSettings;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.Seed;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.TestTables;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/**
 * Random scans of every shape on a table that nobody writes to, each asked three times: by HBase's
 * own connection, by one that routes, and by an asynchronous one that routes. All must return the
 * same results in the same order, or fail in the same way.
 */
@OnSharedCluster
class DifferentialScansIT {
  /** For each seed. */
  private static final int SCANS = Integer.getInteger("hbaseindex.differential.scans", 2_500);

  private static final long LIMIT_MINUTES = 30;

  /** The seeds go side by side, each on a table of its own: a scan alone leaves a core idle. */
  @Test
  void randomScans_plainAndRouted_returnTheSame(TestCluster cluster) throws Exception {
    List<Long> seeds = Seed.fixed(20261116L, 20261117L);
    ExecutorService lanes = Executors.newFixedThreadPool(seeds.size());
    try {
      List<Future<?>> running = new ArrayList<>();
      for (long seed : seeds) {
        Seed.announce(getClass(), seed);
        running.add(
            lanes.submit(
                () -> {
                  compareAll(seed, cluster);
                  return null;
                }));
      }
      for (Future<?> lane : running) {
        lane.get(LIMIT_MINUTES, TimeUnit.MINUTES);
      }
    } finally {
      lanes.shutdownNow();
    }
  }

  private static void compareAll(long seed, TestCluster cluster) throws Exception {
    TableName name = TestTables.uniqueName("differential");
    create(cluster, name);
    Configuration conf = new Configuration(cluster.configuration());
    // A loaded machine may be slow to answer; that is no reason to scan everything in a test.
    conf.setLong(RoutingSettings.TIMEOUT_MS, 30_000);
    ExecutorService pool = Executors.newFixedThreadPool(2);
    try (IndexedConnection routed =
            IndexedConnection.wrap(ConnectionFactory.createConnection(conf));
        IndexedAsyncConnection async =
            IndexedAsyncConnection.wrap(ConnectionFactory.createAsyncConnection(conf).get())) {
      RandomScans scans = new RandomScans(new Random(seed));
      fill(cluster, name, scans);
      cluster.tables().awaitPrecise(name);
      Tally tally = new Tally(cluster, name);
      for (int i = 0; i < SCANS; i++) {
        compare(cluster, name, routed, async, scans.scan(), i, seed, pool, tally);
      }
      report(seed, tally, routed.routing().counters());
      requireRouting(tally, routed.routing().counters());
      requireRouting(tally, async.routing().counters());
    } finally {
      pool.shutdownNow();
      cluster.tables().drop(name);
    }
  }

  /** Regions read, by the servers' own count, for scans that were routed. */
  private static final class Tally {
    private final List<HRegion> regions;
    private long plainReads;
    private long routedReads;
    private long errors;
    private long lines;
    private long differing;

    Tally(TestCluster cluster, TableName name) throws IOException {
      regions = cluster.regions().of(name).stream().map(cluster.regions()::online).toList();
    }

    long reads() {
      return regions.stream().mapToLong(HRegion::getReadRequestsCount).sum();
    }
  }

  private static void compare(
      TestCluster cluster,
      TableName name,
      IndexedConnection routed,
      IndexedAsyncConnection async,
      Scan scan,
      int number,
      long seed,
      ExecutorService pool,
      Tally tally)
      throws Exception {
    String what = "seed %d, scan %d: %s".formatted(seed, number, scan);
    long start = tally.reads();
    List<String> plain = ScanAnswer.of(cluster.connection(), name, new Scan(scan));
    long afterPlain = tally.reads();
    long routedBefore = routed.routing().counters().get(RoutingCounter.ROUTED);
    assertThat(ScanAnswer.of(routed, name, new Scan(scan))).as(what).isEqualTo(plain);
    if (routed.routing().counters().get(RoutingCounter.ROUTED) > routedBefore) {
      tally.plainReads += afterPlain - start;
      tally.routedReads += tally.reads() - afterPlain;
    }
    ScanAnswer.AsyncWay way =
        ScanAnswer.AsyncWay.values()[number % ScanAnswer.AsyncWay.values().length];
    List<String> answer = ScanAnswer.of(async, name, new Scan(scan), way, pool);
    if (!answer.equals(plain)) {
      requireAsHBase(what + ", asynchronously: " + way, name, scan, way, answer, async, pool);
      tally.differing++;
    }
    tally.errors += ScanAnswer.isError(plain) ? 1 : 0;
    tally.lines += plain.size();
  }

  /** HBase's own two clients do not agree about everything; then ours do as each of them does. */
  private static void requireAsHBase(
      String what,
      TableName name,
      Scan scan,
      ScanAnswer.AsyncWay way,
      List<String> answer,
      AsyncConnection routed,
      ExecutorService pool)
      throws Exception {
    try (AsyncConnection plain =
        ConnectionFactory.createAsyncConnection(routed.getConfiguration()).get()) {
      List<String> expected = ScanAnswer.of(plain, name, new Scan(scan), way, pool);
      System.out.printf("HBase's clients differ: %s gives %s%n", what, expected);
      assertThat(answer).as(what).isEqualTo(expected);
    }
  }

  private static void requireRouting(Tally tally, RoutingCounters counters) {
    assertThat(counters.get(RoutingCounter.FALLBACKS)).as("%s", counters).isZero();
    assertThat(counters.get(RoutingCounter.ROUTED)).as("%s", counters).isGreaterThan(SCANS / 4);
    assertThat(counters.get(RoutingCounter.PRECISE)).as("%s", counters).isGreaterThan(SCANS / 5);
    assertThat(counters.get(RoutingCounter.GUESSES)).as("%s", counters).isGreaterThan(SCANS / 100);
    assertThat(counters.get(RoutingCounter.REGIONS_SKIPPED))
        .as("%s", counters)
        .isGreaterThan(2 * counters.get(RoutingCounter.REGIONS_POSITIVE));
    assertThat(tally.routedReads)
        .as("reads by the servers' count")
        .isLessThan(tally.plainReads * 3 / 4);
    assertThat(tally.differing).as("differences between HBase's clients").isLessThan(SCANS / 50);
    assertThat(tally.errors).as("scans that failed, of %d", SCANS).isLessThan(SCANS / 10);
  }

  private static void report(long seed, Tally tally, RoutingCounters counters) {
    System.out.printf(
        "seed %d: %d scans, %d lines; reads of routed scans %d instead of %d; %s%n",
        seed, SCANS, tally.lines, tally.routedReads, tally.plainReads, counters);
  }

  private static void create(TestCluster cluster, TableName name) throws IOException {
    cluster
        .tables()
        .create(
            IndexedTableDescriptor.with(
                TableDescriptorBuilder.newBuilder(name)
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                    .setColumnFamily(
                        ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("g"))
                            .setMaxVersions(3)
                            .build())
                    .setValue(IndexSettings.PUBLISH_ENABLED, "true")
                    // Raw scans would show markers first and, once they are compacted away, not.
                    .setCompactionEnabled(false)
                    .build(),
                IndexDefinition.on("f", "a").named("a").eager(),
                IndexDefinition.on("f", "b").and("f", "a").named("ba").eager(),
                IndexDefinition.on("f", "b").named("b").lazy(),
                IndexDefinition.on("g", "c").named("c").eager(),
                IndexDefinition.on("f", "d")
                    .and("g", "c")
                    .and("f", "b")
                    .named("dcb")
                    .routes("f:d", "f:b")
                    .eager(),
                IndexDefinition.on("f", "e").where("f:h<v30").named("e_where_h").eager()),
            TestTables.evenSplits("r%03d", RandomScans.ROWS, RandomScans.REGIONS));
  }

  private static void fill(TestCluster cluster, TableName name, RandomScans scans)
      throws Exception {
    try (Table table = cluster.connection().getTable(name)) {
      for (int burst = 0; burst < 3; burst++) {
        List<Row> writes = scans.writes(300);
        table.batch(writes, new Object[writes.size()]);
        for (RegionInfo region : cluster.regions().of(name)) {
          cluster.regions().flush(region);
        }
      }
    }
  }
}
