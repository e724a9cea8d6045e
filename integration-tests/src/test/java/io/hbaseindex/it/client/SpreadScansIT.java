/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.client.IndexedAsyncConnection;
import io.hbaseindex.client.IndexedConnection;
import io.hbaseindex.client.routing.RoutingCounter;
import io.hbaseindex.core.definition.IndexSettings;
import io.hbaseindex.it.client.ScanAnswer.AsyncWay;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.index.IndexedTable;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Scans that must visit all regions read several of them at a time, in the same order. */
@OnSharedCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SpreadScansIT {
  /** Fewer than the regions that a scan reads at once by default. */
  private static final int AT_ONCE = 3;

  private TestCluster cluster;
  private PeopleTable people;
  private ExecutorService pool;

  @BeforeAll
  void setUp(TestCluster shared) throws Exception {
    cluster = shared;
    pool = Executors.newCachedThreadPool();
    people =
        PeopleTable.create(
            cluster,
            builder ->
                PeopleTable.watched(builder).setValue(IndexSettings.PUBLISH_ENABLED, "false"));
  }

  @AfterAll
  void tearDown() throws Exception {
    pool.shutdown();
    people.close();
  }

  private static Scan byCity() {
    return PeopleTable.where("city", "city7");
  }

  /** No filter is published, so every region is asked, by its index. */
  private static Scan fromCity(String first) {
    SingleColumnValueFilter filter =
        new SingleColumnValueFilter(
            IndexedTable.FAMILY,
            IndexedTable.CITY,
            CompareOperator.GREATER_OR_EQUAL,
            Bytes.toBytes(first));
    filter.setFilterIfMissing(true);
    return new Scan().setFilter(filter);
  }

  private static Scan meeting(Scan scan) {
    return scan.setAttribute(WatchedRegions.MEETING, Bytes.toBytes("yes"));
  }

  @Test
  void scanner_readsSeveralRegionsAtATime_inOrder() throws Exception {
    List<String> expected = ScanAnswer.of(cluster.connection(), people.name(), byCity());
    try (IndexedConnection connection =
        IndexedConnection.wrap(ConnectionFactory.createConnection(cluster.configuration()))) {
      WatchedRegions.begin(AT_ONCE);

      assertThat(ScanAnswer.of(connection, people.name(), meeting(byCity()))).isEqualTo(expected);

      assertEachRegionReadOnce_andSeveralAtATime();
      assertThat(connection.routing().counters().get(RoutingCounter.OPEN)).isEqualTo(1);
    }
    assertThat(expected).as("a line for each row and each cell").hasSize(3 * 26);
  }

  @ParameterizedTest
  @EnumSource(AsyncWay.class)
  void asyncScan_readsSeveralRegionsAtATime_inOrder(AsyncWay way) throws Exception {
    List<String> expected = ScanAnswer.of(cluster.connection(), people.name(), byCity());
    try (IndexedAsyncConnection connection =
        IndexedAsyncConnection.wrap(
            ConnectionFactory.createAsyncConnection(cluster.configuration()).get())) {
      WatchedRegions.begin(AT_ONCE);

      assertThat(ScanAnswer.of(connection, people.name(), meeting(byCity()), way, pool))
          .isEqualTo(expected);

      assertEachRegionReadOnce_andSeveralAtATime();
    }
  }

  @Test
  void rangeScanner_readsSeveralRegionsAtATime_inOrder() throws Exception {
    List<String> expected = ScanAnswer.of(cluster.connection(), people.name(), fromCity("city8"));
    try (IndexedConnection connection =
        IndexedConnection.wrap(ConnectionFactory.createConnection(cluster.configuration()))) {
      WatchedRegions.begin(AT_ONCE);

      assertThat(ScanAnswer.of(connection, people.name(), meeting(fromCity("city8"))))
          .isEqualTo(expected);

      assertEachRegionReadOnce_andSeveralAtATime();
    }
  }

  @ParameterizedTest
  @EnumSource(AsyncWay.class)
  void asyncRangeScan_readsSeveralRegionsAtATime_inOrder(AsyncWay way) throws Exception {
    List<String> expected = ScanAnswer.of(cluster.connection(), people.name(), fromCity("city8"));
    try (IndexedAsyncConnection connection =
        IndexedAsyncConnection.wrap(
            ConnectionFactory.createAsyncConnection(cluster.configuration()).get())) {
      WatchedRegions.begin(AT_ONCE);

      assertThat(ScanAnswer.of(connection, people.name(), meeting(fromCity("city8")), way, pool))
          .isEqualTo(expected);

      assertEachRegionReadOnce_andSeveralAtATime();
    }
  }

  @Test
  void limit_isThatOfTheScan_andRegionsBehindItAreNotRead() throws Exception {
    try (IndexedConnection connection =
        IndexedConnection.wrap(ConnectionFactory.createConnection(cluster.configuration()))) {
      WatchedRegions.begin(0);

      assertThat(people.rows(connection, meeting(byCity().setLimit(2))))
          .containsExactly("a7", "b7");

      assertThat(WatchedRegions.scans()).doesNotContainKeys("h", "m", "r", "w");
    }
  }

  private static void assertEachRegionReadOnce_andSeveralAtATime() {
    assertThat(WatchedRegions.isMeetingMissed()).as("scans waited in vain").isFalse();
    assertThat(WatchedRegions.scans())
        .hasSize(PeopleTable.REGIONS)
        .allSatisfy((region, scans) -> assertThat(scans).isEqualTo(1));
  }
}
