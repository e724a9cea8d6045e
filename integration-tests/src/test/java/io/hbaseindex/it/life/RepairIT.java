/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.life;

import static io.hbaseindex.it.life.People.assertExact;
import static io.hbaseindex.it.life.People.city;
import static io.hbaseindex.it.life.People.onlyRegion;
import static io.hbaseindex.it.life.People.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.admin.check.CheckReport;
import io.hbaseindex.client.admin.status.Progress;
import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.entry.PostingCertainty;
import io.hbaseindex.core.entry.PostingState;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.TestTables;
import io.hbaseindex.it.cluster.Waits;
import io.hbaseindex.it.index.IndexedTable;
import io.hbaseindex.it.index.SmuggledPosting;
import io.hbaseindex.region.metrics.IndexCounter;
import java.io.IOException;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/**
 * Faults that no known schedule makes, put in by hand: the checker names them and the repair mends
 * them.
 */
@OnSharedCluster
class RepairIT {

  @Test
  void missingPosting_isFoundAndRepaired(TestCluster cluster) throws IOException {
    try (IndexedTable people = People.create(cluster)) {
      smuggle(cluster, people, city(7), row(7), PostingState.DEAD);
      assertThat(people.rowsByIndex(IndexedTable.where(IndexedTable.CITY, city(7))))
          .doesNotContain(row(7));

      CheckReport found = admin(cluster).repair(people.name(), Progress.NONE);
      assertThat(found.missing()).isEqualTo(1);
      assertThat(found.dangling()).isZero();
      assertThat(found.repaired()).isEqualTo(1);
      assertThat(found.examples().get(0).row()).isEqualTo(Bytes.toBytes(row(7)));

      assertThat(admin(cluster).verify(people.name(), Progress.NONE).isClean()).isTrue();
      assertExact(people);
    }
  }

  @Test
  void danglingPosting_isFoundAndRepaired(TestCluster cluster) throws IOException {
    try (IndexedTable people = People.create(cluster)) {
      smuggle(cluster, people, city(8), row(7), PostingState.LIVE);
      smuggle(cluster, people, city(8), "no such row", PostingState.LIVE);

      CheckReport found = admin(cluster).repair(people.name(), Progress.NONE);
      assertThat(found.dangling()).isEqualTo(2);
      assertThat(found.missing()).isZero();
      assertThat(found.repaired()).isEqualTo(2);
      assertExact(people);
    }
  }

  @Test
  void a1_postingThatSaysTooMuch_isFoundAndRepaired(TestCluster cluster) throws IOException {
    try (IndexedTable people = People.create(cluster)) {
      // Row 7 shows its city only until the marker goes, or the put behind it.
      byte[] row = Bytes.toBytes(row(7));
      people.table().delete(new Delete(row).addColumns(IndexedTable.FAMILY, IndexedTable.CITY));
      people.table().put(new Put(row).addColumn(IndexedTable.FAMILY, IndexedTable.CITY, 1, row));
      assertThat(admin(cluster).verify(people.name(), Progress.NONE).isClean()).isTrue();
      SmuggledPosting.put(
          cluster,
          people.name(),
          onlyRegion(cluster, people),
          "by_city",
          row(7),
          row(7),
          PostingCertainty.live(PostingCertainty.UNTIL_WRITTEN));

      CheckReport found = admin(cluster).repair(people.name(), Progress.NONE);
      assertThat(found.overstated()).isEqualTo(1);
      assertThat(found.missing() + found.dangling()).isZero();
      assertThat(found.repaired()).isEqualTo(1);
      assertThat(admin(cluster).verify(people.name(), Progress.NONE).isClean()).isTrue();
      assertExact(people);
    }
  }

  @Test
  void rebuild_mendsMissingAndDangling(TestCluster cluster) throws Exception {
    try (IndexedTable people = People.create(cluster)) {
      smuggle(cluster, people, city(7), row(7), PostingState.DEAD);
      smuggle(cluster, people, city(8), row(7), PostingState.LIVE);

      admin(cluster).rebuild(people.name(), Progress.NONE);
      admin(cluster).awaitReady(people.name(), Waits.HANG, Progress.NONE);
      Waits.until("swept").until(() -> people.probe().check().dangling().isEmpty());
      assertExact(people);
    }
  }

  @Test
  void p12_stalePostingMetByAQuery_isEndedAndOneThatIsLiveAgainIsNot(TestCluster cluster)
      throws IOException {
    try (IndexedTable people = lazyTable(cluster)) {
      // Dangling for good: the value is nowhere in the row.
      smuggle(cluster, people, "ghost", row(1), PostingState.LIVE);
      assertThat(people.rowsByIndex(IndexedTable.where(IndexedTable.CITY, "ghost"))).isEmpty();
      Waits.until("the stale posting is ended")
          .until(() -> people.probe().check().dangling().isEmpty());
      assertThat(people.counters().get(IndexCounter.STALE_ENDED)).isPositive();

      // The same posting called for again before anybody looks: it stays.
      people.put(row(1), "x@example.org", "ghost");
      assertThat(people.rowsByIndex(IndexedTable.where(IndexedTable.CITY, "ghost")))
          .containsExactly(row(1));
      assertThat(people.probe().check().missing()).isEmpty();
    }
  }

  @Test
  void check_lazyRowOverwrittenAThousandTimes_isCheckedAndItsColumnCanBeDeleted(TestCluster cluster)
      throws IOException {
    try (IndexedTable people = lazyTable(cluster)) {
      for (int i = 0; i < 1_100; i++) {
        people.put(row(0), "same@example.org", "move " + i);
      }

      assertThat(people.probe().check().toString()).startsWith("0 missing, 0 dangling");
      people
          .table()
          .delete(
              new Delete(Bytes.toBytes(row(0))).addColumn(IndexedTable.FAMILY, IndexedTable.CITY));
      assertThat(people.probe().check().missing()).isEmpty();
    }
  }

  private static IndexedTable lazyTable(TestCluster cluster) throws IOException {
    TableDescriptor table =
        IndexedTableDescriptor.with(
            TableDescriptorBuilder.newBuilder(TestTables.uniqueName("lazy"))
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(IndexedTable.FAMILY))
                .build(),
            IndexDefinition.on("f", "city").named("by_city").lazy());
    cluster.tables().create(table);
    IndexedTable people = IndexedTable.adopt(cluster, table.getTableName());
    People.fill(people.table(), People.ROWS);
    people.probe().awaitReady();
    return people;
  }

  /** Puts a posting of the city index straight into the memstore, where no hook sees it. */
  private static void smuggle(
      TestCluster cluster, IndexedTable people, String city, String row, PostingState state)
      throws IOException {
    SmuggledPosting.put(
        cluster, people.name(), onlyRegion(cluster, people), "by_city", city, row, state);
  }

  private static IndexAdmin admin(TestCluster cluster) {
    return IndexAdmin.of(cluster.connection());
  }
}
