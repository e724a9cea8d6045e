/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.client.routing.RoutePlan;
import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.Waits;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;

/** Rule S5: a region that still runs with the descriptor of before is judged by that one. */
@OnSharedCluster
class UnreopenedRegionsIT {

  @Test
  void fewerVersions_regionThatStillShowsOlderOnes_isNotExcluded(TestCluster cluster)
      throws Exception {
    try (RoutingTable table = RoutingTable.create(cluster, "h", "r");
        Admin admin = cluster.connection().getAdmin()) {
      admin.modifyTable(withVersions(table, admin, 3));
      table.put("a1", "old@example.org");
      table.put("a1", "new@example.org");
      table.awaitPrecise();
      Waits.until("filters hold newest values only")
          .until(() -> table.preciseRoute("old@example.org").skippedRegions() == 3);
      assertThat(table.scanPlainly(RoutingTable.byAnyVersion("old@example.org")))
          .as("HBase shows the older version to this filter")
          .containsExactly("a1");

      // As in the middle of an alter: the master has the new descriptor, the regions do not yet.
      cluster.mini().getMaster().getTableDescriptors().update(withVersions(table, admin, 1));

      assertThat(table.scanPlainly(RoutingTable.byAnyVersion("old@example.org")))
          .as("no region was opened again")
          .containsExactly("a1");
      assertThat(table.scan(RoutingTable.byAnyVersion("old@example.org"))).containsExactly("a1");
      // Holders on region servers read a descriptor once a second at most.
      RoutePlan unreopened =
          Waits.until("who holds the filters to know the new descriptor")
              .until(() -> table.route("old@example.org"), plan -> plan.skippedRegions() == 0);
      assertThat(table.scan(RoutingTable.byAnyVersion("old@example.org"))).containsExactly("a1");
      assertThat(unreopened.parts())
          .hasSize(3)
          .allMatch(part -> part.openReason().equals(Optional.of(OpenReason.NOT_COVERED.name())));

      admin.modifyTable(withVersions(table, admin, 1));
      table.awaitPrecise();

      assertThat(table.preciseRoute("old@example.org").skippedRegions()).isEqualTo(3);
      assertThat(table.scan(RoutingTable.byAnyVersion("old@example.org"))).isEmpty();
      assertThat(table.scan(RoutingTable.byAnyVersion("new@example.org"))).containsExactly("a1");
    }
  }

  private static TableDescriptor withVersions(RoutingTable table, Admin admin, int versions)
      throws Exception {
    TableDescriptor now = admin.getDescriptor(table.name());
    return TableDescriptorBuilder.newBuilder(now)
        .modifyColumnFamily(
            ColumnFamilyDescriptorBuilder.newBuilder(now.getColumnFamily(RoutingTable.F))
                .setMaxVersions(versions)
                .build())
        .build();
  }
}
