/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.write;

import static io.hbaseindex.it.write.WrittenTable.BY_CITY;
import static io.hbaseindex.it.write.WrittenTable.F;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.core.definition.IndexFamily;
import io.hbaseindex.core.definition.IndexSettings;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.write.Saboteur.Hook;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.Coprocessor;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** The rules of the write path that take a real region to break. */
@OnSharedCluster
class WriteRulesIT {
  private static final byte[] CITY = Bytes.toBytes("city");
  private static final byte[] OTHER = Bytes.toBytes("other");

  private static TestCluster cluster;
  private static WrittenTable indexed;
  private static Table table;

  private String rowName;
  private byte[] row;

  @BeforeAll
  static void createTable(TestCluster shared) throws IOException {
    cluster = shared;
    indexed = WrittenTable.create(cluster, family -> family, WriteRulesIT::withSaboteurs, BY_CITY);
    table = indexed.table();
  }

  private static TableDescriptorBuilder withSaboteurs(TableDescriptorBuilder descriptor) {
    try {
      return descriptor
          .setValue(IndexSettings.ROW_LOCK_WAIT_MS, "500")
          .setCoprocessor(
              CoprocessorDescriptorBuilder.newBuilder(Saboteur.class.getName())
                  .setPriority(Coprocessor.PRIORITY_LOWEST)
                  .build())
          .setCoprocessor(
              CoprocessorDescriptorBuilder.newBuilder(EarlySaboteur.class.getName())
                  .setPriority(Coprocessor.PRIORITY_HIGHEST)
                  .build());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @AfterAll
  static void dropTable() throws IOException {
    indexed.close();
  }

  @BeforeEach
  void nameRow(TestInfo test) {
    rowName = test.getTestMethod().orElseThrow().getName();
    row = Bytes.toBytes(rowName);
  }

  @Test
  void P1_regionMovesToAServerWhoseClockIsBehind_laterPostingStillWins() throws IOException {
    // The server that had the region until now runs an hour ahead.
    EnvironmentEdgeManager.injectEdge(() -> System.currentTimeMillis() + 3_600_000);
    try {
      indexed.region().put(put("Oslo"));
      indexed.region().put(put("Rome"));
    } finally {
      EnvironmentEdgeManager.reset();
    }
    assertThat(indexed.dead(rowName)).containsExactly("by_city/Oslo");

    RegionInfo region = indexed.regionInfo();
    cluster.regions().move(region, anotherServer(region));
    table.put(
        new Put(row)
            .addColumn(F, CITY, System.currentTimeMillis() + 7_200_000, Bytes.toBytes("Oslo")));

    assertThat(indexed.live(rowName)).containsExactly("by_city/Oslo");
    assertThat(indexed.dead(rowName)).containsExactly("by_city/Rome");
  }

  private static ServerName anotherServer(RegionInfo region) throws IOException {
    ServerName current = cluster.regions().serverOf(region);
    return cluster.admin().getRegionServers().stream()
        .filter(server -> !server.equals(current))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void P2_batchFailsAfterItReachedTheMemstore_nextWriteEndsItsPosting() throws IOException {
    late().failOnce(Hook.POST_BATCH, rowName);
    assertThatThrownBy(() -> table.put(put("Oslo"))).hasMessageContaining("sabotage");

    table.put(put("Rome"));

    assertThat(indexed.live(rowName)).containsExactly("by_city/Rome");
    assertThat(indexed.dead(rowName)).containsExactly("by_city/Oslo");
  }

  @Test
  void P2_earlierBatchNotYetVisible_isReadAllTheSame() throws Exception {
    CountDownLatch applied = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    late().holdOnce(Hook.POST_BATCH, rowName, applied, release);
    CompletableFuture<Void> first = CompletableFuture.runAsync(() -> putQuietly("Oslo"));
    assertThat(applied.await(120, TimeUnit.SECONDS)).isTrue();

    CountDownLatch planned = new CountDownLatch(1);
    late().holdOnce(Hook.PRE_BATCH, rowName, planned, release);
    CompletableFuture<Void> second = CompletableFuture.runAsync(() -> putQuietly("Rome"));
    assertThat(planned.await(120, TimeUnit.SECONDS)).isTrue();
    release.countDown();
    CompletableFuture.allOf(first, second).get(120, TimeUnit.SECONDS);

    assertThat(indexed.live(rowName)).containsExactly("by_city/Rome");
    assertThat(indexed.dead(rowName)).containsExactly("by_city/Oslo");
  }

  private void putQuietly(String city) {
    try {
      // In this process, since the two must run on two threads and no more.
      indexed.region().put(put(city));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void P3_twoPutsOfOneTimestampBehindAMarker_bothPostingsEndWithTheNextWrite() throws IOException {
    // HBase's scanners pass on the newer put only, raw ones too; the older one is stored all the
    // same.
    table.delete(new Delete(row).addColumns(F, CITY, 10));
    table.put(new Put(row).addColumn(F, CITY, 5, Bytes.toBytes("Oslo")));
    table.put(new Put(row).addColumn(F, CITY, 5, Bytes.toBytes("Rome")));
    assertThat(indexed.live(rowName)).contains("by_city/Rome");

    table.put(new Put(row).addColumn(F, CITY, 20, Bytes.toBytes("Bern")));

    assertThat(indexed.live(rowName)).containsExactly("by_city/Bern");
  }

  @Test
  void P4_anotherObserverFailsBeforeTheLog_rowIsFreed() throws IOException {
    late().failOnce(Hook.PRE_BATCH, rowName);
    assertThatThrownBy(() -> table.put(put("Oslo"))).hasMessageContaining("sabotage");
    assertThat(indexed.live(rowName)).isEmpty();

    assertOtherThreadsCanWrite();
  }

  @Test
  void P4_anotherObserverFailsAfterTheMemstore_rowIsFreed() throws IOException {
    late().failOnce(Hook.POST_BATCH, rowName);
    assertThatThrownBy(() -> table.put(put("Oslo"))).hasMessageContaining("sabotage");

    assertOtherThreadsCanWrite();
  }

  @Test
  void P4_bothLastHooksSkipped_nextBatchOfTheThreadFreesTheRow() throws IOException {
    late().failOnce(Hook.PRE_BATCH, rowName);
    early().failOnce(Hook.INDISPENSABLY, rowName);
    // On this thread, which can then be made to write again.
    assertThatThrownBy(() -> indexed.region().put(put("Oslo"))).hasMessageContaining("sabotage");
    assertThatThrownBy(
            () -> CompletableFuture.runAsync(() -> putQuietly("Rome")).get(120, TimeUnit.SECONDS))
        .hasStackTraceContaining("was locked by other writes for 500 ms");

    indexed.region().put(new Put(Bytes.toBytes("elsewhere")).addColumn(F, CITY, CITY));

    assertOtherThreadsCanWrite();
  }

  private void assertOtherThreadsCanWrite() throws IOException {
    table.put(put("Rome"));
    assertThat(indexed.live(rowName)).containsExactly("by_city/Rome");
  }

  @Test
  void P5_skipWal_onIndexedColumn_isRefused() throws IOException {
    assertThatThrownBy(() -> table.put(put("Oslo").setDurability(Durability.SKIP_WAL)))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("it concerns column f:city, which index by_city is on")
        .hasMessageContaining("its durability was SKIP_WAL")
        .hasMessageContaining("use another durability");
    assertThat(table.exists(new Get(row))).isFalse();

    table.put(new Put(row).addColumn(F, OTHER, CITY).setDurability(Durability.SKIP_WAL));
    assertThat(table.exists(new Get(row))).isTrue();
  }

  @Test
  void P6_cellTtl_onIndexedColumn_isRefused() throws IOException {
    assertThatThrownBy(() -> table.put(put("Oslo").setTTL(60_000)))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("has a TTL of its own")
        .hasMessageContaining("set a TTL on the column family instead");
    assertThat(table.exists(new Get(row))).isFalse();

    table.put(new Put(row).addColumn(F, OTHER, CITY).setTTL(60_000));
    assertThat(table.exists(new Get(row))).isTrue();
  }

  @Test
  void P6_batchOfMixedTtl_postingsCarryNone() throws IOException {
    table.put(
        List.of(
            new Put(row).addColumn(F, OTHER, CITY).setTTL(60_000),
            new Put(row).addColumn(F, CITY, Bytes.toBytes("Oslo"))));

    assertThat(indexed.live(rowName)).containsExactly("by_city/Oslo");
    assertThat(indexed.hiddenCells()).allMatch(cell -> cell.getTagsLength() == 0);
  }

  @Test
  void P7_wholeRowDelete_leavesNoMarkerInTheHiddenFamily() throws IOException {
    table.put(put("Oslo"));
    table.delete(new Delete(row));

    assertThat(indexed.live(rowName)).isEmpty();
    assertThat(rawHiddenCells()).noneMatch(cell -> cell.getType() != Cell.Type.Put);
  }

  private static List<Cell> rawHiddenCells() throws IOException {
    List<Cell> cells = new ArrayList<>();
    Scan scan = new Scan().addFamily(IndexFamily.bytes()).setRaw(true).readAllVersions();
    try (RegionScanner scanner = indexed.region().getScanner(scan)) {
      List<Cell> row = new ArrayList<>();
      boolean more;
      do {
        more = scanner.next(row);
        cells.addAll(row);
        row.clear();
      } while (more);
    }
    return cells;
  }

  @Test
  void P8_anotherObserverAddsAnIndexedCell_isRefused() throws IOException {
    late()
        .once(
            Hook.PRE_BATCH,
            rowName,
            mutation -> {
              Put smuggled = new Put(row).addColumn(F, CITY, 5, Bytes.toBytes("Atlantis"));
              mutation.getFamilyCellMap().get(F).addAll(smuggled.getFamilyCellMap().get(F));
            });

    assertThatThrownBy(() -> table.put(put("Oslo")))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("did not pass the index observer")
        .hasMessageContaining("lowest priority");
    assertThat(table.exists(new Get(row))).isFalse();
    assertOtherThreadsCanWrite();
  }

  @Test
  void P8_anotherObserverTakesAnIndexedCellOut_isRefused() throws IOException {
    table.put(put("Oslo"));
    late().once(Hook.PRE_BATCH, rowName, mutation -> mutation.getFamilyCellMap().get(F).remove(0));

    // Oslo's posting would be ended although Oslo stays.
    assertThatThrownBy(() -> table.put(put("Rome").addColumn(F, OTHER, CITY)))
        .hasMessageContaining("did not pass the index observer");
    assertThat(indexed.live(rowName)).containsExactly("by_city/Oslo");
  }

  @Test
  void P8_earlierObserverAddsAnIndexedCell_isIndexed() throws IOException {
    early()
        .once(
            Hook.PRE_BATCH,
            rowName,
            mutation -> {
              long later = mutation.getFamilyCellMap().get(F).get(0).getTimestamp() + 1;
              Put added = new Put(row).addColumn(F, CITY, later, Bytes.toBytes("Lima"));
              mutation.getFamilyCellMap().get(F).addAll(added.getFamilyCellMap().get(F));
            });

    table.put(put("Oslo"));

    assertThat(indexed.live(rowName)).containsExactly("by_city/Lima");
  }

  @Test
  @SuppressWarnings("deprecation") // As long as HBase has this way in, it must be watched.
  void P8_rowProcessorWritesAnIndexedCell_isRefused() throws IOException {
    table.put(put("Oslo"));

    assertThatThrownBy(
            () ->
                indexed
                    .region()
                    .processRowsWithLocks(
                        new OneCellProcessor(row, F, CITY, Bytes.toBytes("Atlantis"))))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("did not pass the index observer")
        .hasMessageContaining("let it use batchMutate");

    assertThat(table.get(new Get(row)).getValue(F, CITY)).asString().isEqualTo("Oslo");
    assertThat(indexed.live(rowName)).containsExactly("by_city/Oslo");
    assertOtherThreadsCanWrite();
  }

  @Test
  @SuppressWarnings("deprecation") // See above.
  void P8_rowProcessorWritesAnotherCell_isLetThrough() throws IOException {
    indexed.region().processRowsWithLocks(new OneCellProcessor(row, F, OTHER, CITY));

    assertThat(table.get(new Get(row)).getValue(F, OTHER)).isEqualTo(CITY);
    assertThat(indexed.live(rowName)).isEmpty();
  }

  @Test
  void P13_rowKeyTooLongForItsPosting_isRefused() throws IOException {
    // Straight to the region: the client cannot look up the region of a row key this long.
    byte[] longRow = Bytes.padTail(row, HConstants.MAX_ROW_LENGTH - row.length);
    Put tooLong = new Put(longRow).addColumn(F, CITY, Bytes.toBytes("Oslo"));
    Put notIndexed = new Put(longRow).addColumn(F, OTHER, Bytes.toBytes("x"));

    assertThatThrownBy(() -> indexed.region().put(tooLong))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("index row key would be")
        .hasMessageContaining("shorten the row key");
    indexed.region().put(notIndexed);
    assertThat(indexed.region().get(new Get(longRow)).isEmpty()).isFalse();
  }

  @Test
  void hiddenFamily_writtenByAUser_isRefused() throws IOException {
    byte[] hidden = IndexFamily.bytes();
    assertRefused(() -> table.put(new Put(row).addColumn(hidden, CITY, CITY)));
    assertRefused(() -> table.put(put("Oslo").addColumn(hidden, CITY, CITY)));
    assertRefused(() -> table.delete(new Delete(row).addFamily(hidden)));
    assertRefused(() -> table.increment(new Increment(row).addColumn(hidden, CITY, 1)));
    assertThat(table.exists(new Get(row))).isFalse();
  }

  private static void assertRefused(org.assertj.core.api.ThrowableAssert.ThrowingCallable write) {
    assertThatThrownBy(write)
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("family _i holds the index");
  }

  @Test
  void partialFailure_unknownFamilyInABatch_othersAreIndexed() throws Exception {
    List<Row> batch =
        List.of(
            new Put(Bytes.toBytes(rowName + 1)).addColumn(F, CITY, Bytes.toBytes("Oslo")),
            new Put(row).addColumn(Bytes.toBytes("nope"), CITY, CITY),
            new Put(Bytes.toBytes(rowName + 2)).addColumn(F, CITY, Bytes.toBytes("Rome")));

    assertThatThrownBy(() -> table.batch(batch, new Object[3]))
        .isInstanceOf(RetriesExhaustedWithDetailsException.class)
        .hasMessageContaining("nope");

    assertThat(indexed.live(rowName + 1)).containsExactly("by_city/Oslo");
    assertThat(indexed.live(rowName + 2)).containsExactly("by_city/Rome");
  }

  private Put put(String city) {
    return new Put(row).addColumn(F, CITY, Bytes.toBytes(city));
  }

  private static Saboteur late() throws IOException {
    return indexed.region().getCoprocessorHost().findCoprocessors(Saboteur.class).stream()
        .filter(saboteur -> !(saboteur instanceof EarlySaboteur))
        .findFirst()
        .orElseThrow();
  }

  private static Saboteur early() throws IOException {
    return indexed.region().getCoprocessorHost().findCoprocessor(EarlySaboteur.class);
  }
}
