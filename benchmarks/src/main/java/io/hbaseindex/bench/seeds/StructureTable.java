/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.seeds;

import io.hbaseindex.bench.report.MarkdownTable;

/** The summary that each paper's run writes: one row per structure, alike for all papers. */
public final class StructureTable {
  private final MarkdownTable table =
      MarkdownTable.ofText(
          "structure", "what it is for", "bits per element", "measured error", "cost");

  /** Adds a structure. Bits and error are those of one stated setting. */
  public StructureTable row(
      String structure, String purpose, String bitsPerElement, String error, String cost) {
    table.row(structure, purpose, bitsPerElement, error, cost);
    return this;
  }

  @Override
  public String toString() {
    return table.toString();
  }
}
