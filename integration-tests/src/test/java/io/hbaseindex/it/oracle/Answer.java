/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.oracle;

import io.hbaseindex.core.definition.IndexFamily;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** Everything one scan returned, cell by cell in order. */
final class Answer {

  private final List<Cell> cells;
  private final List<Integer> resultSizes;

  private Answer(List<Cell> cells, List<Integer> resultSizes) {
    this.cells = cells;
    this.resultSizes = resultSizes;
  }

  static Answer of(Table table, Scan scan) throws IOException {
    try (ResultScanner scanner = table.getScanner(scan)) {
      return collect(scanner, scan);
    }
  }

  /** The rest of an open scan. */
  static Answer collect(ResultScanner scanner, Scan scan) throws IOException {
    List<Cell> cells = new ArrayList<>();
    List<Integer> sizes = new ArrayList<>();
    for (Result result : scanner) {
      cells.addAll(result.listCells());
      sizes.add(result.size());
    }
    // Where partial results are cut depends on sizes and time, so only whole rows and batches
    // count.
    return new Answer(cells, scan.getAllowPartialResults() ? List.of() : sizes);
  }

  /** The first {@code count} results of an open scan. */
  static Answer begin(ResultScanner scanner, int count) throws IOException {
    List<Cell> cells = new ArrayList<>();
    List<Integer> sizes = new ArrayList<>();
    for (Result result : scanner.next(count)) {
      cells.addAll(result.listCells());
      sizes.add(result.size());
    }
    return new Answer(cells, sizes);
  }

  /** This answer followed by the rest of the same scan. */
  Answer andThen(Answer rest) {
    List<Cell> all = new ArrayList<>(cells);
    all.addAll(rest.cells);
    List<Integer> sizes = new ArrayList<>(resultSizes);
    sizes.addAll(rest.resultSizes);
    return new Answer(all, sizes);
  }

  /** Fails if a posting leaked into what the user sees. */
  void requireNoIndexCells() {
    for (Cell cell : cells) {
      if (IndexFamily.is(cell.getFamilyArray(), cell.getFamilyOffset(), cell.getFamilyLength())) {
        throw new AssertionError("A scan returned a cell of the hidden family: " + cell);
      }
    }
  }

  boolean hasRow(byte[] row) {
    return rowSet().contains(row);
  }

  int rows() {
    return rowSet().size();
  }

  private TreeSet<byte[]> rowSet() {
    TreeSet<byte[]> rows = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    cells.forEach(cell -> rows.add(CellUtil.cloneRow(cell)));
    return rows;
  }

  /**
   * The rows that only one of the two has, for a report; empty if they differ in cells or order.
   */
  List<byte[]> rowsThatDiffer(Answer other) {
    TreeSet<byte[]> mine = rowSet();
    TreeSet<byte[]> theirs = other.rowSet();
    List<byte[]> differ = new ArrayList<>();
    mine.stream().filter(row -> !theirs.contains(row)).forEach(differ::add);
    theirs.stream().filter(row -> !mine.contains(row)).forEach(differ::add);
    return differ;
  }

  @Override
  public boolean equals(Object o) {
    if (!(o instanceof Answer that)
        || cells.size() != that.cells.size()
        || !resultSizes.equals(that.resultSizes)) {
      return false;
    }
    for (int i = 0; i < cells.size(); i++) {
      Cell mine = cells.get(i);
      Cell theirs = that.cells.get(i);
      if (!CellUtil.equals(mine, theirs) || !CellUtil.matchingValue(mine, theirs)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public int hashCode() {
    return Objects.hash(cells.size(), resultSizes);
  }

  @Override
  public String toString() {
    return rows() + " rows, " + cells.size() + " cells";
  }
}
