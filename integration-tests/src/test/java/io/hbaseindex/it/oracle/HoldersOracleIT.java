/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.common.holders.HoldersTable;
import io.hbaseindex.it.cluster.ClusterSettings;
import io.hbaseindex.it.cluster.Seed;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.oracle.HoldersRun.Holder;
import io.hbaseindex.master.IndexMasterEndpoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Random writes and routed queries while filters move from the master to holders and back, while
 * the number of shards changes, and while the holders' own regions move and are split: every routed
 * query equals the plain scan, and routes are precise again after each change.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("cluster")
@Tag("chaos")
class HoldersOracleIT {
  private TestCluster cluster;
  private IndexAdmin admin;

  @BeforeAll
  void start() throws Exception {
    cluster =
        TestCluster.start(
            ClusterSettings.threeServers().withMasterCoprocessor(IndexMasterEndpoint.class));
    admin = IndexAdmin.of(cluster.connection());
  }

  @AfterAll
  void stop() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void filtersChangePlaces_underRandomWrites_everyRoutedQueryEqualsThePlainScan() throws Exception {
    long seed = Seed.fixed(31L).get(0);
    Seed.announce(HoldersOracleIT.class, seed);
    try (HoldersRun run = new HoldersRun(cluster, seed)) {
      run.through("the master holds filters", () -> admin.keepFilters(0, 1, Map.of()));
      run.requireRoutedBy(Holder.MASTER);
      run.through("four holders, three shards", () -> admin.keepFilters(4, 3, Map.of()));
      run.requireRoutedBy(Holder.REGIONS);
      run.through("one shard", () -> admin.keepFilters(4, 3, Map.of(run.name(), 1)));
      run.requireRoutedBy(Holder.REGIONS);
      run.through("four shards", () -> admin.keepFilters(4, 3, Map.of(run.name(), 4)));
      run.requireRoutedBy(Holder.REGIONS);
      run.through("back to the master", () -> admin.keepFilters(0, 1, Map.of()));
      run.requireRoutedBy(Holder.MASTER);
      run.through("two shards, then four at once", this::twoShardsThenFour);
      run.requireRoutedBy(Holder.REGIONS);
    }
  }

  /** The second change comes before anybody can have followed the first. */
  private void twoShardsThenFour() throws Exception {
    admin.keepFilters(4, 2, Map.of());
    admin.keepFilters(4, 4, Map.of());
  }

  @Test
  void holdersMoveAndAreSplit_underRandomWrites_everyRoutedQueryEqualsThePlainScan()
      throws Exception {
    long seed = Seed.fixed(32L).get(0);
    Seed.announce(HoldersOracleIT.class, seed);
    try (HoldersRun run = new HoldersRun(cluster, seed)) {
      admin.keepFilters(4, 4, Map.of());
      run.through("regions are split for more holders", () -> admin.keepFilters(8, 8, Map.of()));
      assertThat(regions()).hasSizeGreaterThanOrEqualTo(8);
      run.requireRoutedBy(Holder.REGIONS);
      run.through("all regions of holders move", this::moveAll);
      run.requireRoutedBy(Holder.REGIONS);
    }
  }

  private List<RegionInfo> regions() throws Exception {
    return cluster.regions().of(HoldersTable.NAME);
  }

  private void moveAll() throws Exception {
    for (RegionInfo region : regions()) {
      List<ServerName> others = new ArrayList<>(cluster.servers().live());
      others.remove(cluster.regions().serverOf(region));
      cluster.regions().move(region, others.get(0));
    }
  }
}
