/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.client.IndexedAsyncConnection;
import io.hbaseindex.client.IndexedConnection;
import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.routing.RoutePlan;
import io.hbaseindex.client.routing.Routing;
import io.hbaseindex.client.routing.RoutingSettings;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.Waits;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.util.JVMClusterUtil.MasterThread;
import org.junit.jupiter.api.Test;

/**
 * A client sleeps while the active master is replaced and comes back as a backup on its old port.
 * HBase's asynchronous client then keeps calling the backup, which refuses it.
 */
@OnSharedCluster
class MastersChangePlacesIT {
  /** More than a client lets pass before it leaves a master alone that keeps failing. */
  private static final int SCANS = 6;

  @Test
  void clientThatSlept_isRoutedByTheNewMaster_fromTheFirstScanOn(TestCluster cluster)
      throws Exception {
    Configuration conf = new Configuration(cluster.configuration());
    conf.setLong(RoutingSettings.TIMEOUT_MS, Waits.HANG.toMillis());
    try (PeopleTable people = PeopleTable.create(cluster);
        IndexedConnection connection =
            IndexedConnection.wrap(ConnectionFactory.createConnection(conf));
        IndexedAsyncConnection async =
            IndexedAsyncConnection.wrap(ConnectionFactory.createAsyncConnection(conf).get())) {
      people.awaitPrecise(connection.routing());
      people.awaitPrecise(async.routing());
      IndexAdmin admin = IndexAdmin.of(connection);
      String former = admin.routing(people.name()).masterServer();

      HMaster backup = changePlaces(cluster);
      try {
        // Asked over another connection, so that these sleep on.
        cluster.tables().awaitPrecise(people.name());

        requireRouted(people, connection.routing());
        requireRouted(people, async.routing());
        assertThat(people.rows(connection, PeopleTable.where("email", "k7@example.org")))
            .containsExactly("k7");
        assertThat(admin.routing(people.name()).masterServer())
            .as("the synchronous client looks for the active master by itself")
            .isNotEqualTo(former)
            .isEqualTo(cluster.mini().getMaster().getServerName().toString());
      } finally {
        backup.stop("the test is over");
        cluster.mini().waitForMasterToStop(backup.getServerName(), Waits.HANG.toMillis());
      }
    }
  }

  private static void requireRouted(PeopleTable people, Routing routing) throws Exception {
    for (int i = 0; i < SCANS; i++) {
      RoutePlan plan = routing.plan(people.name(), PeopleTable.where("email", "nobody")).get();
      assertThat(plan.unrouted()).as("scan %d: %s", i, routing.counters()).isEmpty();
      assertThat(plan.skippedRegions() + plan.openRegions()).isEqualTo(PeopleTable.REGIONS);
    }
    Waits.until("an absent value excludes all regions again")
        .until(
            () ->
                routing
                        .plan(people.name(), PeopleTable.where("email", "nobody"))
                        .get()
                        .skippedRegions()
                    == PeopleTable.REGIONS);
  }

  /** Has a new master follow the active one, and a backup come up on the old port. */
  private static HMaster changePlaces(TestCluster cluster) throws Exception {
    int port = cluster.mini().getMaster().getServerName().getPort();
    cluster.servers().abortAndReplaceMaster();
    Configuration masters = cluster.mini().getConf();
    int before = masters.getInt(HConstants.MASTER_PORT, 0);
    masters.setInt(HConstants.MASTER_PORT, port);
    MasterThread backup;
    try {
      backup = cluster.mini().startMaster();
    } finally {
      masters.setInt(HConstants.MASTER_PORT, before);
    }
    HMaster returned = backup.getMaster();
    assertThat(returned.getServerName().getPort()).isEqualTo(port);
    Waits.until("the master on the old port answers, as a backup")
        .until(() -> returned.getRpcServer().isStarted() && !returned.isActiveMaster());
    return returned;
  }
}
