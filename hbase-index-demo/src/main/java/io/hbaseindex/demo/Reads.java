/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.demo;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.MiniHBaseCluster;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;

/**
 * What the regions of a table have counted, each by itself, at one moment. These are HBase's own
 * counters at the servers; the client has no say in them.
 */
final class Reads {
  private final Map<String, Counts> byRegion;

  private record Counts(ServerName server, long calls, long rowsFiltered) {}

  /**
   * What a scan has cost.
   *
   * @param regions regions that were asked for anything
   * @param servers servers of those
   * @param rowsFiltered rows that were read and that the scan's filter did not let pass
   */
  record Cost(int regions, int servers, long rowsFiltered) {}

  private Reads(Map<String, Counts> byRegion) {
    this.byRegion = byRegion;
  }

  static Reads of(MiniHBaseCluster cluster, TableName table) {
    Map<String, Counts> counts = new HashMap<>();
    for (RegionServerThread thread : cluster.getLiveRegionServerThreads()) {
      HRegionServer server = thread.getRegionServer();
      for (HRegion region : server.getRegions(table)) {
        counts.put(
            region.getRegionInfo().getEncodedName(),
            new Counts(
                server.getServerName(),
                region.getReadRequestsCount(),
                region.getFilteredReadRequestsCount()));
      }
    }
    return new Reads(counts);
  }

  Cost since(Reads earlier) {
    int regions = 0;
    long rows = 0;
    Set<ServerName> servers = new HashSet<>();
    for (Map.Entry<String, Counts> entry : byRegion.entrySet()) {
      Counts now = entry.getValue();
      Counts then = earlier.byRegion.getOrDefault(entry.getKey(), new Counts(null, 0, 0));
      if (now.calls() > then.calls()) {
        regions++;
        servers.add(now.server());
      }
      rows += now.rowsFiltered() - then.rowsFiltered();
    }
    return new Cost(regions, servers.size(), rows);
  }

  int regions() {
    return byRegion.size();
  }

  int servers() {
    return (int) byRegion.values().stream().map(Counts::server).distinct().count();
  }
}
