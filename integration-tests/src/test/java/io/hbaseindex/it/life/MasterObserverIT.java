/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.IndexFamily;
import io.hbaseindex.core.definition.IndexSettings;
import io.hbaseindex.core.definition.TableIndexes;
import io.hbaseindex.it.cluster.ClusterSettings;
import io.hbaseindex.it.cluster.PublishCounters;
import io.hbaseindex.it.cluster.RoutedReads;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.TestTables;
import io.hbaseindex.it.cluster.Waits;
import io.hbaseindex.it.index.IndexedTable;
import io.hbaseindex.master.IndexMasterObserver;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The master refuses what regions could not work with, and completes what was typed by hand. */
@Tag("cluster")
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
  void masterWithoutEndpoint_refusesFilters_andEverythingElseWorks() throws Exception {
    long refused = PublishCounters.of("publishPushesFailedRefused");
    try (IndexedTable people = IndexedTable.create(cluster);
        RoutedReads routed = new RoutedReads(cluster, people.name(), Waits.HANG.toMillis())) {
      People.fill(people.table(), People.ROWS);
      people.probe().awaitReady();

      Waits.until("a push is refused")
          .until(() -> PublishCounters.of("publishPushesFailedRefused") > refused);
      assertThat(routed.route(IndexedTable.where(IndexedTable.CITY, "nowhere"))).isEmpty();
      People.assertExact(people);
    }
  }

  @Test
  void hiddenFamily_cannotBeDeletedAlteredOrCreated() throws IOException {
    try (IndexedTable people = IndexedTable.create(cluster)) {
      assertThatThrownBy(
              () -> cluster.admin().deleteColumnFamily(people.name(), IndexFamily.bytes()))
          .hasMessageContaining("Cannot delete family _i");
      assertThatThrownBy(
              () ->
                  cluster
                      .admin()
                      .modifyColumnFamily(
                          people.name(),
                          ColumnFamilyDescriptorBuilder.newBuilder(IndexFamily.bytes())
                              .setTimeToLive(60)
                              .build()))
          .hasMessageContaining("Cannot alter family _i");
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

  @Test
  void alter_withoutTheIndexAttribute_isRefused_andTheDropAttributeDrops() throws Exception {
    try (IndexedTable people = IndexedTable.create(cluster)) {
      String attribute = TableIndexes.INDEX_ATTRIBUTE_PREFIX + "by_city";
      assertThatThrownBy(
              () -> alter(people.name(), table -> table.removeValue(Bytes.toBytes(attribute))))
          .hasMessageContaining("the change lacks index by_city")
          .hasMessageContaining("hbaseindex.drop");
      assertThat(IndexAdmin.of(cluster.connection()).list(people.name()))
          .extracting(IndexDefinition::name)
          .containsExactly("by_city", "by_email");

      alter(people.name(), table -> table.setValue(TableIndexes.DROP_ATTRIBUTE, "by_city"));

      assertThat(IndexAdmin.of(cluster.connection()).list(people.name()))
          .extracting(IndexDefinition::name)
          .containsExactly("by_email");
    }
  }

  @Test
  void alter_thatRemovesTheObserver_leavesItWhereItIs() throws Exception {
    try (IndexedTable people = IndexedTable.create(cluster)) {
      alter(people.name(), table -> table.removeCoprocessor(IndexSettings.REGION_OBSERVER_CLASS));

      people.put("r", "r@example.org", "Graz");
      people.probe().awaitReady();
      assertThat(people.rowsByIndex(IndexedTable.where(IndexedTable.CITY, "Graz")))
          .containsExactly("r");
    }
  }

  @Test
  void create_severalAtTheSameTime_allSurvive() throws Exception {
    TableName name = TestTables.uniqueName("crowd");
    cluster.tables().create(plain(name));
    try (IndexedTable people = IndexedTable.adopt(cluster, name)) {
      List<String> names = List.of("a", "b", "c", "d");
      ExecutorService creators = Executors.newFixedThreadPool(names.size());
      try {
        List<Future<Boolean>> created = new ArrayList<>();
        for (String index : names) {
          created.add(
              creators.submit(
                  () ->
                      IndexAdmin.of(cluster.connection())
                          .create(name, IndexDefinition.on("f", index).named(index).eager())));
        }
        for (Future<Boolean> one : created) {
          assertThat(one.get()).isTrue();
        }
      } finally {
        creators.shutdownNow();
      }

      assertThat(IndexAdmin.of(cluster.connection()).list(name))
          .extracting(IndexDefinition::name)
          .containsExactlyElementsOf(names);
      assertThat(IndexAdmin.of(cluster.connection()).list(name))
          .extracting(IndexDefinition::id)
          .doesNotHaveDuplicates();
      people.probe().awaitReady();
    }
  }

  @Test
  void routesAdded_severalAtTheSameTime_allSurvive() throws Exception {
    TableName name = TestTables.uniqueName("routes");
    cluster.tables().create(plain(name));
    IndexAdmin.of(cluster.connection()).create(name, fourColumns().eager());
    List<String[]> sets =
        List.of(
            new String[] {"f:a", "f:c"},
            new String[] {"f:a", "f:d"},
            new String[] {"f:a", "f:b", "f:d"},
            new String[] {"f:a", "f:c", "f:d"});
    ExecutorService clients = Executors.newFixedThreadPool(sets.size());
    try (IndexedTable table = IndexedTable.adopt(cluster, name)) {
      List<Future<Boolean>> added = new ArrayList<>();
      for (String[] set : sets) {
        IndexDefinition wanted = fourColumns().routes(set).eager();
        added.add(clients.submit(() -> IndexAdmin.of(cluster.connection()).create(name, wanted)));
      }
      for (Future<Boolean> one : added) {
        assertThat(one.get()).isTrue();
      }

      assertThat(table.probe().index("by_all").declaredRoutes()).hasSize(sets.size());
    } finally {
      clients.shutdownNow();
    }
  }

  private static IndexDefinition.Builder fourColumns() {
    return IndexDefinition.on("f", "a").and("f", "b").and("f", "c").and("f", "d").named("by_all");
  }

  private static void alter(TableName name, Consumer<TableDescriptorBuilder> change)
      throws IOException {
    TableDescriptorBuilder builder =
        TableDescriptorBuilder.newBuilder(cluster.admin().getDescriptor(name));
    change.accept(builder);
    cluster.admin().modifyTable(builder.build());
  }

  private static TableDescriptor plain(TableName name) {
    return TableDescriptorBuilder.newBuilder(name)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
        .build();
  }
}
