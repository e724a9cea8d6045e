package io.hbaseindex.bench.report;

import java.util.ArrayList;
import java.util.List;

/** A Markdown table, built row by row; the first column is left-aligned, the others right. */
public final class MarkdownTable {
  private final List<String> header;
  private final List<List<String>> rows = new ArrayList<>();

  public MarkdownTable(String... header) {
    this.header = List.of(header);
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
    text.append("|---|").append("---:|".repeat(header.size() - 1)).append('\n');
    rows.forEach(row -> append(text, row));
    return text.toString();
  }

  private static void append(StringBuilder text, List<String> cells) {
    text.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }
}
