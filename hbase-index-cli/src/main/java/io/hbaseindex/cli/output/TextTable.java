/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.output;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Rows and columns in plain text: as wide as needed, numbers to the right, nothing but spaces
 * between, so that it can be cut and pasted.
 */
@InterfaceAudience.Private
public final class TextTable {
  private static final String GAP = "  ";

  private final List<String> header;
  private final List<List<String>> rows = new ArrayList<>();

  public TextTable(String... header) {
    this.header = List.of(header);
  }

  /** Adds a row; it has as many cells as the header. */
  public TextTable row(Object... cells) {
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

  int rows() {
    return rows.size();
  }

  /** How the rows so far are laid out; further lines may be written in the same way. */
  Layout layout() {
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
    return new Layout(widths, numeric);
  }

  @Override
  public String toString() {
    Layout layout = layout();
    return Stream.concat(Stream.of(header), rows.stream())
        .map(layout::line)
        .collect(Collectors.joining("\n"));
  }

  /** How wide columns are, and on which side their cells stand. */
  static final class Layout {
    private final int[] widths;
    private final boolean[] numeric;

    private Layout(int[] widths, boolean[] numeric) {
      this.widths = widths;
      this.numeric = numeric;
    }

    /** A line of the table; a cell that is wider than its column moves those after it. */
    String line(Object... cells) {
      return line(Arrays.stream(cells).map(TextTable::text).toList());
    }

    private String line(List<String> cells) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < cells.size(); column++) {
        String cell = cells.get(column);
        boolean last = column == cells.size() - 1;
        int padding = Math.max(0, widths[column] - cell.length());
        line.append(column == 0 ? "" : GAP);
        line.append(" ".repeat(numeric[column] ? padding : 0));
        line.append(cell);
        // One wide value must not make all others as wide.
        line.append(" ".repeat(numeric[column] || last ? 0 : padding));
      }
      return line.toString().stripTrailing();
    }
  }
}
