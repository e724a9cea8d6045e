/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.life;

import static io.hbaseindex.it.life.People.assertExact;
import static io.hbaseindex.it.life.People.onlyRegion;
import static io.hbaseindex.it.life.People.otherServer;
import static io.hbaseindex.it.life.People.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.index.IndexedTable;
import io.hbaseindex.region.IndexRegionObserver;
import io.hbaseindex.region.lifecycle.background.BackgroundWork;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ConcurrentMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.junit.jupiter.api.Test;

/** P10: an observer that cannot start costs writes of its region, and no server. */
@OnSharedCluster
class ObserverStartIT {

  @Test
  void p10_startFails_regionOpensScansPlainlyAndRefusesWrites(TestCluster cluster)
      throws IOException {
    try (IndexedTable people = People.create(cluster)) {
      RegionInfo region = onlyRegion(cluster, people);
      List<ServerName> servers = cluster.servers().live();
      ServerName healthy = cluster.regions().serverOf(region);
      ServerName sick = otherServer(cluster, region);
      ConcurrentMap<String, Object> shared = sharedData(cluster, region);
      String key = BackgroundWork.class.getName() + "/" + sick;
      Object before = shared.put(key, "not what the observer expects");
      try {
        cluster.regions().move(region, sick);

        assertThat(cluster.servers().live()).isEqualTo(servers);
        assertThat(people.rows(IndexedTable.where(IndexedTable.CITY, "c07")))
            .hasSize(People.ROWS / People.CITIES);
        assertThatThrownBy(() -> putOnce(cluster, people))
            .hasStackTraceContaining("its index failed to start when the region opened");
      } finally {
        if (before == null) {
          shared.remove(key);
        } else {
          shared.put(key, before);
        }
      }
      cluster.regions().move(region, healthy);
      people.probe().awaitReady();
      assertExact(people);
    }
  }

  private static ConcurrentMap<String, Object> sharedData(TestCluster cluster, RegionInfo region) {
    RegionCoprocessorEnvironment observer =
        cluster
            .regions()
            .online(region)
            .getCoprocessorHost()
            .findCoprocessorEnvironment(IndexRegionObserver.class.getName());
    return observer.getSharedData();
  }

  /** Tries once: what is wrong lasts for as long as the region is there. */
  private static void putOnce(TestCluster cluster, IndexedTable people) throws IOException {
    Configuration impatient = new Configuration(cluster.configuration());
    impatient.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 0);
    try (Connection connection = ConnectionFactory.createConnection(impatient);
        Table table = connection.getTable(people.name())) {
      table.put(IndexedTable.person(row(0), "moved@example.org", "c08"));
    }
  }
}
