/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.facts;

import static io.hbaseindex.it.facts.FactsTable.put;
import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.RegionEvents;
import io.hbaseindex.it.cluster.TestCluster;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** What regions go through, and which hooks see it. */
@OnSharedCluster
class LifecycleFactsIT {

  private static final List<String> ROWS = List.of("a", "b", "m", "y", "z");

  @Test
  void serverAbort_replaysTheWalWithoutPreBatchMutate(TestCluster cluster) throws IOException {
    try (FactsTable facts = new FactsTable(cluster)) {
      write(facts);
      RegionInfo region = cluster.regions().of(facts.name()).get(0);
      ServerName victim = cluster.regions().serverOf(region);

      cluster.servers().abortAndReplace(victim);

      assertThat(cluster.servers().live()).hasSize(3).doesNotContain(victim);
      assertThat(facts.rows(new Scan())).isEqualTo(ROWS);
      assertThat(facts.observer().hooksFromOpen()).startsWith("postOpen");
      assertThat(facts.observer().hooks()).doesNotContain("preBatchMutate");
    }
  }

  @Test
  void splitMergeAndMove_openNewRegionsWithEveryRow(TestCluster cluster) throws IOException {
    try (FactsTable facts = new FactsTable(cluster)) {
      write(facts);
      RegionEvents regions = cluster.regions();
      RegionInfo parent = regions.of(facts.name()).get(0);

      regions.split(parent, Bytes.toBytes("m"));
      List<RegionInfo> daughters = regions.of(facts.name());
      assertThat(daughters).hasSize(2).doesNotContain(parent);
      assertThat(facts.rows(new Scan())).isEqualTo(ROWS);

      ServerName from = regions.serverOf(daughters.get(0));
      ServerName to =
          cluster.servers().live().stream().filter(s -> !s.equals(from)).findFirst().orElseThrow();
      regions.move(daughters.get(0), to);
      assertThat(regions.serverOf(daughters.get(0))).isEqualTo(to);

      // Daughters refer to their parent's files until a compaction, and cannot merge before it.
      for (RegionInfo daughter : daughters) {
        regions.majorCompact(daughter);
      }
      regions.merge(daughters.get(0), daughters.get(1));
      assertThat(regions.of(facts.name())).hasSize(1).doesNotContain(parent);
      assertThat(facts.rows(new Scan())).isEqualTo(ROWS);
    }
  }

  @Test
  void majorCompaction_leavesOneFilePerWrittenFamily(TestCluster cluster) throws IOException {
    try (FactsTable facts = new FactsTable(cluster)) {
      RegionInfo region = cluster.regions().of(facts.name()).get(0);
      for (String row : ROWS) {
        facts.table().put(put(row, "v"));
        cluster.regions().flush(region);
      }
      assertThat(cluster.regions().storeFiles(region)).isEqualTo(ROWS.size());

      cluster.regions().majorCompact(region);

      assertThat(cluster.regions().storeFiles(region)).isEqualTo(1);
    }
  }

  private static void write(FactsTable facts) throws IOException {
    for (String row : ROWS) {
      facts.table().put(put(row, "v"));
    }
  }
}
