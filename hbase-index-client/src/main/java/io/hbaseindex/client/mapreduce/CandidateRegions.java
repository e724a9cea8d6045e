/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.mapreduce;

import io.hbaseindex.client.routing.RoutedTable;
import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.core.route.RowRange;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Scan;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The key ranges that a job has to read. Regions are matched by their keys, not by their names: one
 * that was split or merged after the master was asked is read if it overlaps any range.
 */
final class CandidateRegions {
  private static final Logger LOG = LoggerFactory.getLogger(CandidateRegions.class);

  /** Every region. */
  static final CandidateRegions ALL = new CandidateRegions(List.of(RowRange.ALL));

  private final List<RowRange> ranges;

  CandidateRegions(List<RowRange> ranges) {
    this.ranges = List.copyOf(ranges);
  }

  /** Asks the master where rows for the scan may be; everywhere if it does not say. */
  static CandidateRegions ask(Configuration conf, String table, Scan scan, int timeoutMillis)
      throws IOException {
    TableName name = TableName.valueOf(table);
    try (Connection connection = ConnectionFactory.createConnection(conf);
        AsyncConnection master = connect(conf);
        RoutedTable routed = new RoutedTable(connection, master, name, timeoutMillis)) {
      Optional<RouteAnswer> answer = routed.route(scan);
      if (answer.isEmpty()) {
        LOG.info("Reading all regions of {}: no index narrows the scan", name);
        return ALL;
      }
      LOG.info(
          "Reading {} without {} regions that cannot hold a matching row",
          name,
          answer.get().excluded());
      return new CandidateRegions(answer.get().ranges());
    }
  }

  private static AsyncConnection connect(Configuration conf) throws IOException {
    try {
      return ConnectionFactory.createAsyncConnection(conf).get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Cannot compute splits: interrupted while connecting");
    } catch (ExecutionException e) {
      throw new IOException("Cannot compute splits: the cluster cannot be reached", e.getCause());
    }
  }

  /** Whether a region with these bounds has to be read. */
  boolean include(byte[] startKey, byte[] endKey) {
    RowRange region = new RowRange(startKey, endKey);
    return ranges.stream().anyMatch(region::overlaps);
  }
}
