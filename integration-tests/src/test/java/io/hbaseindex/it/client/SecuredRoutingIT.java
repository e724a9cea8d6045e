/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.client.IndexedConnection;
import io.hbaseindex.client.routing.RoutePlan;
import io.hbaseindex.client.routing.RoutingSettings;
import io.hbaseindex.client.routing.UnroutedReason;
import io.hbaseindex.it.cluster.PublishCounters;
import io.hbaseindex.it.cluster.SecuredCluster;
import io.hbaseindex.it.cluster.Waits;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.security.access.Permission.Action;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * On a cluster with access control, whoever may read a table is routed on it, although HBase lets
 * only administrators call a master's services; nobody else learns anything.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("cluster")
class SecuredRoutingIT {
  private static final String UNIQUE = "k7@example.org";

  private SecuredCluster secured;
  private PeopleTable people;

  @BeforeAll
  void start() throws Exception {
    secured = SecuredCluster.start();
    people = PeopleTable.create(secured.cluster(), PeopleTable::watched);
    IndexedConnection administrator = IndexedConnection.wrap(secured.cluster().connection());
    people.awaitPrecise(administrator.routing());
  }

  @AfterAll
  void stop() throws Exception {
    if (secured != null) {
      secured.close();
    }
  }

  @Test
  void reader_whoIsNoAdministrator_isRoutedThroughRegions() throws Exception {
    IndexedConnection reader = connectionWithRead("reader", null, null);
    long relayed = PublishCounters.of("publishQuestionsRelayed");
    long reads = people.regionReads();

    assertThat(people.rows(reader, byEmail("nobody@example.org"))).isEmpty();
    assertThat(people.regionReads()).isEqualTo(reads);
    assertThat(people.rows(reader, byEmail(UNIQUE))).containsExactly("k7");

    RoutePlan plan = plan(reader, byEmail(UNIQUE));
    assertThat(plan.isRouted()).isTrue();
    assertThat(plan.skippedRegions()).isEqualTo(PeopleTable.REGIONS - 1);
    assertThat(PublishCounters.of("publishQuestionsRelayed")).isGreaterThan(relayed);
  }

  @Test
  void questionsOfAReader_areSpreadOverAllRegions() throws Exception {
    IndexedConnection reader = connectionWithRead("busyReader", null, null);
    plan(reader, byEmail(UNIQUE));
    WatchedRegions.begin(0);

    int questions = 60 * PeopleTable.REGIONS;
    for (int i = 0; i < questions; i++) {
      plan(reader, byEmail(UNIQUE));
    }

    assertThat(WatchedRegions.calls())
        .hasSize(PeopleTable.REGIONS)
        .allSatisfy((region, calls) -> assertThat(calls).isGreaterThan(20));
  }

  @Test
  void reader_withBoundedStaleness_getsACopyThroughRegions() throws Exception {
    IndexedConnection reader = connectionWithRead("staleReader", null, null);
    Scan scan = byEmail(UNIQUE);
    scan.setAttribute(RoutingSettings.STALENESS_MS, Bytes.toBytes("60000"));

    assertThat(people.rows(reader, scan)).containsExactly("k7");

    assertThat(plan(reader, scan).skippedRegions()).isEqualTo(PeopleTable.REGIONS - 1);
  }

  @Test
  void readerOfOneColumnOnly_isNotRouted_andFindsWhatTheyMayRead() throws Exception {
    IndexedConnection cities =
        connectionWithRead("cityReader", PeopleTable.F, Bytes.toBytes("city"));
    Scan scan = PeopleTable.where("city", "city7").addColumn(PeopleTable.F, Bytes.toBytes("city"));

    assertThat(people.rows(cities, scan)).hasSize(26).startsWith("a7");

    assertThat(plan(cities, scan).unrouted()).contains(UnroutedReason.ACCESS_DENIED);
  }

  private IndexedConnection connectionWithRead(String user, byte[] family, byte[] qualifier)
      throws Exception {
    secured.grant(user, people.name(), family, qualifier, Action.READ);
    IndexedConnection connection = IndexedConnection.wrap(secured.connectionOf(user));
    Scan all = new Scan();
    if (family != null) {
      all.addColumn(family, qualifier);
    }
    // Grants reach the servers' memory a little after the call has returned.
    Waits.until("grant of " + user)
        .ignoreExceptions()
        .until(() -> people.rows(connection, all).size() == 260);
    return connection;
  }

  private RoutePlan plan(IndexedConnection connection, Scan scan) throws Exception {
    return connection.routing().plan(people.name(), scan).get();
  }

  private static Scan byEmail(String email) {
    return PeopleTable.where("email", email);
  }
}
