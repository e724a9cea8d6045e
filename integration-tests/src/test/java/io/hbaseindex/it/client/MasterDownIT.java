/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.client.IndexedConnection;
import io.hbaseindex.client.routing.RoutingCounter;
import io.hbaseindex.client.routing.RoutingCounters;
import io.hbaseindex.client.routing.RoutingSettings;
import io.hbaseindex.client.routing.UnroutedReason;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.Waits;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.junit.jupiter.api.Test;

/** Without a master scans go everywhere, and say so. */
@OnSharedCluster
class MasterDownIT {

  @Test
  void masterGone_everythingIsScannedAndCounted_untilAnotherOneIsThere(TestCluster cluster)
      throws Exception {
    Configuration conf = new Configuration(cluster.configuration());
    conf.setLong(RoutingSettings.TIMEOUT_MS, 3_000);
    try (PeopleTable people = PeopleTable.create(cluster);
        IndexedConnection connection =
            IndexedConnection.wrap(ConnectionFactory.createConnection(conf))) {
      people.awaitPrecise(connection.routing());
      RoutingCounters counters = connection.routing().counters();
      long fallbacks = counters.get(RoutingCounter.FALLBACKS);
      ServerName master = cluster.mini().getMaster().getServerName();
      cluster.mini().stopMaster(master);
      cluster.mini().waitForMasterToStop(master, Waits.HANG.toMillis());
      try {
        for (int i = 0; i < 8; i++) {
          String row = Character.toString('a' + 3 * i) + i;
          assertThat(people.rows(connection, PeopleTable.where("email", row + "@example.org")))
              .containsExactly(row);
        }
        assertThat(counters.get(RoutingCounter.FALLBACKS) - fallbacks).isEqualTo(8);
        // After three failures the rest does not wait for the master any more.
        assertThat(counters.unrouted(UnroutedReason.MASTER_LEFT_ALONE)).isPositive();
      } finally {
        cluster.mini().startMaster();
        cluster.mini().waitForActiveAndReadyMaster(120_000);
      }

      people.awaitPrecise(connection.routing());
      assertThat(people.rows(connection, PeopleTable.where("email", "k7@example.org")))
          .containsExactly("k7");
    }
  }
}
