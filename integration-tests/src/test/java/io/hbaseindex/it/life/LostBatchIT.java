/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.life;

import static io.hbaseindex.it.life.People.onlyRegion;
import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.client.query.Column;
import io.hbaseindex.client.query.Condition;
import io.hbaseindex.client.query.FoundRows;
import io.hbaseindex.client.query.IndexQuery;
import io.hbaseindex.client.query.QueryClient;
import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.IndexFamily;
import io.hbaseindex.it.cluster.IndexCounters;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.TestTables;
import io.hbaseindex.it.index.IndexedTable;
import io.hbaseindex.region.lifecycle.ledger.LedgerFile;
import io.hbaseindex.region.lifecycle.ledger.LedgerRecord;
import io.hbaseindex.region.metrics.IndexCounter;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.FlushLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionFileSystem;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKey;
import org.junit.jupiter.api.Test;

/**
 * A batch whose log entry could not be awaited has failed and is not in memory, and the log may
 * hold it all the same: the next replay brings it back, before later writes that knew nothing of
 * it.
 */
@OnSharedCluster
class LostBatchIT {
  private static final Column A = Column.of("f", "a");
  private static final Column B = Column.of("f", "b");
  private static final Column X = Column.of("g", "x");

  /**
   * Interrupts a thread just before its entry goes to the log, once for each time it is armed. May
   * do something when HBase has let go of the failed batch, before the index observer hears of it.
   */
  public static final class Interrupter implements RegionCoprocessor, RegionObserver {
    private static volatile Thread victim;
    private static volatile AfterFailure afterFailure = region -> {};

    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public void preWALAppend(
        ObserverContext<RegionCoprocessorEnvironment> ctx, WALKey key, WALEdit edit) {
      if (Thread.currentThread() == victim) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void postBatchMutateIndispensably(
        ObserverContext<RegionCoprocessorEnvironment> ctx,
        MiniBatchOperationInProgress<Mutation> batch,
        boolean success)
        throws IOException {
      if (Thread.currentThread() == victim && !success) {
        Thread.interrupted();
        afterFailure.run((HRegion) ctx.getEnvironment().getRegion());
      }
    }
  }

  private interface AfterFailure {
    void run(HRegion region) throws IOException;
  }

  @Test
  void p14_laterWriteKnewNothingOfIt_nothingIsMissedOrInvented(TestCluster cluster)
      throws Exception {
    try (IndexedTable table = create(cluster)) {
      RegionInfo region = onlyRegion(cluster, table);
      String row = "0";
      for (int i = 1; !isLost(cluster, region, put(row, "f:a", "lost", 20)); i++) {
        row = Integer.toString(i);
      }
      table.table().put(put(row, "f:a", "old", 10));
      table.table().put(put(row, "f:b", "later", 30));
      crash(cluster, table, region);

      QueryClient client = QueryClient.of(cluster.connection());
      Condition shown = A.equalTo("lost").and(B.equalTo("later"));
      assertThat(rows(client, where(table, shown))).containsExactly(row);
      assertThat(client.count(where(table, A.equalTo("old")))).isZero();
      assertIndexIsRightAndUsed(client, table, shown);
    }
  }

  @Test
  void p14_flushedInPart_itsRowIsFound(TestCluster cluster) throws Exception {
    try (IndexedTable table = create(cluster)) {
      RegionInfo region = onlyRegion(cluster, table);
      String row = "0";
      for (int i = 1; !isLost(cluster, region, put(row, "g:x", "lost", 20)); i++) {
        row = Integer.toString(i);
      }
      table.table().put(put(row, "f:a", "other", 10));
      flushPostings(cluster.regions().online(region));
      crash(cluster, table, region);

      QueryClient client = QueryClient.of(cluster.connection());
      assertThat(rows(client, where(table, X.equalTo("lost")))).contains(row);
      assertIndexIsRightAndUsed(client, table, X.equalTo("lost"));
    }
  }

  @Test
  void p14_flushedInPartBeforeItsLossIsKnown_noLedgerSaysThatIndexesAreBuilt(TestCluster cluster)
      throws Exception {
    try (IndexedTable table = create(cluster)) {
      RegionInfo region = onlyRegion(cluster, table);
      table.table().put(put("another", "f:a", "other", 10));
      AtomicReference<LedgerRecord> ledger = new AtomicReference<>();
      AtomicReference<Set<String>> files = new AtomicReference<>();
      Interrupter.afterFailure =
          online -> {
            flushPostings(online);
            ledger.set(storedLedger(online));
            files.set(fileNames(online));
          };
      String row = "0";
      for (int i = 1; !isLost(cluster, region, put(row, "g:x", "lost", 20)); i++) {
        row = Integer.toString(i);
      }
      Interrupter.afterFailure = online -> {};

      boolean matches = ledger.get().files().equals(files.get());
      assertThat(files.get()).isNotEmpty();
      assertThat(matches && !ledger.get().indexes().isEmpty())
          .as("a server that dies now leaves %s for %s", ledger, files)
          .isFalse();
      crash(cluster, table, region);
      QueryClient client = QueryClient.of(cluster.connection());
      assertThat(rows(client, where(table, X.equalTo("lost")))).contains(row);
      assertIndexIsRightAndUsed(client, table, X.equalTo("lost"));
    }
  }

  /** As the ledger names them. */
  private static Set<String> fileNames(HRegion region) {
    return region.getStores().stream()
        .flatMap(
            store ->
                store.getStorefiles().stream()
                    .map(file -> store.getColumnFamilyName() + "/" + file.getPath().getName()))
        .collect(Collectors.toSet());
  }

  private static LedgerRecord storedLedger(HRegion region) throws IOException {
    HRegionFileSystem files = region.getRegionFileSystem();
    return LedgerFile.in(
            files.getFileSystem(), files.getRegionDir(), region.getReadOnlyConfiguration())
        .read()
        .orElseThrow();
  }

  /** As a flush policy does that lets small families be. */
  private static void flushPostings(HRegion region) throws IOException {
    region.flushcache(List.of(IndexFamily.bytes()), false, FlushLifeCycleTracker.DUMMY);
  }

  private static IndexedTable create(TestCluster cluster) throws IOException {
    TableName name = TestTables.uniqueName("lost");
    cluster
        .tables()
        .create(
            TableDescriptorBuilder.newBuilder(
                    IndexedTableDescriptor.with(
                        TableDescriptorBuilder.newBuilder(name)
                            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("g"))
                            .build(),
                        IndexDefinition.on("f", "a").and("f", "b").named("by_a_b").eager(),
                        IndexDefinition.on("g", "x").named("by_x").eager()))
                .setCoprocessor(Interrupter.class.getName())
                .build(),
            List.of());
    IndexedTable table = IndexedTable.adopt(cluster, name);
    table.probe().awaitReady();
    return table;
  }

  private static Put put(String row, String column, String value, long timestamp) {
    byte[][] names = CellUtil.parseColumn(Bytes.toBytes(column));
    return new Put(Bytes.toBytes(row))
        .addColumn(names[0], names[1], timestamp, Bytes.toBytes(value));
  }

  /**
   * Tries to write what the log then holds and the region does not. A log that is written before
   * anybody waits for it interrupts nobody.
   */
  private static boolean isLost(TestCluster cluster, RegionInfo info, Put put) throws IOException {
    Interrupter.victim = Thread.currentThread();
    try {
      cluster.regions().online(info).put(put);
      return false;
    } catch (InterruptedIOException e) {
      return true;
    } finally {
      Interrupter.victim = null;
      Thread.interrupted();
    }
  }

  private static void crash(TestCluster cluster, IndexedTable table, RegionInfo region)
      throws IOException {
    cluster.servers().abortAndReplace(cluster.regions().serverOf(region));
    table.probe().awaitReady();
  }

  private static IndexQuery where(IndexedTable table, Condition condition) {
    return IndexQuery.from(table.name()).where(condition);
  }

  private static List<String> rows(QueryClient client, IndexQuery query) throws IOException {
    List<String> rows = new ArrayList<>();
    try (FoundRows found = client.rows(query)) {
      found.forEach(row -> rows.add(row.keyText()));
    }
    return rows;
  }

  private static void assertIndexIsRightAndUsed(
      QueryClient client, IndexedTable table, Condition condition) throws IOException {
    assertThat(table.probe().check().missing()).isEmpty();
    IndexCounters before = table.counters();
    assertThat(client.count(where(table, condition))).isPositive();
    assertThat(table.counters().since(before).get(IndexCounter.COUNTED_BY_POSTINGS)).isPositive();
  }
}
