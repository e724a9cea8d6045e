/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.mapreduce;

import io.hbaseindex.client.IndexedConnection;
import io.hbaseindex.client.routing.RoutePlan;
import io.hbaseindex.client.routing.RoutingSettings;
import io.hbaseindex.core.route.RowRange;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
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
    Configuration patient = new Configuration(conf);
    patient.setInt(RoutingSettings.TIMEOUT_MS, timeoutMillis);
    try (IndexedConnection connection =
        IndexedConnection.wrap(ConnectionFactory.createConnection(patient))) {
      // Always comes, and never as an error.
      RoutePlan plan = connection.routing().plan(name, scan).join();
      if (!plan.isRouted()) {
        LOG.info("Reading all regions of {}: no index narrows the scan", name);
        return ALL;
      }
      LOG.info(
          "Reading {} without {} regions that cannot hold a matching row",
          name,
          plan.skippedRegions());
      return new CandidateRegions(plan.ranges());
    }
  }

  /** Whether a region with these bounds has to be read. */
  boolean include(byte[] startKey, byte[] endKey) {
    RowRange region = new RowRange(startKey, endKey);
    return ranges.stream().anyMatch(region::overlaps);
  }
}
