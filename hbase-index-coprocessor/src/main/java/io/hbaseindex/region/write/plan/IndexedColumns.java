/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.write.plan;

import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.IndexDefinition;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The columns that postings of any index depend on: indexed, included, or part of a condition;
 * numbered from 0 in column order, and quick answers to "is this column indexed". Immutable.
 */
@InterfaceAudience.Private
public final class IndexedColumns {
  public static final int NONE = -1;

  private final List<ColumnRef> columns;
  private final byte[][] qualifiers;
  private final byte[][] families;
  private final int[][] columnsOfFamily;
  private final int[] familyOfColumn;
  private final List<String> uses;

  public IndexedColumns(Collection<IndexDefinition> definitions) {
    TreeSet<ColumnRef> distinct = new TreeSet<>();
    definitions.forEach(definition -> distinct.addAll(definition.allColumns()));
    columns = List.copyOf(distinct);
    qualifiers = columns.stream().map(ColumnRef::qualifier).toArray(byte[][]::new);
    List<byte[]> names = new ArrayList<>();
    for (ColumnRef column : columns) {
      if (names.isEmpty() || !column.isInFamily(names.get(names.size() - 1))) {
        names.add(column.family());
      }
    }
    families = names.toArray(byte[][]::new);
    columnsOfFamily = names.stream().map(this::numbersIn).toArray(int[][]::new);
    familyOfColumn = columns.stream().mapToInt(column -> familyNumber(column.family())).toArray();
    uses = columns.stream().map(column -> use(column, definitions)).toList();
  }

  /** The closest use that an index makes of a column: indexed before included before condition. */
  private static String use(ColumnRef column, Collection<IndexDefinition> definitions) {
    for (IndexDefinition index : definitions) {
      if (index.columns().contains(column)) {
        return "column %s, which index %s is on".formatted(column, index.name());
      }
    }
    for (IndexDefinition index : definitions) {
      if (index.included().contains(column)) {
        return "column %s, which index %s includes".formatted(column, index.name());
      }
    }
    return definitions.stream()
        .filter(index -> index.allColumns().contains(column))
        .findFirst()
        .map(index -> "column %s of the condition of index %s".formatted(column, index.name()))
        .orElseThrow();
  }

  private int[] numbersIn(byte[] family) {
    List<Integer> numbers = new ArrayList<>();
    for (int column = 0; column < columns.size(); column++) {
      if (columns.get(column).isInFamily(family)) {
        numbers.add(column);
      }
    }
    return numbers.stream().mapToInt(Integer::intValue).toArray();
  }

  public int size() {
    return columns.size();
  }

  int numberOf(ColumnRef column) {
    return columns.indexOf(column);
  }

  /** The number of a column's family. */
  public int familyOf(int column) {
    return familyOfColumn[column];
  }

  /** Which families the columns of an index, and those that it includes, are in. */
  public boolean[] familiesOf(RowPostings index) {
    boolean[] families = new boolean[familyCount()];
    for (int column : index.allColumns()) {
      families[familyOf(column)] = true;
    }
    return families;
  }

  public int familyCount() {
    return families.length;
  }

  /** The name of a family that has indexed columns; not to be changed. */
  public byte[] family(int family) {
    return families[family];
  }

  /** The numbers of the indexed columns of a family; not to be changed. */
  public int[] columnsOf(int family) {
    return columnsOfFamily[family];
  }

  /** What a column is to the indexes, for a message such as "it concerns …". */
  public String use(int column) {
    return uses.get(column);
  }

  /** The qualifier of a column; not to be changed. */
  public byte[] qualifier(int column) {
    return qualifiers[column];
  }

  /** The number of the family, or {@link #NONE} if it has no indexed column. */
  public int familyNumber(byte[] name) {
    for (int family = 0; family < families.length; family++) {
      if (Arrays.equals(families[family], name)) {
        return family;
      }
    }
    return NONE;
  }

  /**
   * The number of the family whose name is written in part of an array, or {@link #NONE} if it has
   * no indexed column.
   */
  public int familyNumber(byte[] array, int offset, int length) {
    for (int family = 0; family < families.length; family++) {
      if (isAt(families[family], array, offset, length)) {
        return family;
      }
    }
    return NONE;
  }

  /**
   * The number of the column whose qualifier is written in part of an array, or {@link #NONE} if
   * that is not indexed.
   */
  public int columnNumber(int family, byte[] array, int offset, int length) {
    for (int column : columnsOfFamily[family]) {
      if (isAt(qualifiers[column], array, offset, length)) {
        return column;
      }
    }
    return NONE;
  }

  private static boolean isAt(byte[] name, byte[] array, int offset, int length) {
    return Arrays.equals(name, 0, name.length, array, offset, offset + length);
  }
}
