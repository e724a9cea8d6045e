/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing;

import io.hbaseindex.client.routing.plan.ScanRouter;
import io.hbaseindex.client.routing.scan.TableScans;
import io.hbaseindex.core.route.RouteAnswer;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Scans one table only where rows may be that the scan's filter lets pass. Results are those of an
 * ordinary scan, in the same order; regions are read one after another.
 *
 * <p>{@link io.hbaseindex.client.IndexedConnection} does the same for all tables of a connection.
 */
@InterfaceAudience.Private
public final class RoutedTable implements AutoCloseable {
  private final Table table;
  private final ScanRouter router;
  private final TableScans scans;

  /**
   * @param timeoutMillis how long the master may take; after that all regions are scanned
   */
  public RoutedTable(
      Connection connection, AsyncConnection master, TableName name, long timeoutMillis)
      throws IOException {
    this.table = connection.getTable(name);
    Configuration conf = new Configuration(connection.getConfiguration());
    conf.setLong(RoutingSettings.TIMEOUT_MS, timeoutMillis);
    conf.setInt(RoutingSettings.PARALLELISM, 1);
    this.router =
        ScanRouter.through(
            () -> CompletableFuture.completedFuture(master), RoutingSettings.of(conf));
    this.scans = new TableScans(router, Runnable::run);
  }

  /** Where the master says that rows for this scan may be; empty if it cannot or does not say. */
  public Optional<RouteAnswer> route(Scan scan) {
    RoutePlan plan = router.plan(table.getName(), scan).join();
    return plan.isRouted() ? Optional.of(plan.answer()) : Optional.empty();
  }

  /** Scans where rows may be. */
  public ResultScanner scan(Scan scan) throws IOException {
    return scans.open(table, scan);
  }

  @Override
  public void close() throws IOException {
    table.close();
  }
}
