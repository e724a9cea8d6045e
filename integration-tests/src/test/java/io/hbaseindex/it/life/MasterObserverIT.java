package io.hbaseindex.it.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.client.IndexedTableDescriptor;
import io.hbaseindex.core.definition.IndexFamily;
import io.hbaseindex.core.definition.TableIndexes;
import io.hbaseindex.it.cluster.ClusterSettings;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.TestTables;
import io.hbaseindex.it.index.IndexedTable;
import io.hbaseindex.master.IndexMasterObserver;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The master refuses what regions could not work with, and completes what was typed by hand. */
class MasterObserverIT {

  private static TestCluster cluster;

  @BeforeAll
  static void start() throws IOException {
    cluster =
        TestCluster.start(
            ClusterSettings.threeServers().withMasterCoprocessor(IndexMasterObserver.class));
  }

  @AfterAll
  static void stop() throws IOException {
    cluster.close();
  }

  @Test
  void indexTypedByHand_isCompletedBuiltAndUsed() throws IOException {
    TableName name = TestTables.uniqueName("typed");
    cluster
        .tables()
        .create(
            TableDescriptorBuilder.newBuilder(plain(name))
                .setValue(TableIndexes.INDEX_ATTRIBUTE_PREFIX + "by_city", "columns=f:city")
                .build());
    try (IndexedTable people = IndexedTable.adopt(cluster, name)) {
      People.fill(people.table(), People.ROWS);
      people.probe().awaitReady();

      assertThat(people.probe().index("by_city").id()).isEqualTo(1);
      People.assertExact(people);
    }
  }

  @Test
  void hiddenFamily_cannotBeDeletedAlteredOrCreated() throws IOException {
    try (IndexedTable people = IndexedTable.create(cluster)) {
      assertThatThrownBy(
              () -> cluster.admin().deleteColumnFamily(people.name(), IndexFamily.bytes()))
          .hasMessageContaining("Cannot delete family _hbidx");
      assertThatThrownBy(
              () ->
                  cluster
                      .admin()
                      .modifyColumnFamily(
                          people.name(),
                          ColumnFamilyDescriptorBuilder.newBuilder(IndexFamily.bytes())
                              .setTimeToLive(60)
                              .build()))
          .hasMessageContaining("Cannot alter family _hbidx");
    }
    TableName name = TestTables.uniqueName("reserved");
    assertThatThrownBy(
            () ->
                cluster
                    .admin()
                    .createTable(
                        TableDescriptorBuilder.newBuilder(plain(name))
                            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(IndexFamily.bytes()))
                            .build()))
        .hasMessageContaining("reserved for indexes");
    assertThat(cluster.admin().tableExists(name)).isFalse();
  }

  @Test
  void indexedFamily_cannotBeDeletedBeforeItsIndex() throws IOException {
    try (IndexedTable people = IndexedTable.create(cluster)) {
      cluster.admin().addColumnFamily(people.name(), ColumnFamilyDescriptorBuilder.of("other"));
      assertThatThrownBy(
              () -> cluster.admin().deleteColumnFamily(people.name(), IndexedTable.FAMILY))
          .hasMessageContaining("drop the index first");
    }
  }

  @Test
  void unreadableDefinition_isRefused() throws IOException {
    try (IndexedTable people = IndexedTable.create(cluster)) {
      TableDescriptor table = cluster.admin().getDescriptor(people.name());
      assertThatThrownBy(
              () ->
                  cluster
                      .admin()
                      .modifyTable(
                          TableDescriptorBuilder.newBuilder(table)
                              .setValue(TableIndexes.INDEX_ATTRIBUTE_PREFIX + "bad", "nonsense")
                              .build()))
          .hasMessageContaining("hbaseindex.index.bad");
      assertThat(IndexedTableDescriptor.indexesOf(cluster.admin().getDescriptor(people.name())))
          .isEqualTo(IndexedTableDescriptor.indexesOf(table));
    }
  }

  private static TableDescriptor plain(TableName name) {
    return TableDescriptorBuilder.newBuilder(name)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
        .build();
  }
}
