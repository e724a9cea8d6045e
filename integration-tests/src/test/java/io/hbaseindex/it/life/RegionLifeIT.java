/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.life;

import static io.hbaseindex.it.life.People.ROWS;
import static io.hbaseindex.it.life.People.assertExact;
import static io.hbaseindex.it.life.People.onlyRegion;
import static io.hbaseindex.it.life.People.otherServer;
import static io.hbaseindex.it.life.People.regions;
import static io.hbaseindex.it.life.People.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.Waits;
import io.hbaseindex.it.index.IndexedTable;
import io.hbaseindex.region.metrics.IndexCounter;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Splits, merges, moves and crashes: the index is right and used afterwards. */
@OnSharedCluster
class RegionLifeIT {

  private static final byte[] MIDDLE = Bytes.toBytes(row(ROWS / 2));

  @Test
  void split_daughtersBuildTheirOwnPostings(TestCluster cluster) throws IOException {
    try (IndexedTable people = People.create(cluster)) {
      RegionInfo parent = onlyRegion(cluster, people);
      cluster.regions().flush(parent);
      cluster.regions().split(parent, MIDDLE);

      people.probe().awaitReady();
      assertExact(people);
      assertThat(regions(cluster, people)).hasSize(2);
    }
  }

  @Test
  void split_compactionDropsWhatTheParentLeft(TestCluster cluster) throws IOException {
    try (IndexedTable people = People.create(cluster)) {
      RegionInfo parent = onlyRegion(cluster, people);
      cluster.regions().flush(parent);
      cluster.regions().split(parent, MIDDLE);
      people.probe().awaitReady();

      for (RegionInfo daughter : regions(cluster, people)) {
        cluster.regions().flush(daughter);
        cluster.regions().majorCompact(daughter);
      }

      int indexes = 2;
      assertThat(people.counters().get(IndexCounter.COMPACTION_DROPPED_FOREIGN))
          .isEqualTo(indexes * ROWS);
      assertExact(people);
    }
  }

  @Test
  void merge_mergedRegionBuildsItsOwnPostings(TestCluster cluster) throws IOException {
    try (IndexedTable people = People.create(cluster, row(100), row(200))) {
      List<RegionInfo> regions = regions(cluster, people);
      cluster.regions().merge(regions.get(0), regions.get(1));

      people.probe().awaitReady();
      assertThat(regions(cluster, people)).hasSize(2);
      assertExact(people);
    }
  }

  @Test
  void move_isReadyAtOnceWithoutBuildingAnything(TestCluster cluster) throws IOException {
    try (IndexedTable people = People.create(cluster)) {
      long started = people.counters().get(IndexCounter.BUILDS_STARTED);
      RegionInfo region = onlyRegion(cluster, people);
      cluster.regions().move(region, otherServer(cluster, region));

      assertExact(people);
      assertThat(people.counters().get(IndexCounter.BUILDS_STARTED)).isEqualTo(started);
    }
  }

  @Test
  void moveAfterFlushesAndCompaction_isReadyAtOnce(TestCluster cluster) throws IOException {
    try (IndexedTable people = People.create(cluster)) {
      RegionInfo region = onlyRegion(cluster, people);
      cluster.regions().flush(region);
      people.put(row(0), "new@example.org", "c01");
      cluster.regions().flush(region);
      cluster.regions().majorCompact(region);
      people.put(row(1), "newer@example.org", "c01");
      long started = people.counters().get(IndexCounter.BUILDS_STARTED);
      cluster.regions().move(region, otherServer(cluster, region));

      assertExact(people);
      assertThat(people.counters().get(IndexCounter.BUILDS_STARTED)).isEqualTo(started);
    }
  }

  @Test
  void raisedTimeToLive_valuesThatShowAgainAreFound(TestCluster cluster) throws IOException {
    try (IndexedTable people = People.create(cluster)) {
      long yesterday = System.currentTimeMillis() - TimeUnit.DAYS.toMillis(1);
      people.table().put(IndexedTable.person("old", "old@example.org", "Oslo", yesterday));
      cluster.regions().flush(onlyRegion(cluster, people));
      setTimeToLive(cluster, people, (int) TimeUnit.HOURS.toSeconds(1));

      long ended = people.counters().get(IndexCounter.STALE_ENDED);
      assertThat(people.rowsByIndex(IndexedTable.where(IndexedTable.CITY, "Oslo"))).isEmpty();
      Waits.until("posting of the expired value ended")
          .until(() -> people.counters().get(IndexCounter.STALE_ENDED) > ended);
      setTimeToLive(cluster, people, HConstants.FOREVER);

      assertThat(people.rowsByIndex(IndexedTable.where(IndexedTable.CITY, "Oslo")))
          .containsExactly("old");
    }
  }

  private static void setTimeToLive(TestCluster cluster, IndexedTable people, int seconds)
      throws IOException {
    TableDescriptor table = cluster.admin().getDescriptor(people.name());
    People.modify(
        cluster,
        TableDescriptorBuilder.newBuilder(table)
            .modifyColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(table.getColumnFamily(IndexedTable.FAMILY))
                    .setTimeToLive(seconds)
                    .build())
            .build());
    people.probe().awaitReady();
  }

  @Test
  void serverCrash_unflushedWritesAreReplayedAndNothingIsRebuilt(TestCluster cluster)
      throws IOException {
    try (IndexedTable people = People.create(cluster)) {
      RegionInfo region = onlyRegion(cluster, people);
      cluster.regions().flush(region);
      people.put(row(2), "after@example.org", "c01");
      long started = people.counters().get(IndexCounter.BUILDS_STARTED);
      cluster.servers().abortAndReplace(cluster.regions().serverOf(region));

      people.probe().awaitReady();
      assertExact(people);
      assertThat(people.counters().get(IndexCounter.BUILDS_STARTED)).isEqualTo(started);
    }
  }
}
