/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.report;

import java.util.ArrayList;
import java.util.List;

/** A Markdown table, built row by row. */
public final class MarkdownTable {
  private final List<String> header;
  private final String alignment;
  private final List<List<String>> rows = new ArrayList<>();

  private MarkdownTable(List<String> header, String alignment) {
    this.header = header;
    this.alignment = alignment;
  }

  /** A table of numbers: the first column is left-aligned, the others right. */
  public MarkdownTable(String... header) {
    this(List.of(header), "|---|" + "---:|".repeat(header.length - 1));
  }

  /** A table of words, all columns left-aligned. */
  public static MarkdownTable ofText(String... header) {
    return new MarkdownTable(List.of(header), "|" + "---|".repeat(header.length));
  }

  /** Adds a row; cells are written with {@link String#valueOf}. */
  public MarkdownTable row(Object... cells) {
    if (cells.length != header.size()) {
      throw new IllegalArgumentException(
          "Cannot add a row: it has %d cells, the header has %d"
              .formatted(cells.length, header.size()));
    }
    List<String> row = new ArrayList<>(cells.length);
    for (Object cell : cells) {
      row.add(String.valueOf(cell).replace("|", "\\|"));
    }
    rows.add(row);
    return this;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    append(text, header);
    text.append(alignment).append('\n');
    rows.forEach(row -> append(text, row));
    return text.toString();
  }

  private static void append(StringBuilder text, List<String> cells) {
    text.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }
}
