/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.cluster;

import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.admin.filters.RoutingStatus;
import io.hbaseindex.client.admin.status.Progress;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;

/** Waits until a fresh table is as it is in daily work: indexes ready, filters trusted. */
final class RoutedPreparation {
  private static final long LIMIT_NANOS = TimeUnit.MINUTES.toNanos(2);

  private final BenchCluster cluster;
  private final TableName table;

  RoutedPreparation(BenchCluster cluster, TableName table) {
    this.cluster = cluster;
    this.table = table;
  }

  void await(RoutingVariant variant) throws IOException, InterruptedException {
    IndexAdmin.of(cluster.connection())
        .awaitReady(table, Duration.ofNanos(LIMIT_NANOS), Progress.NONE);
    long began = System.nanoTime();
    while (variant == RoutingVariant.ROUTED && !isPrecise()) {
      if (System.nanoTime() - began > LIMIT_NANOS) {
        throw new IOException("Cannot measure " + table + ": it does not become precise");
      }
      Thread.sleep(20);
    }
  }

  private boolean isPrecise() throws IOException {
    RoutingStatus status = IndexAdmin.of(cluster.connection()).routing(table);
    return status.regions().size() == cluster.regions(table).size() && status.isPrecise();
  }
}
