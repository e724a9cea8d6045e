/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.oracle;

import io.hbaseindex.it.cluster.RegionEvents;
import io.hbaseindex.it.cluster.TestCluster;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * Crashes of region servers that all runs of a cluster go through together: each begins when every
 * run has come to it, and takes a server that holds regions of every run's table.
 *
 * <p>A crash hits all tables of its server. If each run made its own, it would surprise the others
 * between the moment their index was ready and the moment they count whether it was used.
 */
final class Crashes {

  /** Runs come to a crash far apart: each has done some hundred other things before. */
  private static final long LONGEST_WAIT_MINUTES = 20;

  private final TestCluster cluster;
  private final Set<TableName> tables = ConcurrentHashMap.newKeySet();
  private volatile FutureTask<ServerName> current;

  private final Phaser runs =
      new Phaser() {
        @Override
        protected boolean onAdvance(int phase, int parties) {
          if (parties > 0) {
            current = new FutureTask<>(Crashes.this::crash);
            Thread thread = new Thread(current, "oracle-crash-" + phase);
            thread.setDaemon(true);
            thread.start();
          }
          return parties == 0;
        }
      };

  Crashes(TestCluster cluster) {
    this.cluster = cluster;
  }

  /** Says that a run on this table will come to every crash, until it leaves. */
  void join(TableName table) {
    tables.add(table);
    runs.register();
  }

  /** The run on this table comes to no more crashes, be it done or failed. */
  void leave(TableName table) {
    tables.remove(table);
    runs.arriveAndDeregister();
  }

  /** Waits for the other runs; the crash has begun when this returns. */
  FutureTask<ServerName> next() throws IOException, InterruptedException {
    int phase = runs.arrive();
    try {
      runs.awaitAdvanceInterruptibly(phase, LONGEST_WAIT_MINUTES, TimeUnit.MINUTES);
    } catch (TimeoutException e) {
      throw new IOException(
          "A run has not come to crash %d after %d minutes: %s"
              .formatted(phase, LONGEST_WAIT_MINUTES, runs),
          e);
    }
    return current;
  }

  private ServerName crash() throws IOException {
    RegionEvents regions = cluster.regions();
    Map<ServerName, Integer> held = new TreeMap<>();
    for (TableName table : tables) {
      regions.of(table).forEach(region -> held.merge(regions.serverOf(region), 1, Integer::sum));
    }
    ServerName victim =
        held.entrySet().stream()
            .max(Map.Entry.comparingByValue(Comparator.naturalOrder()))
            .get()
            .getKey();
    for (TableName table : tables) {
      List<RegionInfo> own = regions.of(table);
      if (own.stream().noneMatch(region -> regions.serverOf(region).equals(victim))) {
        regions.move(own.get(own.size() / 2), victim);
      }
    }
    cluster.servers().abortAndReplace(victim);
    return victim;
  }
}
