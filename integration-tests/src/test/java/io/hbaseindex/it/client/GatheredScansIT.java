/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.client.IndexedConnection;
import io.hbaseindex.client.routing.RoutingSettings;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.region.metrics.IndexCounter;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Regions of one server that are asked by one call: the answers of ordinary scans. */
@OnSharedCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GatheredScansIT {
  private TestCluster cluster;
  private PeopleTable people;
  private IndexedConnection connection;

  @BeforeAll
  void setUp(TestCluster shared) throws Exception {
    cluster = shared;
    people = PeopleTable.create(cluster);
    Configuration conf = new Configuration(cluster.configuration());
    conf.setLong(RoutingSettings.TIMEOUT_MS, 30_000);
    connection = IndexedConnection.wrap(ConnectionFactory.createConnection(conf));
    gatherAllOn(cluster.regions().serverOf(people.regions().get(0)));
  }

  /** One server has all regions, so one call may be for all of them. */
  private void gatherAllOn(ServerName server) throws Exception {
    for (RegionInfo region : people.regions()) {
      if (!cluster.regions().serverOf(region).equals(server)) {
        cluster.regions().move(region, server);
      }
    }
    people.awaitPrecise(connection.routing());
  }

  @AfterAll
  void tearDown() throws Exception {
    connection.close();
    people.close();
  }

  private long gathered() throws Exception {
    return people.counters().get(IndexCounter.SCANS_GATHERED);
  }

  private static Scan byCity() {
    return PeopleTable.where("city", "city3");
  }

  private void assertAnswersAreThoseOf(Scan scan) throws Exception {
    assertThat(ScanAnswer.of(connection, people.name(), scan))
        .as("%s", scan)
        .isNotEmpty()
        .isEqualTo(ScanAnswer.of(cluster.connection(), people.name(), scan));
  }

  @Test
  void valueInAllRegions_isReadByOneCall() throws Exception {
    long before = gathered();

    assertAnswersAreThoseOf(byCity());

    assertThat(gathered() - before).isEqualTo(PeopleTable.REGIONS);
  }

  @Test
  void limitAndCaching_areKept() throws Exception {
    for (int limit : new int[] {1, 2, 6, 7, 25, 26, 100}) {
      for (int caching : new int[] {-1, 1, 3}) {
        assertAnswersAreThoseOf(byCity().setLimit(limit).setCaching(caching));
      }
    }
  }

  @Test
  void rowsThatDoNotFitOneCall_goOnBehindIt() throws Exception {
    byte[] large = new byte[100_000];
    for (char letter = 'a'; letter <= 'z'; letter += 2) {
      for (int number = 0; number < 4; number++) {
        Put put = PeopleTable.person(letter + "large" + number, "none", "large");
        people.table().put(put.addColumn(Bytes.toBytes("f"), Bytes.toBytes("more"), large));
      }
    }
    long before = gathered();

    assertAnswersAreThoseOf(PeopleTable.where("city", "large"));
    assertAnswersAreThoseOf(PeopleTable.where("city", "large").setLimit(30));

    assertThat(gathered()).isGreaterThan(before);
  }

  @Test
  void startAndStopRow_areKept() throws Exception {
    Scan within =
        byCity().withStartRow(Bytes.toBytes("b3"), false).withStopRow(Bytes.toBytes("s3"), true);
    long before = gathered();

    assertAnswersAreThoseOf(within);

    assertThat(gathered()).isGreaterThan(before);
  }

  @Test
  void scansThatAnAnswerHasNoRoomFor_areOrdinary() throws Exception {
    long before = gathered();

    assertAnswersAreThoseOf(byCity().setScanMetricsEnabled(true));
    assertAnswersAreThoseOf(byCity().setAllowPartialResults(true));

    assertThat(gathered()).isEqualTo(before);
  }

  @Test
  void regionsThatHaveMovedSinceTheCopyOfTheFilters_areScannedWhereTheyAre() throws Exception {
    Scan stale =
        byCity()
            .setAttribute(RoutingSettings.STALENESS_MS, Bytes.toBytes(Integer.toString(600_000)));
    assertAnswersAreThoseOf(stale);
    List<RegionInfo> regions = people.regions();
    ServerName home = cluster.regions().serverOf(regions.get(0));
    ServerName other =
        cluster.servers().live().stream().filter(any -> !any.equals(home)).findAny().orElseThrow();
    cluster.regions().move(regions.get(0), other);
    cluster.regions().move(regions.get(3), other);
    try {
      long before = gathered();

      assertAnswersAreThoseOf(stale);

      assertThat(gathered()).as("those that stayed, or those that went").isGreaterThan(before);
    } finally {
      gatherAllOn(home);
    }
  }
}
