/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing;

import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.yetus.audience.InterfaceAudience;

/** Where a connection sends its scans. Safe for use by many threads. */
@InterfaceAudience.Public
public interface Routing {
  /**
   * Where a scan has to look. The plan is counted like that of a scan that is run. It always comes,
   * and never as an error, within the time that the settings give to a route.
   */
  CompletableFuture<RoutePlan> plan(TableName table, Scan scan);

  /** What has been counted so far. */
  RoutingCounters counters();
}
