/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.life;

import static io.hbaseindex.it.life.People.assertExact;
import static io.hbaseindex.it.life.People.assertSameAnswers;
import static io.hbaseindex.it.life.People.modify;
import static io.hbaseindex.it.life.People.onlyRegion;
import static io.hbaseindex.it.life.People.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.client.admin.call.RegionCalls;
import io.hbaseindex.client.admin.status.RegionReader;
import io.hbaseindex.client.admin.status.RegionStatus;
import io.hbaseindex.core.definition.IndexSettings;
import io.hbaseindex.core.definition.TableIndexes;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.Waits;
import io.hbaseindex.it.index.IndexedTable;
import io.hbaseindex.region.lifecycle.ledger.LedgerFile;
import io.hbaseindex.region.metrics.IndexCounter;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.MemoryCompactionPolicy;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKeyImpl;
import org.junit.jupiter.api.Test;

/** Everything that went on behind the observer's back is noticed when the region opens. */
@OnSharedCluster
class DistrustIT {

  @Test
  void p10_logEntriesThatBypassedTheIndex_areNoticedWhenReplayed(TestCluster cluster)
      throws IOException {
    try (IndexedTable people = People.create(cluster)) {
      RegionInfo region = onlyRegion(cluster, people);
      cluster.regions().flush(region);
      appendToLog(cluster.regions().online(region), IndexedTable.person(row(0), "n@x", "c07"));
      cluster.servers().abortAndReplace(cluster.regions().serverOf(region));
      people.probe().awaitReady();

      assertThat(people.counters().get(IndexCounter.LEDGERS_DISTRUSTED)).isPositive();
      assertThat(people.rowsByIndex(IndexedTable.where(IndexedTable.CITY, "c07"))).contains(row(0));
      awaitSwept(people);
      assertExact(people);
    }
  }

  /** Leaves in the log what a server without the observer would have left there. */
  private static void appendToLog(HRegion region, Put put) throws IOException {
    WALEdit edit = new WALEdit();
    long now = System.currentTimeMillis();
    put.getFamilyCellMap()
        .values()
        .forEach(
            cells ->
                cells.forEach(
                    cell ->
                        edit.add(
                            new KeyValue(
                                put.getRow(),
                                CellUtil.cloneFamily(cell),
                                CellUtil.cloneQualifier(cell),
                                now,
                                CellUtil.cloneValue(cell)))));
    RegionInfo info = region.getRegionInfo();
    WALKeyImpl key =
        new WALKeyImpl(info.getEncodedNameAsBytes(), info.getTable(), now, region.getMVCC());
    region.getWAL().sync(region.getWAL().appendData(info, key, edit));
    region.getMVCC().complete(key.getWriteEntry());
  }

  @Test
  void p10_flushedWritesWithoutObserver_areNoticedInTheFiles(TestCluster cluster)
      throws IOException {
    try (IndexedTable people = People.create(cluster)) {
      TableDescriptor indexed = cluster.admin().getDescriptor(people.name());
      modify(cluster, withoutObserver(indexed));
      people.put(row(0), "moved@example.org", "c07");
      modify(cluster, indexed);
      people.probe().awaitReady();

      assertThat(people.counters().get(IndexCounter.LEDGERS_DISTRUSTED)).isPositive();
      assertThat(people.rowsByIndex(IndexedTable.where(IndexedTable.CITY, "c07"))).contains(row(0));
      awaitSwept(people);
      assertExact(people);
    }
  }

  /** The log brings back versions that the writes before the crash did not see any more. */
  @Test
  void memoryCompactedByVersion_isNotTrustedAfterACrash(TestCluster cluster) throws IOException {
    try (IndexedTable people = People.create(cluster)) {
      TableDescriptor table = cluster.admin().getDescriptor(people.name());
      modify(
          cluster,
          TableDescriptorBuilder.newBuilder(table)
              .modifyColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(
                          table.getColumnFamily(IndexedTable.FAMILY))
                      .setInMemoryCompaction(MemoryCompactionPolicy.EAGER)
                      .build())
              .build());
      people.probe().awaitReady();
      people.put(row(0), "moved@example.org", "c07");
      long distrusted = people.counters().get(IndexCounter.LEDGERS_DISTRUSTED);
      RegionInfo region = onlyRegion(cluster, people);
      cluster.servers().abortAndReplace(cluster.regions().serverOf(region));
      people.probe().awaitReady();

      assertThat(people.counters().get(IndexCounter.LEDGERS_DISTRUSTED)).isGreaterThan(distrusted);
      awaitSwept(people);
      assertExact(people);
    }
  }

  @Test
  void damagedLedger_isNotTrusted(TestCluster cluster) throws IOException {
    try (IndexedTable people = People.create(cluster)) {
      RegionInfo region = onlyRegion(cluster, people);
      Path directory = cluster.regions().online(region).getRegionFileSystem().getRegionDir();
      cluster.admin().disableTable(people.name());
      FileSystem files = directory.getFileSystem(cluster.configuration());
      Path ledger = files.listStatus(directory, LedgerFile::isLedger)[0].getPath();
      byte[] bytes;
      try (var in = files.open(ledger)) {
        bytes = in.readAllBytes();
      }
      bytes[bytes.length / 2] ^= 1;
      try (var out = files.create(ledger, true)) {
        out.write(bytes);
      }
      cluster.admin().enableTable(people.name());
      people.probe().awaitReady();

      assertThat(people.counters().get(IndexCounter.LEDGERS_DISTRUSTED)).isPositive();
      assertExact(people);
    }
  }

  @Test
  void corruptDefinition_regionOpensUnindexedAndSaysWhy_repairedDefinitionIsBuilt(
      TestCluster cluster) throws IOException {
    try (IndexedTable people = People.create(cluster)) {
      TableDescriptor indexed = cluster.admin().getDescriptor(people.name());
      modify(
          cluster,
          TableDescriptorBuilder.newBuilder(indexed)
              .setValue(TableIndexes.INDEX_ATTRIBUTE_PREFIX + "by_city", "no definition")
              .build());

      RegionStatus status = status(cluster, people).get(0);
      assertThat(status.unindexed().orElseThrow())
          .contains("hbaseindex.index.by_city", "no definition");
      people.put(row(0), "moved@example.org", "c07");
      assertSameAnswers(people);

      modify(cluster, indexed);
      people.probe().awaitReady();
      awaitSwept(people);
      assertExact(people);
    }
  }

  @Test
  void indexedFamilyDropped_regionOpensUnindexedAndSaysWhy(TestCluster cluster) throws IOException {
    try (IndexedTable people = People.create(cluster)) {
      TableDescriptor indexed = cluster.admin().getDescriptor(people.name());
      modify(
          cluster,
          TableDescriptorBuilder.newBuilder(indexed)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("other"))
              .removeColumnFamily(IndexedTable.FAMILY)
              .build());

      assertThat(status(cluster, people).get(0).unindexed().orElseThrow())
          .contains("family f is gone; drop the index");
    }
  }

  @Test
  void regionWithoutRoomForIndexRows_staysUnindexedAndAnswersPlainly(TestCluster cluster)
      throws IOException {
    try (IndexedTable people = IndexedTable.create(cluster, "r", "r\0")) {
      people.put("r", "only@example.org", "c00");
      People.fill(people.table(), People.ROWS);
      Waits.until("the other regions are ready")
          .until(
              () ->
                  status(cluster, people).stream().filter(r -> r.unindexed().isEmpty()).count() == 2
                      && status(cluster, people).stream().allMatch(RegionStatus::isSettled));

      assertThat(status(cluster, people).get(1).unindexed())
          .contains("its key range has no room for index rows");
      assertThat(people.rows(IndexedTable.where(IndexedTable.CITY, "c00"))).contains("r", row(0));
      assertSameAnswers(people);
      assertThat(people.probe().check().missing()).isEmpty();
    }
  }

  private static void awaitSwept(IndexedTable people) {
    Waits.until("stale postings ended").until(() -> people.probe().check().dangling().isEmpty());
  }

  /** What the regions say, whether or not the table's descriptor can be read. */
  private static List<RegionStatus> status(TestCluster cluster, IndexedTable people)
      throws IOException {
    return new RegionReader(new RegionCalls(cluster.connection()))
        .states(people.name()).stream().flatMap(region -> region.status().stream()).toList();
  }

  private static TableDescriptor withoutObserver(TableDescriptor indexed) {
    return TableDescriptorBuilder.newBuilder(indexed)
        .removeCoprocessor(IndexSettings.REGION_OBSERVER_CLASS)
        .build();
  }
}
