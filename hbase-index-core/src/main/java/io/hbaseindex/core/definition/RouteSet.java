/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.definition;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Columns of one index whose values the filters of regions know together, so that scans which fix
 * just these values leave regions out.
 *
 * <p>The first column of the index is always among them. A row without it has no posting, so a
 * filter of other columns would not know the row and exclude its region.
 *
 * @param mask the bit {@code 1 << i} stands for the column i of the index
 * @param width how many columns the index has
 */
@InterfaceAudience.Public
public record RouteSet(int mask, int width) {

  /** Checks what holds for every set. */
  public RouteSet {
    if ((mask & 1) == 0 || mask >>> width != 0) {
      throw new IllegalArgumentException(
          "Cannot make a set of columns: %s of %d lacks the first, or has others"
              .formatted(Integer.toBinaryString(mask), width));
    }
  }

  /** The first columns of an index, so many of them. */
  static RouteSet leading(int columns, int width) {
    return new RouteSet((1 << columns) - 1, width);
  }

  /** These columns of an index, its first among them. */
  static RouteSet of(List<ColumnRef> route, IndexDefinition index) {
    List<ColumnRef> columns = index.columns();
    int mask = 0;
    for (ColumnRef column : route) {
      int at = columns.indexOf(column);
      if (at < 0) {
        throw new DefinitionException(
            "Cannot route by %s in index %s: it is not one of its columns, %s"
                .formatted(column, index.name(), columns));
      }
      mask |= 1 << at;
    }
    if ((mask & 1) == 0) {
      throw new DefinitionException(
          "Cannot route by %s in index %s: the index has no posting of rows without its first column, so it would miss them; add %s to the set, or define another index"
              .formatted(route, index.name(), columns.get(0)));
    }
    return new RouteSet(mask, columns.size());
  }

  /** Whether these are all columns of the index. */
  public boolean isWhole() {
    return mask == (1 << width) - 1;
  }

  /** Whether these are the first columns of the index, however many. */
  public boolean isLeading() {
    return (mask & (mask + 1)) == 0;
  }

  /** Whether a column of the index is among them. */
  public boolean has(int column) {
    return (mask >>> column & 1) != 0;
  }

  /** Whether all columns of another set of the same index are among them. */
  public boolean contains(RouteSet other) {
    return (mask & other.mask) == other.mask;
  }

  /** The columns, in the order of the index that the set is of. */
  public List<ColumnRef> columnsOf(IndexDefinition index) {
    List<ColumnRef> columns = new ArrayList<>(width);
    for (int column = 0; column < width; column++) {
      if (has(column)) {
        columns.add(index.columns().get(column));
      }
    }
    return columns;
  }

  /** The columns as text, joined by {@code +}. */
  public String text(IndexDefinition index) {
    return columnsOf(index).stream().map(ColumnRef::toString).collect(Collectors.joining("+"));
  }

  /**
   * The number that tells the elements of this set from those of every other set and index of the
   * table. All columns of an index have the number of the index, whatever sets it has besides.
   */
  public long space(int indexId) {
    return isWhole() ? indexId : (long) mask << Integer.SIZE | indexId;
  }
}
