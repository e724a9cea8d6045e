package io.hbaseindex.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Rows and columns in plain text: as wide as needed, numbers to the right, nothing but spaces
 * between, so that it can be cut and pasted.
 */
final class TextTable {
  private static final String GAP = "  ";

  private final List<String> header;
  private final List<List<String>> rows = new ArrayList<>();

  TextTable(String... header) {
    this.header = List.of(header);
  }

  /** Adds a row; it has as many cells as the header. */
  TextTable row(Object... cells) {
    if (cells.length != header.size()) {
      throw new IllegalArgumentException(
          "Cannot add a row: it had %d cells, the table has %d columns"
              .formatted(cells.length, header.size()));
    }
    rows.add(Arrays.stream(cells).map(TextTable::text).toList());
    return this;
  }

  /** A line break within a cell would tear the table. */
  private static String text(Object cell) {
    return String.valueOf(cell).replace('\n', ' ').replace('\r', ' ');
  }

  @Override
  public String toString() {
    int columns = header.size();
    int[] widths = new int[columns];
    boolean[] numeric = new boolean[columns];
    Arrays.fill(numeric, !rows.isEmpty());
    for (int column = 0; column < columns; column++) {
      widths[column] = header.get(column).length();
      for (List<String> row : rows) {
        widths[column] = Math.max(widths[column], row.get(column).length());
        numeric[column] &= row.get(column).matches("-?[\\d,.]+( %| ms)?");
      }
    }
    StringBuilder out = new StringBuilder();
    append(out, header, widths, numeric);
    rows.forEach(row -> append(out, row, widths, numeric));
    return out.substring(0, Math.max(0, out.length() - 1));
  }

  private static void append(
      StringBuilder out, List<String> cells, int[] widths, boolean[] numeric) {
    StringBuilder line = new StringBuilder();
    for (int column = 0; column < cells.size(); column++) {
      String padding = " ".repeat(widths[column] - cells.get(column).length());
      line.append(column == 0 ? "" : GAP);
      line.append(numeric[column] ? padding + cells.get(column) : cells.get(column) + padding);
    }
    out.append(line.toString().stripTrailing()).append('\n');
  }
}
