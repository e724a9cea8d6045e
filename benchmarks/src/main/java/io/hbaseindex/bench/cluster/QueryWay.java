/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.cluster;

import io.hbaseindex.client.routing.RoutingSettings;
import io.hbaseindex.core.definition.IndexSettings;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hbase.client.Scan;

/** How a question is answered; the first way is what the others are measured against. */
enum QueryWay {
  PLAIN("plain scan", Asker.HBASE, 400) {
    @Override
    void prepare(Scan scan) {
      scan.setAttribute(IndexSettings.SCAN_USE_INDEX, bytes("false"));
    }
  },
  INDEX_ONLY("index in every region", Asker.HBASE, 4_000),
  STRONG("routed", Asker.ROUTED, 6_000),
  GUESSED("routed, guessing by a copy", Asker.GUESSING, 6_000),
  BOUNDED("routed, up to 5 s stale", Asker.GUESSING, 6_000) {
    @Override
    void prepare(Scan scan) {
      scan.setAttribute(RoutingSettings.STALENESS_MS, bytes("5000"));
    }
  };

  /** Which connection is used. */
  enum Asker {
    /** HBase's own. */
    HBASE,
    /** One that routes, and keeps no copy of filters. */
    ROUTED,
    /** One that routes, and keeps a copy to guess by. */
    GUESSING
  }

  private final String label;
  private final Asker asker;
  private final int mostQueries;

  QueryWay(String label, Asker asker, int mostQueries) {
    this.label = label;
    this.asker = asker;
    this.mostQueries = mostQueries;
  }

  String label() {
    return label;
  }

  Asker asker() {
    return asker;
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
