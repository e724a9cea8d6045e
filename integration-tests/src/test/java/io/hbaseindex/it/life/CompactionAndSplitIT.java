/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.life;

import static io.hbaseindex.it.life.People.assertExact;
import static io.hbaseindex.it.life.People.onlyRegion;
import static io.hbaseindex.it.life.People.regions;
import static io.hbaseindex.it.life.People.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.IndexFamily;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.TestTables;
import io.hbaseindex.it.index.IndexProbe;
import io.hbaseindex.it.index.IndexedTable;
import io.hbaseindex.region.metrics.IndexCounter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** What compactions leave out, and where regions are split. */
@OnSharedCluster
class CompactionAndSplitIT {
  private static final byte[] F = IndexedTable.FAMILY;
  private static final byte[] TAG = Bytes.toBytes("tag");

  @Test
  void minorCompaction_keepsDeadPostingsThatHideLiveOnes(TestCluster cluster) throws IOException {
    TableName name = TestTables.uniqueName("minor");
    cluster
        .tables()
        .create(
            TableDescriptorBuilder.newBuilder(IndexedTable.describe(name))
                // Small files would all be compacted together, which counts as a major compaction.
                .setValue("hbase.hstore.compaction.min.size", "1")
                .build());
    try (IndexedTable people = IndexedTable.adopt(cluster, name)) {
      // Enough for a file that is larger than all later ones together.
      People.fill(people.table(), 10 * People.ROWS);
      people.probe().awaitReady();
      RegionInfo region = onlyRegion(cluster, people);
      cluster.regions().flush(region);
      for (int flush = 0; flush < 3; flush++) {
        people.put(row(7), flush + "@example.org", "c0" + flush);
        cluster.regions().flush(region);
      }
      assertThat(hiddenStore(cluster, region).getStorefilesCount()).isEqualTo(4);
      cluster.regions().minorCompact(region);
      assertThat(hiddenStore(cluster, region).getStorefilesCount()).isEqualTo(2);

      assertThat(people.counters().get(IndexCounter.COMPACTION_DROPPED_DEAD)).isZero();
      assertExact(people);

      cluster.regions().majorCompact(region);
      assertThat(people.counters().get(IndexCounter.COMPACTION_DROPPED_DEAD)).isPositive();
      assertExact(people);
    }
  }

  @Test
  void majorCompaction_keepsDeadPostingsThatAnOpenScanNeedsLive(TestCluster cluster)
      throws IOException {
    try (IndexedTable people = People.create(cluster)) {
      RegionInfo region = onlyRegion(cluster, people);
      Scan scan = IndexedTable.where(IndexedTable.CITY, "c07").setCaching(1);
      List<String> expected = people.rows(scan);
      assertThat(expected).hasSizeGreaterThan(3);
      try (ResultScanner scanner = people.table().getScanner(scan)) {
        List<String> seen = new ArrayList<>(List.of(rowOf(scanner.next())));
        for (String each : expected.subList(2, expected.size())) {
          people.put(each, "moved@example.org", "c01");
        }
        cluster.regions().flush(region);
        cluster.regions().majorCompact(region);
        for (Result result : scanner) {
          seen.add(rowOf(result));
        }
        assertThat(seen).isEqualTo(expected);
      }
      assertExact(people);
    }
  }

  @Test
  void split_hiddenStoreIsLargest_splitPointIsADataRow(TestCluster cluster) throws IOException {
    TableName name = TestTables.uniqueName("wide");
    cluster
        .tables()
        .create(
            IndexedTableDescriptor.with(
                TableDescriptorBuilder.newBuilder(IndexedTable.describe(name))
                    // A store of a single block has no middle to split at.
                    .modifyColumnFamily(
                        ColumnFamilyDescriptorBuilder.newBuilder(IndexedTable.FAMILY)
                            .setBlocksize(4096)
                            .build())
                    .build(),
                IndexDefinition.on("f", "city").and("f", "email").named("by_both").eager(),
                IndexDefinition.on("f", "email").and("f", "city").named("by_both_too").eager()));
    try (IndexedTable people = IndexedTable.adopt(cluster, name)) {
      Random random = new Random(1);
      for (int i = 0; i < 50; i++) {
        people.put(row(i), longText(random), longText(random));
      }
      people.probe().awaitReady();
      RegionInfo region = onlyRegion(cluster, people);
      cluster.regions().flush(region);
      cluster.regions().majorCompact(region);
      HRegion online = cluster.regions().online(region);
      assertThat(hiddenStore(cluster, region).getSize())
          .isGreaterThan(online.getStore(IndexedTable.FAMILY).getSize());

      byte[] point = online.checkSplit(true).orElseThrow();

      assertThat(Bytes.toString(point)).startsWith("r0");
      cluster.regions().split(region, point);
      people.probe().awaitReady();
      assertThat(regions(cluster, people)).hasSize(2);
      assertThat(people.probe().check().toString()).startsWith("0 missing, 0 dangling");
    }
  }

  /** HBase stops reading a column behind the versions it keeps, and drops markers unread. */
  @Test
  void minorCompaction_dropsAMarkerAndNotItsPut_indexFindsWhatShowsAgain(TestCluster cluster)
      throws IOException {
    TableName name = TestTables.uniqueName("marker");
    cluster
        .tables()
        .create(
            TableDescriptorBuilder.newBuilder(IndexedTable.describe(name))
                .setValue("hbase.hstore.compaction.min.size", "1")
                .build());
    try (IndexedTable people = IndexedTable.adopt(cluster, name)) {
      RegionInfo region = onlyRegion(cluster, people);
      // In a file that is larger than all later ones together.
      People.fill(people.table(), 10 * People.ROWS);
      people.table().put(cell("a", "city", 10, "x"));
      cluster.regions().flush(region);
      people.table().delete(versionOf("a", IndexedTable.CITY, 10));
      cluster.regions().flush(region);
      people.table().put(cell("a", "city", 20, "y"));
      cluster.regions().flush(region);
      people.table().put(cell("a", "city", 30, "z"));
      cluster.regions().flush(region);
      people.table().delete(versionOf("a", IndexedTable.CITY, 30));
      people.table().delete(versionOf("a", IndexedTable.CITY, 20));
      people.probe().awaitReady();

      cluster.regions().minorCompact(region);

      assertThat(cluster.regions().online(region).getStore(F).getStorefilesCount()).isEqualTo(2);
      Scan byCity = IndexedTable.where(IndexedTable.CITY, "x");
      assertThat(people.rows(IndexProbe.withoutIndex(byCity))).containsExactly("a");
      assertThat(people.rowsByIndex(byCity)).containsExactly("a");
      assertThat(people.probe().check().missing()).isEmpty();
    }
  }

  @Test
  void flush_dropsAMarkerAndNotItsPut_lazyIndexLacksNothing(TestCluster cluster)
      throws IOException {
    TableName name = TestTables.uniqueName("lazy_marker");
    cluster
        .tables()
        .create(
            IndexedTableDescriptor.with(
                TableDescriptorBuilder.newBuilder(IndexedTable.describe(name))
                    .setCompactionEnabled(false)
                    .build(),
                IndexDefinition.on("f", "tag").named("by_tag").lazy()));
    try (IndexedTable people = IndexedTable.adopt(cluster, name)) {
      RegionInfo region = onlyRegion(cluster, people);
      people.probe().awaitReady();
      people.table().put(cell("a", "tag", 10, "x"));
      cluster.regions().flush(region);
      people.table().delete(versionOf("a", TAG, 10));
      people.probe().checkAndRepair(); // ends what is stale
      people.table().put(cell("a", "tag", 20, "y"));
      people.table().put(cell("a", "tag", 30, "z"));
      cluster.regions().flush(region);

      assertThat(people.probe().check().missing()).isEmpty();
    }
  }

  private static Delete versionOf(String row, byte[] qualifier, long timestamp) {
    return new Delete(b(row)).addColumn(F, qualifier, timestamp);
  }

  /**
   * The last row of a lower half file is read twice: a first look at its newest versions does not
   * decide what the row shows. HBase's scanner of such a file gives nothing after its end, also if
   * it is sought back.
   */
  @Test
  void split_lastRowOfTheLowerHalf_isReadAsAWholeTheSecondTime(TestCluster cluster)
      throws Exception {
    TableName name = TestTables.uniqueName("half");
    cluster
        .tables()
        .create(
            IndexedTableDescriptor.with(
                TableDescriptorBuilder.newBuilder(IndexedTable.describe(name))
                    .setCompactionEnabled(false) // it would rewrite the half files
                    .build(),
                IndexDefinition.on("f", "city").and("f", "tag").named("by_both").eager(),
                IndexDefinition.on("f", "zip").named("by_zip").eager()));
    try (IndexedTable people = IndexedTable.adopt(cluster, name)) {
      RegionInfo region = onlyRegion(cluster, people);
      people.table().put(cell("a", "city", 10, "c1").addColumn(F, TAG, 10, b("t")));
      people.table().delete(new Delete(b("a")).addColumns(F, IndexedTable.CITY, 20));
      people.table().put(cell("z", "city", 10, "c1"));
      cluster.regions().flush(region);
      // Not by the cluster's own way, which waits until the parent is gone: half files keep it.
      cluster.admin().splitRegionAsync(region.getRegionName(), b("m")).get();
      people.probe().awaitReady();
      assertThat(cluster.regions().online(regions(cluster, people).get(0)).hasReferences())
          .isTrue();

      people.table().put(cell("a", "city", 30, "c2"));

      assertThat(people.probe().check().missing()).isEmpty();
      Scan both =
          new Scan().setFilter(new FilterList(equal(IndexedTable.CITY, "c2"), equal(TAG, "t")));
      assertThat(people.rows(both)).containsExactly("a");
      assertThat(people.counters().get(IndexCounter.SCANS_JUMPED)).isPositive();
    }
  }

  private static Put cell(String row, String qualifier, long timestamp, String value) {
    return new Put(b(row)).addColumn(F, b(qualifier), timestamp, b(value));
  }

  private static Filter equal(byte[] qualifier, String value) {
    SingleColumnValueFilter filter =
        new SingleColumnValueFilter(F, qualifier, CompareOperator.EQUAL, b(value));
    filter.setFilterIfMissing(true);
    return filter;
  }

  private static byte[] b(String text) {
    return Bytes.toBytes(text);
  }

  /** Text that no encoding makes shorter. */
  private static String longText(Random random) {
    return random
        .ints(400, 'a', 'z' + 1)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  private static HStore hiddenStore(TestCluster cluster, RegionInfo region) {
    return cluster.regions().online(region).getStore(IndexFamily.bytes());
  }

  private static String rowOf(Result result) {
    return Bytes.toString(result.getRow());
  }
}
