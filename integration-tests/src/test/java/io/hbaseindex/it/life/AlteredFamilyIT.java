/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.life;

import static io.hbaseindex.it.life.People.assertExact;
import static io.hbaseindex.it.life.People.assertSameAnswers;
import static io.hbaseindex.it.life.People.modify;
import static io.hbaseindex.it.life.People.onlyRegion;
import static io.hbaseindex.it.life.People.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.admin.status.IndexStatus;
import io.hbaseindex.client.admin.status.RegionStatus;
import io.hbaseindex.common.metrics.IndexRegistry;
import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.IndexFamily;
import io.hbaseindex.core.definition.TableIndexes;
import io.hbaseindex.core.entry.IndexRowKeys;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.TestTables;
import io.hbaseindex.it.cluster.Waits;
import io.hbaseindex.it.index.IndexProbe;
import io.hbaseindex.it.index.IndexedTable;
import io.hbaseindex.region.check.Fault;
import io.hbaseindex.region.check.RegionChecker;
import io.hbaseindex.region.context.FilterFeed;
import io.hbaseindex.region.context.PostingClock;
import io.hbaseindex.region.context.ReadyIndex;
import io.hbaseindex.region.context.RegionIndexes;
import io.hbaseindex.region.context.RowLocks;
import io.hbaseindex.region.context.StalePostings;
import io.hbaseindex.region.metrics.RegionMetrics;
import io.hbaseindex.region.metrics.TableMetrics;
import io.hbaseindex.region.write.LoggedBatches;
import io.hbaseindex.region.write.WritePath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/**
 * Families that are altered, with no master observer in the way, to something an index cannot
 * follow: regions notice by themselves.
 */
@OnSharedCluster
class AlteredFamilyIT {
  /** As old as values must be that a short TTL has let expire. */
  private static final long LONG_AGO = System.currentTimeMillis() - TimeUnit.HOURS.toMillis(1);

  @Test
  void minVersions_expiredRowsAreStillFound_andTheRegionSaysWhyItHasNoIndex(TestCluster cluster)
      throws IOException {
    try (IndexedTable people = IndexedTable.create(cluster)) {
      for (int i = 0; i < People.CITIES; i++) {
        people.table().put(IndexedTable.person(row(i), i + "@example.org", "c00", LONG_AGO));
      }
      people.probe().awaitReady();
      TableDescriptor indexed = cluster.admin().getDescriptor(people.name());

      alter(cluster, indexed, "f", family -> family.setTimeToLive(3).setMinVersions(1));
      RegionInfo region = onlyRegion(cluster, people);
      cluster.regions().flush(region);
      cluster.regions().majorCompact(region);
      awaitSettled(cluster, people.name());

      Scan scan = IndexedTable.where(IndexedTable.CITY, "c00");
      assertThat(people.rows(IndexProbe.withoutIndex(scan))).hasSize(People.CITIES);
      assertThat(people.rows(scan)).hasSize(People.CITIES);
      assertThat(status(cluster, people.name()).unindexed().orElseThrow())
          .contains("by_city: family f had MIN_VERSIONS 1, which keeps expired values");

      modify(cluster, indexed);
      people.probe().awaitReady();
      assertThat(people.rowsByIndex(scan)).hasSize(People.CITIES);
    }
  }

  @Test
  void oneFamilyOfTwo_costsOnlyItsOwnIndex(TestCluster cluster) throws IOException {
    TableName name = TestTables.uniqueName("two_families");
    cluster
        .tables()
        .create(
            IndexedTableDescriptor.with(
                TableDescriptorBuilder.newBuilder(IndexedTable.describe(name))
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of("g"))
                    .build(),
                IndexDefinition.on("g", "zip").named("by_zip").eager()));
    try (IndexedTable people = IndexedTable.adopt(cluster, name)) {
      People.fill(people.table(), People.ROWS);
      people.probe().awaitReady();
      TableDescriptor indexed = cluster.admin().getDescriptor(name);

      alter(cluster, indexed, "g", family -> family.setNewVersionBehavior(true));
      awaitSettled(cluster, name);

      assertThat(status(cluster, name).indexes())
          .filteredOn(index -> index.phase() == IndexStatus.Phase.UNSUPPORTED)
          .singleElement()
          .satisfies(index -> assertThat(index.name()).isEqualTo("by_zip"))
          .satisfies(index -> assertThat(index.reason()).contains("NEW_VERSION_BEHAVIOR"));
      assertExact(people);

      modify(cluster, indexed);
      people.probe().awaitReady();
      assertExact(people);
    }
  }

  @Test
  void hiddenFamilyWithTimeToLive_isNotUsed(TestCluster cluster) throws IOException {
    try (IndexedTable people = People.create(cluster)) {
      TableDescriptor indexed = cluster.admin().getDescriptor(people.name());

      alter(cluster, indexed, IndexFamily.NAME, family -> family.setTimeToLive(1));

      assertThat(status(cluster, people.name()).unindexed().orElseThrow())
          .contains("family _i had TTL 1");
      assertSameAnswers(people);
      modify(cluster, indexed);
      people.probe().awaitReady();
      assertExact(people);
    }
  }

  /**
   * A check made by hand, of indexes that no region would keep: by the reasoning of writes the
   * expired value has no posting, but scans show it.
   */
  @Test
  void check_whatAPlainScanShowsWithoutPosting_isMissing(TestCluster cluster) throws IOException {
    TableName name = TestTables.uniqueName("checked");
    cluster
        .tables()
        .create(
            TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(
                    ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("f"))
                        .setTimeToLive(3)
                        .setMinVersions(1)
                        .build())
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(IndexFamily.NAME))
                .build());
    try (IndexedTable people = IndexedTable.adopt(cluster, name)) {
      people.table().put(IndexedTable.person("r", "r@example.org", "Graz", LONG_AGO));
      HRegion region = cluster.regions().online(cluster.regions().of(name).get(0));

      Collection<Fault> faults = checker(region).checkRows(new byte[0], 10).faults();

      assertThat(faults)
          .extracting(Fault::kind, fault -> Bytes.toString(fault.row()))
          .containsExactly(tuple(Fault.Kind.MISSING, "r"));
    }
  }

  private static RegionChecker checker(HRegion region) {
    RegionInfo info = region.getRegionInfo();
    TableIndexes definitions =
        TableIndexes.none().with(IndexDefinition.on("f", "city").named("by_city").eager(), () -> 1);
    IndexRowKeys keys =
        IndexRowKeys.ofRegion(
                info.getStartKey(),
                info.getEndKey(),
                info.getEncodedName().getBytes(StandardCharsets.US_ASCII))
            .orElseThrow();
    ReadyIndex ready = new ReadyIndex(Long.MAX_VALUE);
    RegionIndexes indexes =
        new RegionIndexes(
            region,
            definitions,
            keys,
            new RowLocks(1_000, System::nanoTime),
            new PostingClock(System::currentTimeMillis, 0),
            id -> Optional.of(ready),
            new NoFilter(),
            new RegionMetrics(new TableMetrics(IndexRegistry.ofRegionServer(), info.getTable())));
    return new RegionChecker(
        indexes, WritePath.of(indexes, new NoFilter(), System::currentTimeMillis, new NoFilter()));
  }

  /** A check writes nothing and reports nothing stale. */
  private static final class NoFilter implements FilterFeed, StalePostings, LoggedBatches {
    @Override
    public void begun(Object batch) {}

    @Override
    public void applied(Object batch) {}

    @Override
    public void lost(Object batch) {}

    @Override
    public boolean isFollowing() {
      return false;
    }

    @Override
    public Step beginUnindexed() {
      return Step.NONE;
    }

    @Override
    public Step begin(
        Collection<byte[]> started, Collection<byte[]> kept, Collection<byte[]> ended) {
      return Step.NONE;
    }

    @Override
    public void offer(byte[] indexRow) {}

    @Override
    public void expectAfterCompaction() {}
  }

  private static void alter(
      TestCluster cluster,
      TableDescriptor table,
      String family,
      UnaryOperator<ColumnFamilyDescriptorBuilder> change)
      throws IOException {
    modify(
        cluster,
        TableDescriptorBuilder.newBuilder(table)
            .modifyColumnFamily(
                change
                    .apply(
                        ColumnFamilyDescriptorBuilder.newBuilder(
                            table.getColumnFamily(Bytes.toBytes(family))))
                    .build())
            .build());
  }

  private static void awaitSettled(TestCluster cluster, TableName table) {
    Waits.until("indexes settled").until(() -> status(cluster, table).isSettled());
  }

  private static RegionStatus status(TestCluster cluster, TableName table) throws IOException {
    return IndexAdmin.of(cluster.connection()).states(table).statuses().get(0);
  }
}
