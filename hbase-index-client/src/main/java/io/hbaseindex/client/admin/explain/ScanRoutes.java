/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.admin.explain;

import io.hbaseindex.client.IndexedConnection;
import io.hbaseindex.client.routing.RoutePlan;
import io.hbaseindex.client.routing.UnroutedReason;
import io.hbaseindex.client.routing.scan.PlannedScanner;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;

/** Tells where a scanner reads. */
final class ScanRoutes {
  private ScanRoutes() {}

  /**
   * The route of this scanner.
   *
   * @param scan what it was opened with
   */
  static RouteFigures of(
      Connection connection,
      TableName table,
      ResultScanner scanner,
      Scan scan,
      List<HRegionLocation> regions)
      throws IOException {
    if (!(connection instanceof IndexedConnection indexed)) {
      return RouteFigures.everywhere("the connection does not route scans", regions, scan);
    }
    // A scanner of HBase's own: this connection routes no such scan, and says so without asking.
    RoutePlan plan =
        scanner instanceof PlannedScanner planned
            ? planned.plan()
            : indexed.routing().plan(table, scan).join();
    return plan.unrouted()
        .map(reason -> RouteFigures.everywhere(words(reason, plan), regions, scan))
        .orElseGet(() -> RouteFigures.of(plan, regions, scan));
  }

  private static String words(UnroutedReason reason, RoutePlan plan) {
    return words(reason) + plan.plain().map(plain -> ", " + words(plain)).orElse("");
  }

  private static String words(Enum<?> reason) {
    return reason.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
