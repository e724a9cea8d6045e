/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.scan;

import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;

/**
 * The sum of HBase's scan metrics over the parts of a scan, shown where HBase shows them: at the
 * scanner, and for the synchronous client at the scan itself.
 */
final class PieceMetrics {
  private final ScanMetrics merged;
  private final Scan users;
  private boolean published;

  private PieceMetrics(ScanMetrics merged, Scan users) {
    this.merged = merged;
    this.users = users;
  }

  /** Figures that are shown by the scanner and, once it is through, by the user's scan. */
  static PieceMetrics publishedTo(Scan users) {
    return new PieceMetrics(users.isScanMetricsEnabled() ? new ScanMetrics() : null, users);
  }

  /** Figures that are shown by the scanner alone. */
  static PieceMetrics of(Scan scan) {
    return new PieceMetrics(scan.isScanMetricsEnabled() ? new ScanMetrics() : null, null);
  }

  /** Takes over what a part has counted since the last time. */
  void gather(ScanMetrics part) {
    if (merged != null && part != null) {
      part.getMetricsMap(true).forEach(merged::addToCounter);
    }
  }

  /** The sum so far; null if the scan does not ask for figures. */
  ScanMetrics merged() {
    return merged;
  }

  /** Shows the sum in the user's scan, once. */
  // The attribute is deprecated for users and still what Scan.getScanMetrics() reads.
  @SuppressWarnings("deprecation")
  void publish() {
    if (merged != null && users != null && !published) {
      published = true;
      users.setAttribute(
          Scan.SCAN_ATTRIBUTES_METRICS_DATA,
          ProtobufUtil.toScanMetrics(merged, false).toByteArray());
    }
  }
}
