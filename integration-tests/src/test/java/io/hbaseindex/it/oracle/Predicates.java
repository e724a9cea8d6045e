/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.oracle;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.ColumnValueFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FilterList.Operator;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.util.Bytes;

/** Draws filters on the value of columns. */
final class Predicates {

  private static final List<Column> INDEXED =
      Arrays.stream(Column.values()).filter(Column::indexed).toList();
  private static final List<Column> SINGLE_VERSION =
      INDEXED.stream().filter(Column::singleVersion).toList();

  private final Universe universe;
  private final SplittableRandom random;

  Predicates(Universe universe, SplittableRandom random) {
    this.universe = universe;
    this.random = random;
  }

  Column indexedColumn() {
    return INDEXED.get(random.nextInt(INDEXED.size()));
  }

  byte[] value(Column column) {
    List<byte[]> values = universe.values(column);
    return values.get(random.nextInt(values.size()));
  }

  Filter equal(Column column) {
    return compare(column, CompareOperator.EQUAL, value(column));
  }

  Filter in(Column column) {
    FilterList any = new FilterList(Operator.MUST_PASS_ONE);
    int count = 2 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      any.addFilter(equal(column));
    }
    return any;
  }

  Filter prefix(Column column) {
    byte[] value = value(column);
    // An empty prefix matches every row that has the column, which is a fair question too.
    byte[] prefix = Arrays.copyOf(value, random.nextInt(value.length + 1));
    return single(column, CompareOperator.EQUAL, prefix, true);
  }

  Filter between(Column column) {
    List<byte[]> bounds = new ArrayList<>(List.of(value(column), value(column)));
    bounds.sort(Bytes.BYTES_COMPARATOR);
    CompareOperator from =
        random.nextBoolean() ? CompareOperator.GREATER : CompareOperator.GREATER_OR_EQUAL;
    CompareOperator to =
        random.nextBoolean() ? CompareOperator.LESS : CompareOperator.LESS_OR_EQUAL;
    return all(compare(column, from, bounds.get(0)), compare(column, to, bounds.get(1)));
  }

  Filter compare(Column column, CompareOperator operator, byte[] value) {
    return single(column, operator, value, false);
  }

  /** Any single predicate that an index serves. */
  Filter simple() {
    return simple(indexedColumn());
  }

  Filter simple(Column column) {
    return switch (random.nextInt(5)) {
      case 0 -> in(column);
      case 1 -> prefix(column);
      case 2 -> between(column);
      default -> equal(column);
    };
  }

  /** A filter that keeps matching cells instead of matching rows. */
  Filter cells() {
    Column column = SINGLE_VERSION.get(random.nextInt(SINGLE_VERSION.size()));
    return new ColumnValueFilter(
        column.family(),
        column.qualifier(),
        CompareOperator.EQUAL,
        new BinaryComparator(value(column)));
  }

  static Filter all(Filter... filters) {
    return new FilterList(Operator.MUST_PASS_ALL, filters);
  }

  static Filter one(Filter... filters) {
    return new FilterList(Operator.MUST_PASS_ONE, filters);
  }

  private static Filter single(
      Column column, CompareOperator operator, byte[] value, boolean prefix) {
    SingleColumnValueFilter filter =
        new SingleColumnValueFilter(
            column.family(),
            column.qualifier(),
            operator,
            prefix ? new BinaryPrefixComparator(value) : new BinaryComparator(value));
    filter.setFilterIfMissing(true);
    return filter;
  }
}
