/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.cluster;

import io.hbaseindex.client.IndexedConnection;
import io.hbaseindex.client.routing.RoutePlan;
import io.hbaseindex.client.routing.RoutingSettings;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/** Reads one table through a routing connection of its own. */
public final class RoutedReads implements AutoCloseable {
  private final IndexedConnection connection;
  private final Table table;

  /**
   * @param timeoutMillis how long the master may take; after that all regions are scanned
   */
  public RoutedReads(TestCluster cluster, TableName name, long timeoutMillis) throws IOException {
    Configuration conf = new Configuration(cluster.configuration());
    conf.setLong(RoutingSettings.TIMEOUT_MS, timeoutMillis);
    this.connection = IndexedConnection.wrap(ConnectionFactory.createConnection(conf));
    this.table = connection.getTable(name);
  }

  /** Where the master says that rows for this scan may be; empty if it cannot or does not say. */
  public Optional<RoutePlan> route(Scan scan) {
    return Optional.of(connection.routing().plan(table.getName(), scan).join())
        .filter(RoutePlan::isRouted);
  }

  /** Scans where rows may be. */
  public ResultScanner scan(Scan scan) throws IOException {
    return table.getScanner(scan);
  }

  /** Regions are looked up anew from now on. */
  public void forgetLocations() {
    connection.clearRegionLocationCache();
  }

  @Override
  public void close() throws IOException {
    try (connection) {
      table.close();
    }
  }
}
