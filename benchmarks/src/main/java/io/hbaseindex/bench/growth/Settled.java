/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.growth;

import io.hbaseindex.bench.cluster.BenchCluster;
import io.hbaseindex.client.IndexedConnection;
import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.admin.filters.RoutingStatus;
import io.hbaseindex.client.admin.status.Progress;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;

/** Waits until a table is as it is in daily work: indexes ready, filters trusted. */
final class Settled {
  private static final Duration LIMIT = Duration.ofMinutes(5);

  private Settled() {}

  static void await(BenchCluster cluster, IndexedConnection indexed, TableName table)
      throws IOException, InterruptedException {
    IndexAdmin admin = IndexAdmin.of(indexed);
    admin.awaitReady(table, LIMIT, Progress.NONE);
    long deadline = System.nanoTime() + LIMIT.toNanos();
    RoutingStatus status = admin.routing(table);
    while (status.regions().size() < cluster.regions(table).size() || !status.isPrecise()) {
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException(
            "Cannot measure %s: not all regions were precise after %s".formatted(table, LIMIT));
      }
      TimeUnit.MILLISECONDS.sleep(50);
      status = admin.routing(table);
    }
  }
}
