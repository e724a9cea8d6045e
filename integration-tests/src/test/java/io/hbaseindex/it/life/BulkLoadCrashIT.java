/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.life;

import static io.hbaseindex.it.life.People.onlyRegion;
import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.definition.IndexFamily;
import io.hbaseindex.it.cluster.LoadableFiles;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.Waits;
import io.hbaseindex.it.index.IndexProbe;
import io.hbaseindex.it.index.IndexedTable;
import io.hbaseindex.region.lifecycle.background.BackgroundWork;
import io.hbaseindex.region.metrics.IndexCounter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** P9: that a bulk load makes an index incomplete survives the server on which it happened. */
@OnSharedCluster
class BulkLoadCrashIT {

  private static final int LOADED = 2_000;

  /** Few enough of all rows for their value to be looked up; one in most rows would be walked. */
  private static final int ASKED_FOR = LOADED / 4;

  @AfterEach
  void fullSpeed(TestCluster cluster) {
    cluster.servers().configure(BackgroundWork.ROWS_PER_SECOND, null);
  }

  @Test
  void p9_serverCrashBeforeTheRebuildEnds_loadedRowsAreIndexedElsewhere(TestCluster cluster)
      throws Exception {
    try (IndexedTable people = People.create(cluster)) {
      RegionInfo region = onlyRegion(cluster, people);
      Scan loaded = IndexedTable.where(IndexedTable.CITY, "Bulk");
      cluster.servers().configure(BackgroundWork.ROWS_PER_SECOND, "300");
      BulkLoadHFiles.create(cluster.configuration())
          .bulkLoad(people.name(), files(cluster, "bulk-crash", IndexedTable.FAMILY));

      assertThat(people.rows(loaded)).hasSize(ASKED_FOR);
      long rows = people.counters().get(IndexCounter.BUILD_ROWS);
      Waits.until("the rebuild has begun")
          .until(() -> people.counters().get(IndexCounter.BUILD_ROWS) > rows);
      cluster.servers().abortAndReplace(cluster.regions().serverOf(region));
      List<String> plain = people.rows(IndexProbe.withoutIndex(loaded));
      assertThat(plain).hasSize(ASKED_FOR);
      assertThat(people.rows(loaded)).isEqualTo(plain);

      cluster.servers().configure(BackgroundWork.ROWS_PER_SECOND, "0");
      people.probe().awaitReady();
      assertThat(people.rowsByIndex(loaded)).isEqualTo(plain);
      assertThat(people.probe().check().missing()).isEmpty();
    }
  }

  /** Backups hold the hidden family too; the postings in it are of no use here. */
  @Test
  void p9_filesOfTheHiddenFamilyAmongTheLoaded_areLeftOut(TestCluster cluster) throws Exception {
    try (IndexedTable people = People.create(cluster)) {
      Path files = files(cluster, "bulk-restore", IndexedTable.FAMILY, IndexFamily.bytes());
      BulkLoadHFiles.create(cluster.configuration()).bulkLoad(people.name(), files);
      people.probe().awaitReady();

      Scan loaded = IndexedTable.where(IndexedTable.CITY, "Bulk");
      assertThat(people.rowsByIndex(loaded)).hasSize(ASKED_FOR);
      assertThat(people.probe().check().missing()).isEmpty();
      Path foreign = new Path(new Path(files, IndexFamily.NAME), "file");
      assertThat(cluster.utility().getTestFileSystem().exists(foreign)).as("left behind").isTrue();
    }
  }

  private static Path files(TestCluster cluster, String name, byte[]... families)
      throws IOException {
    Path directory = new Path(cluster.utility().getDataTestDirOnTestFS(), name);
    for (byte[] family : families) {
      List<KeyValue> cells = new ArrayList<>();
      for (int i = 0; i < LOADED; i++) {
        cells.add(
            new KeyValue(
                Bytes.toBytes("s%05d".formatted(i)),
                family,
                IndexedTable.CITY,
                System.currentTimeMillis(),
                Bytes.toBytes(i < ASKED_FOR ? "Bulk" : "Other" + i)));
      }
      LoadableFiles.write(cluster, directory, cells);
    }
    return directory;
  }
}
