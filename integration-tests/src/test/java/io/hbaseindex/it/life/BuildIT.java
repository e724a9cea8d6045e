/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.life;

import static io.hbaseindex.it.life.People.assertExact;
import static io.hbaseindex.it.life.People.modify;
import static io.hbaseindex.it.life.People.onlyRegion;
import static io.hbaseindex.it.life.People.otherServer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.admin.IndexNotReadyException;
import io.hbaseindex.client.admin.status.IndexStatus;
import io.hbaseindex.client.admin.status.Progress;
import io.hbaseindex.common.query.PlainScanReason;
import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.TestTables;
import io.hbaseindex.it.cluster.Waits;
import io.hbaseindex.it.index.IndexProbe;
import io.hbaseindex.it.index.IndexedTable;
import io.hbaseindex.region.lifecycle.background.BackgroundWork;
import io.hbaseindex.region.metrics.IndexCounter;
import java.io.IOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Indexes that are added to tables which have rows already, and dropped again. */
@OnSharedCluster
class BuildIT {

  private static final int MANY = 3_000;

  @AfterEach
  void fullSpeed(TestCluster cluster) {
    cluster.servers().configure(BackgroundWork.ROWS_PER_SECOND, null);
  }

  @Test
  void build_movedInTheMiddle_goesOnFromItsCheckpoint(TestCluster cluster) throws IOException {
    cluster.servers().configure(BackgroundWork.ROWS_PER_SECOND, "500");
    try (IndexedTable people = addIndexes(cluster, plainTable(cluster))) {
      RegionInfo region = onlyRegion(cluster, people);
      Waits.until("some rows built").until(() -> rowsDone(cluster, people) > 0);
      cluster.regions().move(region, otherServer(cluster, region));
      cluster.servers().configure(BackgroundWork.ROWS_PER_SECOND, "0");
      people.probe().awaitReady();

      assertThat(people.counters().get(IndexCounter.BUILDS_RESUMED)).isPositive();
      assertThat(people.counters().get(IndexCounter.BUILD_ROWS)).isEqualTo(MANY);
      assertExact(people);
    }
  }

  @Test
  void build_meanwhile_scansRunPlainlyAndWritesMaintainTheIndex(TestCluster cluster)
      throws IOException {
    cluster.servers().configure(BackgroundWork.ROWS_PER_SECOND, "500");
    try (IndexedTable people = addIndexes(cluster, plainTable(cluster))) {
      Waits.until("some rows built").until(() -> rowsDone(cluster, people) > 0);
      assertThat(
              IndexAdmin.of(cluster.connection())
                  .states(people.name())
                  .progress(Progress.Work.BUILD)
                  .expected())
          .isBetween(MANY / 2L, 2L * MANY);
      people.put(People.row(MANY - 1), "last@example.org", "c07");
      people.put(People.row(0), "first@example.org", "c07");
      People.assertSameAnswers(people);
      assertThat(people.counters().get(IndexCounter.SCANS_JUMPED)).isZero();
      assertThat(people.counters().plain(PlainScanReason.INDEX_NOT_READY)).isPositive();

      cluster.servers().configure(BackgroundWork.ROWS_PER_SECOND, "0");
      people.probe().awaitReady();
      assertExact(people);
    }
  }

  @Test
  void dropIndex_itsPostingsAreCompactedAwayAndTheOtherStaysReady(TestCluster cluster)
      throws IOException {
    try (IndexedTable people = People.create(cluster)) {
      cluster.regions().flush(onlyRegion(cluster, people));
      long started = people.counters().get(IndexCounter.BUILDS_STARTED);
      modify(
          cluster,
          IndexedTableDescriptor.without(cluster.admin().getDescriptor(people.name()), "by_email"));

      Waits.until("postings of the dropped index gone")
          .until(
              () -> people.counters().get(IndexCounter.COMPACTION_DROPPED_FOREIGN) == People.ROWS);
      assertExact(people);
      assertThat(people.counters().get(IndexCounter.BUILDS_STARTED)).isEqualTo(started);
    }
  }

  @Test
  void dropAndAddAgain_isBuiltUnderANewId(TestCluster cluster) throws IOException {
    try (IndexedTable people = People.create(cluster)) {
      TableDescriptor table = cluster.admin().getDescriptor(people.name());
      int before = people.probe().index("by_city").id();
      modify(cluster, IndexedTableDescriptor.without(table, "by_city"));
      people.put(People.row(0), "x@example.org", "c05");
      modify(
          cluster,
          IndexedTableDescriptor.with(
              cluster.admin().getDescriptor(people.name()),
              IndexDefinition.on("f", "city").named("by_city").eager()));
      people.probe().awaitReady();

      assertThat(people.probe().index("by_city").id()).isNotEqualTo(before);
      assertExact(people);
    }
  }

  @Test
  void P6_cellTtlFromBeforeTheIndex_whenItIsOverTheValueBehindIsFound(TestCluster cluster)
      throws IOException {
    TableName name = plainTable(cluster);
    RegionInfo region = cluster.regions().of(name).get(0);
    cluster.regions().flush(region); // the value behind stays, in a file of its own
    try (Table table = cluster.connection().getTable(name)) {
      table.put(IndexedTable.person(People.row(0), "brief@example.org", "brief").setTTL(4_000));
    }
    cluster.regions().flush(region);
    try (IndexedTable people = addIndexes(cluster, name)) {
      people.probe().awaitReady();
      Scan behind = IndexedTable.where(IndexedTable.CITY, People.city(0));
      Waits.until("the value behind shows")
          .until(() -> people.rows(IndexProbe.withoutIndex(behind)).contains(People.row(0)));

      assertThat(people.rowsByIndex(behind))
          .isEqualTo(people.rows(IndexProbe.withoutIndex(behind)));
      assertThat(people.probe().check().missing()).isEmpty();
    }
  }

  /** HBase gives the new cell the TTL of the one it is made from. */
  @Test
  void P6_appendToACellWithTtlFromBeforeTheIndex_isRefused(TestCluster cluster) throws IOException {
    TableName name = plainTable(cluster);
    try (Table table = cluster.connection().getTable(name)) {
      table.put(IndexedTable.person(People.row(0), "x@example.org", "Os").setTTL(3_600_000));
    }
    try (IndexedTable people = addIndexes(cluster, name)) {
      people.probe().awaitReady();
      byte[] row = Bytes.toBytes(People.row(0));
      Append append =
          new Append(row).addColumn(IndexedTable.FAMILY, IndexedTable.CITY, Bytes.toBytes("lo"));

      assertThatThrownBy(() -> people.table().append(append))
          .hasMessageContaining("has a TTL of its own");
      people.put(People.row(0), "x@example.org", "Os");
      people.table().append(append);
      assertThat(people.rowsByIndex(IndexedTable.where(IndexedTable.CITY, "Oslo")))
          .containsExactly(People.row(0));
    }
  }

  @Test
  void P13_rowKeyTooLongForItsPosting_theIndexSaysWhyItIsNeverReady(TestCluster cluster)
      throws IOException {
    TableName name = plainTable(cluster);
    // Straight to the region: the client cannot look up the region of a row key this long.
    byte[] longRow = Bytes.padTail(Bytes.toBytes("s"), HConstants.MAX_ROW_LENGTH - 1);
    cluster
        .regions()
        .online(cluster.regions().of(name).get(0))
        .put(
            new Put(longRow)
                .addColumn(IndexedTable.FAMILY, IndexedTable.CITY, Bytes.toBytes("c01")));
    try (IndexedTable people = addIndexes(cluster, name)) {
      Waits.until("the build to find the row")
          .untilAsserted(
              () ->
                  assertThat(statusOf(cluster, people, "by_city"))
                      .satisfies(
                          index -> {
                            assertThat(index.phase()).isEqualTo(IndexStatus.Phase.UNSUPPORTED);
                            assertThat(index.reason()).contains("shorten the row key");
                          }));
      assertThatThrownBy(
              () ->
                  IndexAdmin.of(cluster.connection())
                      .awaitReady(name, Waits.HANG.multipliedBy(60), Progress.NONE))
          .isInstanceOf(IndexNotReadyException.class)
          .hasMessageContainingAll("Cannot ever use", "by_city", "shorten the row key");
      // The row has no e-mail address, so the other index is none the worse.
      Waits.until("the other index ready")
          .until(() -> statusOf(cluster, people, "by_email").phase() == IndexStatus.Phase.READY);
      People.assertSameAnswers(people);
      assertThat(people.counters().get(IndexCounter.SCANS_JUMPED)).isZero();
      assertThat(people.rowsByIndex(IndexedTable.where(IndexedTable.EMAIL, "7@example.org")))
          .containsExactly(People.row(7));
    }
  }

  private static IndexStatus statusOf(TestCluster cluster, IndexedTable people, String index)
      throws IOException {
    return IndexAdmin.of(cluster.connection()).states(people.name()).statuses().stream()
        .flatMap(region -> region.indexes().stream())
        .filter(status -> status.name().equals(index))
        .findFirst()
        .orElseThrow();
  }

  private static long rowsDone(TestCluster cluster, IndexedTable people) throws IOException {
    return IndexAdmin.of(cluster.connection()).states(people.name()).statuses().stream()
        .flatMap(region -> region.indexes().stream())
        .mapToLong(IndexStatus::rowsDone)
        .sum();
  }

  private static TableName plainTable(TestCluster cluster) throws IOException {
    TableName name = TestTables.uniqueName("plain");
    cluster
        .tables()
        .create(
            TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(IndexedTable.FAMILY))
                .build());
    try (Table table = cluster.connection().getTable(name)) {
      People.fill(table, MANY);
    }
    return name;
  }

  private static IndexedTable addIndexes(TestCluster cluster, TableName name) throws IOException {
    modify(cluster, IndexedTable.describe(name));
    return IndexedTable.adopt(cluster, name);
  }
}
