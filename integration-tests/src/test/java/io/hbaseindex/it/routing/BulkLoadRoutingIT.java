/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.it.cluster.LoadableFiles;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.PublishCounters;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.region.lifecycle.background.BackgroundWork;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** P9: once files are bulk loaded, no master excludes their region by a filter from before. */
@OnSharedCluster
class BulkLoadRoutingIT {
  private static final String EXCLUDED = "routesExcludedRegions";
  private static final int LOADED = 3_000;
  private static final int ASKED = 100;

  @AfterEach
  void fullSpeed(TestCluster cluster) {
    cluster.servers().configure(BackgroundWork.ROWS_PER_SECOND, null);
  }

  @Test
  void p9_rowsJustLoaded_areFoundThroughRoutes(TestCluster cluster) throws Exception {
    try (RoutingTable table = RoutingTable.create(cluster, "m")) {
      table.put("a", "a@example.org");
      table.put("z", "z@example.org");
      table.awaitPrecise();
      assertThat(table.preciseRoute(email(0)).skippedRegions()).isEqualTo(2);
      Path files = files(cluster);
      // Slow, so that questions come before the region is indexed again.
      cluster.servers().configure(BackgroundWork.ROWS_PER_SECOND, "50");

      BulkLoadHFiles.create(cluster.configuration()).bulkLoad(table.name(), files);

      long excluded = PublishCounters.of(EXCLUDED);
      for (int i = 0; i < LOADED; i += LOADED / ASKED) {
        assertThat(table.find(email(i))).as("row %d just loaded", i).containsExactly(row(i));
      }
      assertThat(PublishCounters.of(EXCLUDED)).as("the other region").isGreaterThan(excluded);

      cluster.servers().configure(BackgroundWork.ROWS_PER_SECOND, "0");
      table.awaitPrecise();
      for (int i = 0; i < LOADED; i += LOADED / ASKED) {
        assertThat(table.preciseRoute(email(i)).skippedRegions()).isEqualTo(1);
        assertThat(table.find(email(i))).containsExactly(row(i));
      }
    }
  }

  private static Path files(TestCluster cluster) throws IOException {
    List<KeyValue> cells = new ArrayList<>();
    for (int i = 0; i < LOADED; i++) {
      cells.add(
          new KeyValue(
              Bytes.toBytes(row(i)),
              Bytes.toBytes("f"),
              Bytes.toBytes("email"),
              System.currentTimeMillis(),
              Bytes.toBytes(email(i))));
    }
    Path directory = new Path(cluster.utility().getDataTestDirOnTestFS(), "bulk-routing");
    LoadableFiles.write(cluster, directory, cells);
    return directory;
  }

  private static String row(int number) {
    return "s%05d".formatted(number);
  }

  private static String email(int number) {
    return "loaded%05d@example.org".formatted(number);
  }
}
