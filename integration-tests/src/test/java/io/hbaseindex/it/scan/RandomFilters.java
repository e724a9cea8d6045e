/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.scan;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.ColumnValueFilter;
import org.apache.hadoop.hbase.filter.FamilyFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.FuzzyRowFilter;
import org.apache.hadoop.hbase.filter.InclusiveStopFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.MultipleColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueExcludeFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.SubstringComparator;
import org.apache.hadoop.hbase.filter.TimestampsFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;

/**
 * Draws filter trees from everything a user may combine: conditions an index serves, conditions it
 * does not, every filter that is known to be harmless beside them, and some that are not.
 */
public final class RandomFilters {
  private final Random random;
  private final List<String> columns;
  private final List<byte[]> values;
  private final int rows;

  /**
   * @param rows rows are named {@code r000 …}
   */
  public RandomFilters(Random random, List<String> columns, List<byte[]> values, int rows) {
    this.random = random;
    this.columns = columns;
    this.values = values;
    this.rows = rows;
  }

  /** A tree of any kind, or one that certainly contains a condition an index may serve. */
  public Filter filter() {
    return random.nextBoolean()
        ? tree(3)
        : new FilterList(FilterList.Operator.MUST_PASS_ALL, strictCondition(), tree(2));
  }

  private Filter tree(int depth) {
    if (depth == 0 || random.nextInt(4) == 0) {
      return random.nextInt(4) == 0 ? bystander() : condition();
    }
    List<Filter> members = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      members.add(tree(depth - 1));
    }
    FilterList.Operator operator =
        random.nextBoolean()
            ? FilterList.Operator.MUST_PASS_ALL
            : FilterList.Operator.MUST_PASS_ONE;
    return new FilterList(operator, members);
  }

  private Filter condition() {
    String column = column();
    byte[] family = Filters.family(column);
    byte[] qualifier = Filters.qualifier(column);
    switch (random.nextInt(12)) {
      case 0:
        return strict(
            new SingleColumnValueExcludeFilter(family, qualifier, operator(), comparator()));
      case 1:
        SingleColumnValueFilter lenient =
            new SingleColumnValueFilter(family, qualifier, operator(), comparator());
        lenient.setFilterIfMissing(random.nextBoolean());
        lenient.setLatestVersionOnly(random.nextBoolean());
        return lenient;
      case 2, 3:
        return new ColumnValueFilter(family, qualifier, operator(), comparator());
      default:
        return strictCondition();
    }
  }

  private Filter strictCondition() {
    String column = column();
    return strict(
        new SingleColumnValueFilter(
            Filters.family(column), Filters.qualifier(column), operator(), comparator()));
  }

  private static Filter strict(SingleColumnValueFilter filter) {
    filter.setFilterIfMissing(true);
    return filter;
  }

  private CompareOperator operator() {
    return random.nextBoolean()
        ? CompareOperator.EQUAL
        : CompareOperator.values()[random.nextInt(CompareOperator.values().length - 1)];
  }

  private ByteArrayComparable comparator() {
    byte[] value = values.get(random.nextInt(values.size()));
    return random.nextInt(3) == 0 ? new BinaryPrefixComparator(value) : new BinaryComparator(value);
  }

  private String column() {
    return columns.get(random.nextInt(columns.size()));
  }

  private byte[] row() {
    return Bytes.toBytes("r%03d".formatted(random.nextInt(rows)));
  }

  /** HBase 2.5.13 and 2.6.4 fail to compare a row that is shorter than the prefix. */
  private static Filter rowsThatStartWith(byte[] prefix) {
    try {
      new PrefixFilter(prefix).filterRowKey(PrivateCellUtil.createFirstOnRow(new byte[0]));
      return new PrefixFilter(prefix);
    } catch (IndexOutOfBoundsException e) {
      return new RowFilter(CompareOperator.EQUAL, new BinaryPrefixComparator(prefix));
    }
  }

  /** A filter that is no condition on a column's value, for the filters beside it to cope with. */
  private Filter bystander() {
    byte[] qualifier = Filters.qualifier(column());
    return switch (random.nextInt(17)) {
      case 0 -> new RowFilter(operator(), new BinaryComparator(row()));
      case 1 -> rowsThatStartWith(Bytes.toBytes("r" + random.nextInt(3)));
      case 2 -> new InclusiveStopFilter(row());
      case 3 -> new QualifierFilter(operator(), new BinaryComparator(qualifier));
      case 4 -> new FamilyFilter(operator(), new BinaryComparator(Filters.family(column())));
      case 5 -> new ColumnPrefixFilter(qualifier);
      case 6 -> new MultipleColumnPrefixFilter(new byte[][] {qualifier, {'z'}});
      case 7 -> new ColumnRangeFilter(qualifier, true, null, true);
      case 8 -> new ColumnPaginationFilter(1 + random.nextInt(3), random.nextInt(2));
      case 9 -> new FirstKeyOnlyFilter();
      case 10 -> new KeyOnlyFilter();
      case 11 -> new ValueFilter(operator(), comparator());
      case 12 ->
          new TimestampsFilter(random.longs(4, 1, 12).boxed().toList(), random.nextBoolean());
      case 13 ->
          new FuzzyRowFilter(
              List.of(new Pair<>(row(), new byte[] {0, 1, (byte) random.nextInt(2), 1})));
      case 14 -> rowRanges();
      case 15 -> new RowFilter(CompareOperator.EQUAL, new SubstringComparator("1"));
      default -> new PageFilter(1 + random.nextInt(5));
    };
  }

  private Filter rowRanges() {
    List<MultiRowRangeFilter.RowRange> ranges = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      byte[] a = row();
      byte[] b = row();
      boolean ordered = Bytes.compareTo(a, b) <= 0;
      ranges.add(new MultiRowRangeFilter.RowRange(ordered ? a : b, true, ordered ? b : a, true));
    }
    return new MultiRowRangeFilter(ranges);
  }
}
