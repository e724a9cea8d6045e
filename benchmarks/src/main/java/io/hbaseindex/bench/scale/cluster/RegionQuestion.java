/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.scale.cluster;

/** What is asked of a table, or written to it. */
enum RegionQuestion {
  STRONG("unique value"),
  BOUNDED("unique value, up to 5 s stale"),
  ABSENT("absent value"),
  PUT("put of one row"),

  /** What HBase itself makes of more regions. */
  GET("row by its key, without index");

  private final String label;

  RegionQuestion(String label) {
    this.label = label;
  }

  String label() {
    return label;
  }
}
