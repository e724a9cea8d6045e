/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.client.IndexedConnection;
import io.hbaseindex.client.routing.RoutingCounter;
import io.hbaseindex.client.routing.RoutingCounters;
import io.hbaseindex.client.routing.RoutingSettings;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Scans that accept a bounded staleness are routed by a copy of the filters. */
@OnSharedCluster
class BoundedStalenessIT {
  private static final String HOUR = "3600000";

  private static Scan stale(String column, String value, String millis) {
    Scan scan = PeopleTable.where(column, value);
    scan.setAttribute(RoutingSettings.STALENESS_MS, Bytes.toBytes(millis));
    return scan;
  }

  @Test
  void copy_answersWithoutTheMaster_missesOnlyWhatIsYounger(TestCluster cluster) throws Exception {
    Configuration conf = new Configuration(cluster.configuration());
    conf.setLong(RoutingSettings.TIMEOUT_MS, 30_000);
    try (PeopleTable people = PeopleTable.create(cluster);
        IndexedConnection connection =
            IndexedConnection.wrap(ConnectionFactory.createConnection(conf));
        Table table = cluster.connection().getTable(people.name())) {
      people.awaitPrecise(connection.routing());
      RoutingCounters counters = connection.routing().counters();
      long asked = counters.get(RoutingCounter.MASTER_ASKED);
      long reads = people.regionReads();
      for (char letter = 'a'; letter <= 'z'; letter++) {
        assertThat(people.rows(connection, stale("email", letter + "4@example.org", HOUR)))
            .containsExactly(letter + "4");
      }
      assertThat(people.rows(connection, stale("email", "late", HOUR))).isEmpty();
      assertThat(people.regionReads() - reads).as("one region per value").isLessThanOrEqualTo(60);
      assertThat(counters.get(RoutingCounter.FROM_COPY)).isEqualTo(27);
      assertThat(counters.get(RoutingCounter.COPY_REFRESHES)).isEqualTo(1);
      assertThat(counters.get(RoutingCounter.MASTER_ASKED)).isEqualTo(asked);

      table.put(PeopleTable.person("e5", "late", "city5"));

      // Younger than the bound: may be missed, and with this copy is. Strong scans see it.
      assertThat(people.rows(connection, stale("email", "late", HOUR))).isEmpty();
      assertThat(people.rows(connection, PeopleTable.where("email", "late"))).containsExactly("e5");
      // A bound that the copy does not meet has it refreshed; only one filter has changed.
      assertThat(people.rows(connection, stale("email", "late", "1"))).containsExactly("e5");
      assertThat(people.rows(connection, stale("email", "late", HOUR))).containsExactly("e5");
    }
  }

  @Test
  void bound_ofTheConnection_holdsForScansThatSayNothing(TestCluster cluster) throws Exception {
    Configuration conf = new Configuration(cluster.configuration());
    conf.setLong(RoutingSettings.TIMEOUT_MS, 30_000);
    conf.set(RoutingSettings.STALENESS_MS, HOUR);
    try (PeopleTable people = PeopleTable.create(cluster);
        IndexedConnection strong =
            IndexedConnection.wrap(ConnectionFactory.createConnection(cluster.configuration()));
        IndexedConnection connection =
            IndexedConnection.wrap(ConnectionFactory.createConnection(conf))) {
      people.awaitPrecise(strong.routing());
      List<String> rows = people.rows(connection, PeopleTable.where("email", "k7@example.org"));

      assertThat(rows).containsExactly("k7");
      assertThat(connection.routing().counters().get(RoutingCounter.FROM_COPY)).isEqualTo(1);
      assertThat(connection.routing().counters().get(RoutingCounter.MASTER_ASKED)).isZero();
    }
  }
}
