/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.spark;

import io.hbaseindex.client.IndexedConnection;
import io.hbaseindex.client.routing.RoutePlan;
import io.hbaseindex.client.routing.RoutingSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.util.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cuts a reading at the boundaries of regions, and leaves out those that cannot hold a row of it.
 *
 * <p>Every key is in one part, whatever the boundaries are: where regions have been split or merged
 * meanwhile, or one is missing, a part is an ordinary scan over what it meets.
 */
final class RoutedPartitions {
  private static final Logger LOG = LoggerFactory.getLogger(RoutedPartitions.class);

  /** A job can wait for its route; one that comes too late would cost it all regions. */
  private static final String PATIENCE_MILLIS = "10000";

  private RoutedPartitions() {}

  static List<RegionPartition> of(ReadPlan plan) throws IOException {
    List<RegionPartition> parts = plan.keys().isEmpty() ? List.of() : routed(plan);
    // Spark makes no number of no answers.
    return parts.isEmpty() && plan.reading() instanceof Reading.Figures
        ? List.of(new RegionPartition(plan, KeySpan.NONE, ""))
        : parts;
  }

  private static List<RegionPartition> routed(ReadPlan plan) throws IOException {
    Configuration conf = plan.source().configuration();
    conf.setIfUnset(RoutingSettings.TIMEOUT_MS, PATIENCE_MILLIS);
    try (IndexedConnection connection =
            IndexedConnection.wrap(ConnectionFactory.createConnection(conf));
        RegionLocator regions = connection.getRegionLocator(plan.source().tableName())) {
      // Always comes, and never as an error.
      RoutePlan route =
          connection
              .routing()
              .plan(plan.source().tableName(), plan.rows(plan.keys()).toScan())
              .join();
      List<RegionPartition> all = cut(plan, regions.getAllRegionLocations());
      List<RegionPartition> parts =
          all.stream()
              .filter(part -> route.ranges().stream().anyMatch(part.keys()::overlaps))
              .toList();
      LOG.info("{}: {} of {} regions are read", plan, parts.size(), all.size());
      return parts;
    }
  }

  private static List<RegionPartition> cut(ReadPlan plan, List<HRegionLocation> regions) {
    Map<byte[], String> hosts = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    hosts.put(new byte[0], "");
    for (HRegionLocation region : regions) {
      if (region != null && region.getRegion().getReplicaId() == RegionInfo.DEFAULT_REPLICA_ID) {
        hosts.put(
            region.getRegion().getStartKey(),
            region.getServerName() == null ? "" : region.getServerName().getHostname());
      }
    }
    List<byte[]> starts = new ArrayList<>(hosts.keySet());
    List<RegionPartition> parts = new ArrayList<>();
    for (int i = 0; i < starts.size(); i++) {
      byte[] end = i + 1 < starts.size() ? starts.get(i + 1) : new byte[0];
      KeySpan keys = new KeySpan(starts.get(i), end).intersect(plan.keys());
      if (!keys.isEmpty()) {
        parts.add(new RegionPartition(plan, keys, hosts.get(starts.get(i))));
      }
    }
    return parts;
  }
}
