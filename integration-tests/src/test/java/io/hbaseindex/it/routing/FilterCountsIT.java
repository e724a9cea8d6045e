/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.PublishCounters;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.Waits;
import io.hbaseindex.region.IndexRegionObserver;
import io.hbaseindex.region.metrics.IndexCounter;
import io.hbaseindex.region.publish.PublishingThread;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.junit.jupiter.api.Test;

/** What writes count in the filter of a region (F1), and what if nobody confirms it. */
@OnSharedCluster
class FilterCountsIT {
  private static final int TIMES = 5;
  private static final String GIVEN_UP = "publishWaitsGivenUp";

  @Test
  void f1_valueWrittenAgain_isCountedOnce(TestCluster cluster) throws Exception {
    try (RoutingTable table = RoutingTable.create(cluster)) {
      table.awaitPrecise();
      for (int i = 0; i < TIMES; i++) {
        table.put("r", "same@example.org");
      }
      assertThat(table.preciseRoute("same@example.org").skippedRegions()).isZero();
      long generation = table.views().get(0).generation();

      table.delete("r");

      Waits.until("one delete takes the value back")
          .until(() -> table.route("same@example.org").skippedRegions() == 1);
      assertThat(table.views().get(0).generation()).as("no other filter").isEqualTo(generation);
    }
  }

  @Test
  void f1_lazyIndex_deletesNothing(TestCluster cluster) throws Exception {
    try (RoutingTable table = RoutingTable.createLazy(cluster)) {
      table.awaitPrecise();
      table.put("r", "old@example.org");
      table.put("r", "new@example.org");
      long generation = table.views().get(0).generation();

      // A flush drops the old version; whoever meets its posting then has it ended.
      cluster.regions().flush(table.regions().get(0));
      Waits.until("the posting of the old value ends")
          .until(
              () -> {
                assertThat(table.find("old@example.org")).isEmpty();
                return table.counters().get(IndexCounter.STALE_ENDED) > 0;
              });
      table.put("s", "later@example.org"); // what is deleted goes out with the next write at last

      assertThat(table.preciseRoute("nobody@example.org").skippedRegions()).isEqualTo(1);
      assertThat(table.preciseRoute("old@example.org").skippedRegions()).isZero();
      assertThat(table.views().get(0).generation()).as("no other filter").isEqualTo(generation);
    }
  }

  /**
   * The write is in the log and in the memstore, so it cannot be taken back any more; and a write
   * that waited for ever would be worse than a region that a route may miss for a moment.
   */
  @Test
  void m7_confirmationGivenUp_writeIsAcknowledgedAndCounted(TestCluster cluster) throws Exception {
    try (RoutingTable table = RoutingTable.create(cluster)) {
      table.awaitPrecise();
      PublishingThread publishing = publishing(cluster, table.regions().get(0));
      long givenUp = PublishCounters.of(GIVEN_UP);

      try (UnconfirmedPushes pushes = UnconfirmedPushes.of(publishing)) {
        table.put("r", "r@example.org");
        assertThat(PublishCounters.of(GIVEN_UP)).isGreaterThan(givenUp);
        assertThat(pushes.heldBack()).isPositive();
      }

      assertThat(table.scanPlainly(RoutingTable.byEmail("r@example.org"))).containsExactly("r");
      // The push that the write did not wait for may still be under way.
      Waits.until("the master learns of the write")
          .until(() -> table.preciseRoute("r@example.org").skippedRegions() == 0);
      assertThat(table.preciseRoute("nobody@example.org").skippedRegions()).isEqualTo(1);
      assertThat(table.find("r@example.org")).containsExactly("r");
    }
  }

  private static PublishingThread publishing(TestCluster cluster, RegionInfo region) {
    RegionCoprocessorEnvironment observer =
        cluster
            .regions()
            .online(region)
            .getCoprocessorHost()
            .findCoprocessorEnvironment(IndexRegionObserver.class.getName());
    return (PublishingThread)
        observer
            .getSharedData()
            .get(PublishingThread.class.getName() + "/" + cluster.regions().serverOf(region));
  }
}
