/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.life;

import static io.hbaseindex.it.life.People.assertExact;
import static io.hbaseindex.it.life.People.onlyRegion;
import static io.hbaseindex.it.life.People.otherServer;
import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.Waits;
import io.hbaseindex.it.index.IndexedTable;
import io.hbaseindex.region.lifecycle.ledger.LedgerFile;
import io.hbaseindex.region.metrics.IndexCounter;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.junit.jupiter.api.Test;

/**
 * L1: HDFS refuses every new block below a region's directory, by a space quota. That costs the
 * ledger, and nothing else: regions move, open and serve, and the ledger is written when there is
 * room again.
 */
@OnSharedCluster
class LedgerQuotaIT {

  @Test
  void l1_idleRegionMoves_noServerAborts_andTheIndexStaysReady(TestCluster cluster)
      throws IOException {
    try (IndexedTable people = People.create(cluster)) {
      RegionInfo region = onlyRegion(cluster, people);
      cluster.regions().flush(region);
      List<ServerName> servers = cluster.servers().live();
      try (FullRegion full = new FullRegion(cluster, region)) {
        cluster.regions().move(region, otherServer(cluster, region));
        people.probe().awaitReady();

        assertThat(cluster.servers().live()).isEqualTo(servers);
        assertThat(failedWrites(people)).isPositive();
        assertExact(people);
        full.makeRoom();
        full.awaitLedger();
      }
      long distrusted = people.counters().get(IndexCounter.LEDGERS_DISTRUSTED);
      cluster.regions().move(region, otherServer(cluster, region));
      people.probe().awaitReady();
      assertThat(people.counters().get(IndexCounter.LEDGERS_DISTRUSTED)).isEqualTo(distrusted);
      assertExact(people);
    }
  }

  @Test
  void l1_indexAddedWithoutRoom_isBuiltAndUsed_andRememberedWhenThereIsRoom(TestCluster cluster)
      throws Exception {
    try (IndexedTable people = IndexedTable.loaded(cluster, "no_room", People.ROWS)) {
      RegionInfo region = onlyRegion(cluster, people);
      cluster.regions().flush(region);
      try (FullRegion full = new FullRegion(cluster, region)) {
        IndexAdmin.of(cluster.connection())
            .create(people.name(), IndexDefinition.on("f", "city").named("by_city").eager());
        people.probe().awaitReady();

        assertThat(failedWrites(people)).isPositive();
        assertThat(people.rowsByIndex(IndexedTable.where(IndexedTable.CITY, "city 1")))
            .hasSize(People.ROWS / 10);
        full.makeRoom();
        full.awaitLedger();
      }
      long builds = people.counters().get(IndexCounter.BUILDS_STARTED);
      cluster.regions().move(region, otherServer(cluster, region));
      people.probe().awaitReady();
      assertThat(people.counters().get(IndexCounter.BUILDS_STARTED)).isEqualTo(builds);
    }
  }

  private static long failedWrites(IndexedTable people) {
    return people.counters().get(IndexCounter.LEDGER_WRITES_FAILED);
  }

  /** A region whose directory may hold no more than it does; has room again when closed. */
  private static final class FullRegion implements AutoCloseable {
    private final DistributedFileSystem files;
    private final Path directory;
    private long writtenBefore;

    FullRegion(TestCluster cluster, RegionInfo region) throws IOException {
      files = cluster.utility().getDFSCluster().getFileSystem();
      directory = cluster.regions().online(region).getRegionFileSystem().getRegionDir();
      files.setQuota(directory, HdfsConstants.QUOTA_DONT_SET, 1);
    }

    void makeRoom() throws IOException {
      writtenBefore = ledgerWritten();
      close();
    }

    /** Nothing happens to the region; the ledger is written all the same. */
    void awaitLedger() {
      Waits.until("the ledger is written").until(() -> ledgerWritten() != writtenBefore);
    }

    private long ledgerWritten() throws IOException {
      return Arrays.stream(files.listStatus(directory, LedgerFile::isLedger))
          .mapToLong(FileStatus::getModificationTime)
          .max()
          .orElse(0);
    }

    @Override
    public void close() throws IOException {
      files.setQuota(directory, HdfsConstants.QUOTA_DONT_SET, HdfsConstants.QUOTA_RESET);
    }
  }
}
