/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.cluster;

import io.hbaseindex.client.routing.RoutingSettings;
import io.hbaseindex.core.definition.IndexSettings;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hbase.client.Scan;

/** How a question is answered; the first way is what the others are measured against. */
enum QueryWay {
  PLAIN("plain scan", false, 400) {
    @Override
    void prepare(Scan scan) {
      scan.setAttribute(IndexSettings.SCAN_USE_INDEX, bytes("false"));
    }
  },
  INDEX_ONLY("index in every region", false, 4_000),
  STRONG("routed", true, 6_000),
  BOUNDED("routed, up to 5 s stale", true, 6_000) {
    @Override
    void prepare(Scan scan) {
      scan.setAttribute(RoutingSettings.STALENESS_MS, bytes("5000"));
    }
  };

  private final String label;
  private final boolean routed;
  private final int mostQueries;

  QueryWay(String label, boolean routed, int mostQueries) {
    this.label = label;
    this.routed = routed;
    this.mostQueries = mostQueries;
  }

  String label() {
    return label;
  }

  /** Whether the connection that routes is used, or HBase's own. */
  boolean isRouted() {
    return routed;
  }

  /** Questions asked at most; time runs out first for slow ways. */
  int mostQueries() {
    return mostQueries;
  }

  void prepare(Scan scan) {}

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
