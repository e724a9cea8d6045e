/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.ServerName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Regions that open on another server, after a move and after their server was killed, are precise
 * by their stored filters: by the servers' counters hardly a posting is read for them.
 */
@Tag("packaging")
@Tag("chaos")
class FiltersAfterKillIT {
  private static final int LOADED = 3_000;
  private static final int LATE = 6;

  /** For each late row what it wrote and what is read beside it; a region has 500 rows. */
  private static final int MOST_READ = 10 * LATE;

  @TempDir private Path directory;

  @Test
  void movedAndKilled_theFilterIsReadAndNotBuilt_andHasWhatOnlyTheLogHad() throws Exception {
    Path state = Files.createDirectory(directory.resolve("cluster"));
    ProcessCluster cluster = ProcessCluster.start(state);
    try (cluster) {
      List<String> keys = new ArrayList<>();
      for (int i = 0; i < LOADED; i++) {
        keys.add("k%d-loaded-%05d".formatted(i % 6, i));
      }
      try (RemoteTable table = RemoteTable.create(cluster, keys)) {
        table.awaitRouted(RemoteTable.codeOf(keys.get(0)));
        assertThat(table.filterPostingsRead()).as("built from postings").isGreaterThan(MOST_READ);

        table.moveAllRegions();
        table.awaitRouted(RemoteTable.codeOf(keys.get(0)));
        assertThat(table.filterPostingsRead()).as("after a move").isLessThan(MOST_READ);

        for (int late = 0; late < LATE; late++) {
          keys.add("k%d-late".formatted(late));
          table.put(keys.get(keys.size() - 1));
        }
        ServerName victim = table.serverOf("k3");
        cluster.kill(victim);
        table.awaitRouted(RemoteTable.codeOf("k3-late"));
        assertThat(table.serverOf("k3")).isNotEqualTo(victim);
        assertThat(table.filterPostingsRead()).as("after a kill").isLessThan(MOST_READ);
        for (String key : keys.subList(LOADED - 6, keys.size())) {
          assertThat(table.find(RemoteTable.codeOf(key))).containsExactly(key);
        }
      }
    }
  }
}
