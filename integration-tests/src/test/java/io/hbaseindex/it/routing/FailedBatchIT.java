/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.PublishCounters;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.Waits;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A batch that another coprocessor fails after it was written is in the memstore all the same, and
 * becomes visible when the writes before it do.
 */
@OnSharedCluster
class FailedBatchIT {
  /** Rows with these names are held, or fail, when they are written and not yet visible. */
  private static final String HELD = "held";

  private static final String FAILING = "failing";

  private static final String REBUILDS = "publishFilterRebuilds";
  private static final String HELD_UP = "publishFilterRebuildsHeldUp";

  private final ExecutorService threads = Executors.newSingleThreadExecutor();

  /** Another coprocessor, which holds one row's batch and fails one time that of another. */
  public static final class Troublemaker implements RegionCoprocessor, RegionObserver {
    private static volatile CountDownLatch arrived;
    private static volatile CountDownLatch release;
    private static volatile boolean fail;

    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public void postBatchMutate(
        ObserverContext<RegionCoprocessorEnvironment> ctx,
        MiniBatchOperationInProgress<Mutation> batch)
        throws IOException {
      String row = Bytes.toString(batch.getOperation(0).getRow());
      if (row.equals(HELD)) {
        arrived.countDown();
        await(release);
      } else if (row.equals(FAILING) && fail) {
        fail = false;
        throw new DoNotRetryIOException("trouble");
      }
    }

    private static void await(CountDownLatch latch) throws IOException {
      try {
        latch.await(); // the end of the test releases it, whatever becomes of that
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }
  }

  @BeforeEach
  void arm() {
    Troublemaker.arrived = new CountDownLatch(1);
    Troublemaker.release = new CountDownLatch(1);
  }

  @AfterEach
  void disarm() {
    Troublemaker.release.countDown();
    threads.shutdownNow();
  }

  @Test
  void filterRebuiltBeforeAFailedBatchIsVisible_holdsItsPostings(TestCluster cluster)
      throws Exception {
    try (RoutingTable table = RoutingTable.create(cluster)) {
      giveItATroublemaker(cluster, table);
      RegionInfo region = table.regions().get(0);
      table.put("a", "a@example.org");
      cluster.regions().flush(region);
      table.awaitPrecise();

      holdAWrite(cluster, table);
      Troublemaker.fail = true;
      assertThatThrownBy(() -> table.put(FAILING, "f@example.org")).isInstanceOf(IOException.class);
      long generation = table.views().get(0).generation();
      compactUntilARebuildIsHeldUp(cluster, region);
      long rebuilds = PublishCounters.of(REBUILDS);
      Troublemaker.release.countDown();

      table.put(FAILING, "f@example.org");
      Waits.until("the filter is rebuilt").until(() -> PublishCounters.of(REBUILDS) > rebuilds);
      Waits.until("the rebuilt filter is trusted").until(() -> isTrustedAfter(table, generation));
      assertThat(table.preciseRoute("nobody@example.org").skippedRegions()).isEqualTo(1);
      assertThat(table.find("f@example.org")).containsExactly(FAILING);
    }
  }

  @Test
  void rebuildThatWaitsForAWrite_keepsNoOtherRegionOfItsServerFromRebuilding(TestCluster cluster)
      throws Exception {
    try (RoutingTable table = RoutingTable.create(cluster, "m")) {
      giveItATroublemaker(cluster, table);
      RegionInfo waiting = table.regions().get(0);
      RegionInfo other = table.regions().get(1);
      cluster.regions().move(other, cluster.regions().serverOf(waiting));
      table.put("a", "a@example.org");
      table.put("z", "z@example.org");
      cluster.regions().flush(waiting);
      cluster.regions().flush(other);
      table.awaitPrecise();

      holdAWrite(cluster, table);
      compactUntilARebuildIsHeldUp(cluster, waiting);
      long rebuilds = PublishCounters.of(REBUILDS);
      cluster.regions().majorCompact(other);
      Waits.until("the other region's filter is rebuilt")
          .until(() -> PublishCounters.of(REBUILDS) > rebuilds);
      Troublemaker.release.countDown();

      Waits.until("the held up filter is rebuilt")
          .until(() -> PublishCounters.of(REBUILDS) > rebuilds + 1);
    }
  }

  private static void giveItATroublemaker(TestCluster cluster, RoutingTable table)
      throws IOException {
    cluster
        .admin()
        .modifyTable(
            TableDescriptorBuilder.newBuilder(cluster.admin().getDescriptor(table.name()))
                .setCoprocessor(Troublemaker.class.getName())
                .build());
  }

  /**
   * Has a write of the first region written, and not visible until it is released. What its client
   * makes of the wait does not matter.
   */
  private void holdAWrite(TestCluster cluster, RoutingTable table) throws Exception {
    threads.submit(() -> putUnindexed(cluster, table));
    assertThat(Troublemaker.arrived.await(Waits.HANG.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  /** Has a region's filter rebuilt, which waits for the write that is held. */
  private static void compactUntilARebuildIsHeldUp(TestCluster cluster, RegionInfo region)
      throws IOException {
    long heldUp = PublishCounters.of(HELD_UP);
    cluster.regions().majorCompact(region);
    Waits.until("a rebuild waits").until(() -> PublishCounters.of(HELD_UP) > heldUp);
  }

  /** A write that changes no posting, so that no rebuild waits for its end. */
  private static Void putUnindexed(TestCluster cluster, RoutingTable table) throws IOException {
    try (Table plain = cluster.connection().getTable(table.name())) {
      plain.put(new Put(Bytes.toBytes(HELD)).addColumn(b("f"), b("other"), b("x")));
    }
    return null;
  }

  private static byte[] b(String text) {
    return Bytes.toBytes(text);
  }

  private static boolean isTrustedAfter(RoutingTable table, long generation) throws IOException {
    return table.views().get(0).isPrecise() && table.views().get(0).generation() > generation;
  }
}
