/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.index;

import static io.hbaseindex.it.index.IndexedTable.CITY;
import static io.hbaseindex.it.index.IndexedTable.FAMILY;
import static io.hbaseindex.it.index.IndexedTable.where;
import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.query.Column;
import io.hbaseindex.client.query.IndexQuery;
import io.hbaseindex.client.query.QueryClient;
import io.hbaseindex.common.query.PlainScanReason;
import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.IndexFamily;
import io.hbaseindex.it.cluster.IndexCounters;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.TestTables;
import io.hbaseindex.it.cluster.Waits;
import io.hbaseindex.region.metrics.IndexCounter;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** What administrators do to whole tables leaves queries right, and the index in use again. */
@OnSharedCluster
class TableLifeIT {

  @Test
  void indexAddedToAnExistingTable_isBuiltFromItsRows(TestCluster cluster) throws IOException {
    TableName name = TestTables.uniqueName("existing");
    TableDescriptor plain =
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
            .build();
    cluster.tables().create(plain, List.of("m"));
    try (IndexedTable people = IndexedTable.adopt(cluster, name)) {
      people.put("a", "a@x", "Oslo");
      people.put("z", "z@x", "Oslo");
      cluster
          .admin()
          .modifyTable(
              IndexedTableDescriptor.with(
                  plain, IndexDefinition.on("f", "city").named("by_city").eager()));

      assertThat(people.rows(where(CITY, "Oslo"))).containsExactly("a", "z");
      people.probe().awaitReady();
      assertThat(people.rowsByIndex(where(CITY, "Oslo"))).containsExactly("a", "z");
    }
  }

  @Test
  void snapshotClone_buildsItsOwnPostings(TestCluster cluster) throws IOException {
    try (IndexedTable people = filled(cluster)) {
      cluster.admin().snapshot("people-clone", people.name());
      TableName cloneName = TestTables.uniqueName("clone");
      cluster.admin().cloneSnapshot("people-clone", cloneName);
      try (IndexedTable clone = IndexedTable.adopt(cluster, cloneName)) {
        clone.put("a", "a@x", "Rome");

        assertThat(clone.rows(where(CITY, "Oslo"))).containsExactly("z");
        clone.probe().awaitReady();
        assertThat(clone.rowsByIndex(where(CITY, "Oslo"))).containsExactly("z");
        assertThat(people.rowsByIndex(where(CITY, "Oslo"))).containsExactly("a", "z");
        assertThat(clone.probe().check().missing()).isEmpty();
      } finally {
        cluster.admin().deleteSnapshot("people-clone");
      }
    }
  }

  @Test
  void snapshotRestore_forgetsWhatCameAfterTheSnapshot(TestCluster cluster) throws IOException {
    try (IndexedTable people = filled(cluster)) {
      Admin admin = cluster.admin();
      admin.snapshot("people-restore", people.name());
      people.put("a", "a@x", "Rome");
      people.put("b", "b@x", "Oslo");
      for (RegionInfo region : cluster.regions().of(people.name())) {
        cluster.regions().flush(region);
      }

      admin.disableTable(people.name());
      admin.restoreSnapshot("people-restore");
      admin.enableTable(people.name());
      admin.deleteSnapshot("people-restore");

      assertThat(people.rows(where(CITY, "Oslo"))).containsExactly("a", "z");
      people.probe().awaitReady();
      assertThat(people.rowsByIndex(where(CITY, "Oslo"))).containsExactly("a", "z");
      assertThat(people.rowsByIndex(where(CITY, "Rome"))).isEmpty();
      Findings findings = people.probe().check();
      assertThat(findings.missing()).isEmpty();
      assertThat(findings.dangling()).isEmpty();
    }
  }

  @Test
  void truncate_emptiesTheIndexToo(TestCluster cluster) throws IOException {
    try (IndexedTable people = filled(cluster)) {
      cluster.admin().disableTable(people.name());
      cluster.admin().truncateTable(people.name(), true);

      people.probe().awaitReady();
      assertThat(people.rowsByIndex(where(CITY, "Oslo"))).isEmpty();
      people.put("q", "q@x", "Oslo");
      assertThat(people.rowsByIndex(where(CITY, "Oslo"))).containsExactly("q");
      assertThat(people.probe().check().postings()).isEqualTo(2);
    }
  }

  @Test
  void bulkLoad_isSeenAtOnceAndIndexedLater(TestCluster cluster) throws Exception {
    try (IndexedTable people = filled(cluster)) {
      Path files = bulkFiles(cluster, "bulk", FAMILY);

      BulkLoadHFiles.create(cluster.configuration()).bulkLoad(people.name(), files);

      List<String> loaded = people.rows(IndexProbe.withoutIndex(where(CITY, "Bulk")));
      assertThat(loaded).hasSize(100);
      assertThat(people.rows(where(CITY, "Bulk"))).isEqualTo(loaded);
      people.probe().awaitReady();
      assertThat(people.rowsByIndex(where(CITY, "Bulk"))).isEqualTo(loaded);
      assertThat(people.probe().check().missing()).isEmpty();
    }
  }

  @Test
  void a1_bulkLoad_overRowsWhosePostingsAreCertain_theyAnswerNoMore(TestCluster cluster)
      throws Exception {
    try (IndexedTable people = filled(cluster)) {
      for (int i = 0; i < 100; i++) {
        people.put("%c%02d".formatted('b' + i / 5, i), "same@x", "Before");
      }
      IndexCounters before = people.counters();
      assertThat(count(cluster, people, "Before")).isEqualTo(100);
      assertThat(people.counters().since(before).get(IndexCounter.COUNTED_BY_POSTINGS))
          .isEqualTo(100);

      BulkLoadHFiles.create(cluster.configuration())
          .bulkLoad(people.name(), bulkFiles(cluster, "over", FAMILY));
      assertThat(count(cluster, people, "Before")).isZero();
      people.probe().awaitReady();

      // The postings of before are still there, and say what they said.
      assertThat(count(cluster, people, "Before")).isZero();
      IndexCounters after = people.counters();
      assertThat(count(cluster, people, "Bulk")).isEqualTo(100);
      assertThat(people.counters().since(after).get(IndexCounter.COUNTED_BY_POSTINGS))
          .isEqualTo(100);
    }
  }

  private static long count(TestCluster cluster, IndexedTable people, String city)
      throws IOException {
    return QueryClient.of(cluster.connection())
        .count(IndexQuery.from(people.name()).where(Column.of(FAMILY, CITY).equalTo(city)));
  }

  @Test
  void bulkLoad_ofTheHiddenFamilyAlone_loadsNothing(TestCluster cluster) throws Exception {
    try (IndexedTable people = filled(cluster)) {
      Path files = bulkFiles(cluster, "hidden", IndexFamily.bytes());

      BulkLoadHFiles.create(cluster.configuration()).bulkLoad(people.name(), files);

      assertThat(people.rowsByIndex(where(CITY, "Oslo"))).containsExactly("a", "z");
    }
  }

  @Test
  void replicas_answerTimelineReadsByPlainScan(TestCluster cluster) throws IOException {
    TableName name = TestTables.uniqueName("replicated");
    cluster
        .tables()
        .create(
            TableDescriptorBuilder.newBuilder(IndexedTable.describe(name))
                .setRegionReplication(2)
                .build());
    try (IndexedTable people = IndexedTable.adopt(cluster, name)) {
      people.put("a", "a@x", "Oslo");
      people.put("b", "b@x", "Rome");
      cluster.admin().flush(name);
      people.probe().awaitReady();
      Scan ofReplica = where(CITY, "Oslo").setConsistency(Consistency.TIMELINE).setReplicaId(1);

      Waits.until("replica to see the flush")
          .untilAsserted(() -> assertThat(people.rows(ofReplica)).containsExactly("a"));
      assertThat(people.counters().plain(PlainScanReason.REGION_NOT_INDEXED)).isPositive();
      assertThat(people.rowsByIndex(where(CITY, "Oslo"))).containsExactly("a");
    }
  }

  @Test
  void m8_replicas_publishNothing(TestCluster cluster) throws Exception {
    TableName name = TestTables.uniqueName("replicated");
    cluster
        .tables()
        .create(
            TableDescriptorBuilder.newBuilder(IndexedTable.describe(name))
                .setRegionReplication(2)
                .build());
    try (IndexedTable people = IndexedTable.adopt(cluster, name)) {
      people.put("a", "a@x", "Oslo");
      Scan ofReplica = where(CITY, "Oslo").setConsistency(Consistency.TIMELINE).setReplicaId(1);
      cluster.admin().flush(name);
      Waits.until("replica is open")
          .untilAsserted(() -> assertThat(people.rows(ofReplica)).containsExactly("a"));

      cluster.tables().awaitPrecise(name);

      assertThat(IndexAdmin.of(cluster.connection()).routing(name).regions())
          .singleElement()
          .satisfies(
              filter ->
                  assertThat(filter.encodedName())
                      .isEqualTo(people.regions().get(0).getEncodedName()));
    }
  }

  @Test
  void majorCompaction_dropsDeadPostings(TestCluster cluster) throws IOException {
    try (IndexedTable people = filled(cluster)) {
      people.put("a", "a@x", "Rome");
      RegionInfo first = cluster.regions().of(people.name()).get(0);
      cluster.regions().flush(first);

      cluster.regions().majorCompact(first);

      assertThat(people.counters().get(IndexCounter.COMPACTION_DROPPED_DEAD)).isPositive();
      assertThat(people.rowsByIndex(where(CITY, "Rome"))).containsExactly("a");
      assertThat(people.rowsByIndex(where(CITY, "Oslo"))).containsExactly("z");
    }
  }

  private static IndexedTable filled(TestCluster cluster) throws IOException {
    IndexedTable people = IndexedTable.create(cluster, "m");
    people.put("a", "a@x", "Oslo");
    people.put("z", "z@x", "Oslo");
    people.probe().awaitReady();
    return people;
  }

  /** A directory as the bulk load tool wants it, with a hundred rows in one family. */
  private static Path bulkFiles(TestCluster cluster, String name, byte[] family)
      throws IOException {
    Configuration conf = cluster.configuration();
    Path directory = new Path(cluster.utility().getDataTestDirOnTestFS(), name);
    Path file = new Path(new Path(directory, Bytes.toString(family)), "file");
    try (HFile.Writer writer =
        HFile.getWriterFactory(conf, new CacheConfig(conf))
            .withPath(cluster.utility().getTestFileSystem(), file)
            .withFileContext(new HFileContextBuilder().build())
            .create()) {
      for (int i = 0; i < 100; i++) {
        byte[] row = Bytes.toBytes("%c%02d".formatted('b' + i / 5, i));
        writer.append(
            new KeyValue(row, family, CITY, System.currentTimeMillis(), Bytes.toBytes("Bulk")));
      }
    }
    return directory;
  }
}
