/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.routing;

import io.hbaseindex.it.cluster.RegionEvents;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.Waits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;

/** Makes one fault happen at a time; each returns when HBase has got over it. */
final class FaultInjector {
  private static final int FEWEST_REGIONS = 4;
  private static final int MOST_REGIONS = 9;
  private static final long RETRY_MILLIS = 500;

  private final TestCluster cluster;
  private final ChaosTable table;
  private final SplittableRandom random;

  FaultInjector(TestCluster cluster, ChaosTable table, SplittableRandom random) {
    this.cluster = cluster;
    this.table = table;
    this.random = random;
  }

  /** What happened; a split instead of a merge, or the reverse, where there is no room for it. */
  Fault inject(Fault fault) throws Exception {
    RegionEvents regions = cluster.regions();
    List<RegionInfo> all = table.regions();
    int at = random.nextInt(all.size());
    switch (fault) {
      case SPLIT -> {
        if (all.size() >= MOST_REGIONS) {
          return inject(Fault.MERGE);
        }
        byte[] key = keyInside(all.get(at));
        persistently(
            () -> {
              regions.majorCompact(all.get(at));
              regions.split(all.get(at), key);
            });
        table.forgetLocations();
      }
      case MERGE -> {
        if (all.size() <= FEWEST_REGIONS) {
          return inject(Fault.SPLIT);
        }
        int left = Math.min(at, all.size() - 2);
        persistently(
            () -> {
              regions.majorCompact(all.get(left));
              regions.majorCompact(all.get(left + 1));
              regions.merge(all.get(left), all.get(left + 1));
            });
        table.forgetLocations();
      }
      case MOVE -> move(all.get(at));
      case SERVER_ABORT -> cluster.servers().abortAndReplace(regions.serverOf(all.get(at)));
      case MASTER_ABORT -> cluster.servers().abortAndReplaceMaster();
      case ENDPOINT_HANG -> hang(all.get(at));
      default -> throw new AssertionError(fault);
    }
    return fault;
  }

  private interface Change {
    void make() throws IOException;
  }

  /**
   * HBase refuses to split or merge regions that still refer to files of their parents, which go
   * some time after a compaction.
   */
  private static void persistently(Change change) throws IOException, InterruptedException {
    long limit = System.nanoTime() + Waits.HANG.toNanos();
    while (true) {
      try {
        change.make();
        return;
      } catch (IOException e) {
        boolean refused =
            e instanceof DoNotRetryIOException || e.getCause() instanceof DoNotRetryIOException;
        if (!refused || System.nanoTime() - limit > 0) {
          throw e;
        }
        Thread.sleep(RETRY_MILLIS);
      }
    }
  }

  private void move(RegionInfo region) throws IOException {
    List<ServerName> targets = new ArrayList<>(cluster.servers().live());
    targets.remove(cluster.regions().serverOf(region));
    cluster.regions().move(region, targets.get(random.nextInt(targets.size())));
  }

  /**
   * The endpoint hangs, often for longer than a lease; half the time a region is moved meanwhile.
   * The move may wait for the hang to end: calls that hang occupy the master's handlers.
   */
  private void hang(RegionInfo region) throws Exception {
    HangingMasterEndpoint endpoint =
        cluster
            .mini()
            .getMaster()
            .getMasterCoprocessorHost()
            .findCoprocessor(HangingMasterEndpoint.class);
    FutureTask<Void> move =
        new FutureTask<>(
            () -> {
              move(region);
              return null;
            });
    boolean moving = random.nextBoolean();
    long millis = random.nextLong(500, 4_000);
    endpoint.hang();
    try {
      if (moving) {
        new Thread(move, "chaos-move").start();
      }
      Thread.sleep(millis);
    } finally {
      endpoint.resume();
    }
    if (moving) {
      move.get(Waits.HANG.toSeconds(), TimeUnit.SECONDS);
    }
  }

  /** A key strictly inside the region; rows begin with a letter and a digit, see the workload. */
  private byte[] keyInside(RegionInfo region) {
    List<byte[]> keys = new ArrayList<>();
    for (char letter = 'a'; letter <= 'z'; letter++) {
      for (String digit : List.of("", "3", "6")) {
        byte[] key = Bytes.toBytes(letter + digit);
        if (region.containsRow(key) && !Bytes.equals(key, region.getStartKey())) {
          keys.add(key);
        }
      }
    }
    return keys.get(random.nextInt(keys.size()));
  }

  /** Returns when HBase has nothing left to do. */
  void awaitCalm() throws IOException {
    cluster.utility().waitUntilNoRegionsInTransition(Waits.HANG.toMillis());
  }
}
