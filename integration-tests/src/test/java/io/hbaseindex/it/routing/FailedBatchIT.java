/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.Waits;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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

  /** Another coprocessor, which holds one row's batch and fails one time that of another. */
  public static final class Troublemaker implements RegionCoprocessor, RegionObserver {
    private static volatile CountDownLatch arrived = new CountDownLatch(1);
    private static volatile CountDownLatch release = new CountDownLatch(1);
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
        latch.await(Waits.HANG.toSeconds(), TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }
  }

  @Test
  void filterRebuiltBeforeAFailedBatchIsVisible_holdsItsPostings(TestCluster cluster)
      throws Exception {
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try (RoutingTable table = RoutingTable.create(cluster)) {
      cluster
          .admin()
          .modifyTable(
              TableDescriptorBuilder.newBuilder(cluster.admin().getDescriptor(table.name()))
                  .setCoprocessor(Troublemaker.class.getName())
                  .build());
      RegionInfo region = table.regions().get(0);
      table.put("a", "a@example.org");
      cluster.regions().flush(region);
      table.awaitPrecise();

      Future<?> held = threads.submit(() -> putUnindexed(cluster, table));
      assertThat(Troublemaker.arrived.await(Waits.HANG.toSeconds(), TimeUnit.SECONDS)).isTrue();
      Troublemaker.fail = true;
      assertThatThrownBy(() -> table.put(FAILING, "f@example.org")).isInstanceOf(IOException.class);
      long generation = table.views().get(0).generation();
      cluster.regions().majorCompact(region);
      giveARebuildTime(table, generation);
      Troublemaker.release.countDown();
      held.get(2, TimeUnit.MINUTES);

      table.put(FAILING, "f@example.org");
      Waits.until("the rebuilt filter is trusted").until(() -> isTrustedAfter(table, generation));
      assertThat(table.preciseRoute("nobody@example.org").skippedRegions()).isEqualTo(1);
      assertThat(table.find("f@example.org")).containsExactly(FAILING);
    } finally {
      Troublemaker.release.countDown();
      threads.shutdownNow();
    }
  }

  /** A write that no filter follows, so that no rebuild waits for its end. */
  private static Void putUnindexed(TestCluster cluster, RoutingTable table) throws IOException {
    try (Table plain = cluster.connection().getTable(table.name())) {
      plain.put(new Put(Bytes.toBytes(HELD)).addColumn(b("f"), b("other"), b("x")));
    }
    return null;
  }

  private static byte[] b(String text) {
    return Bytes.toBytes(text);
  }

  /**
   * Until a rebuild waits for the held write, or is through without, which would be wrong. For ten
   * seconds at most: where it waits for the failed batch too, it begins to read only after that.
   */
  private static void giveARebuildTime(RoutingTable table, long generation) throws Exception {
    for (int i = 0; i < 100 && !isReadingPostings() && !isTrustedAfter(table, generation); i++) {
      Thread.sleep(100);
    }
  }

  /** Whether a rebuild has begun to read postings; it cannot end before the held write does. */
  private static boolean isReadingPostings() {
    return Thread.getAllStackTraces().values().stream()
        .flatMap(Arrays::stream)
        .anyMatch(
            frame ->
                frame.getClassName().endsWith(".LivePostings")
                    && frame.getMethodName().equals("feed"));
  }

  private static boolean isTrustedAfter(RoutingTable table, long generation) throws IOException {
    return table.views().get(0).isPrecise() && table.views().get(0).generation() > generation;
  }
}
