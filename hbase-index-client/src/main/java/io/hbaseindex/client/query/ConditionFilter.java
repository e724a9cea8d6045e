/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.query;

import io.hbaseindex.common.query.ValueListComparator;
import io.hbaseindex.core.definition.ColumnRef;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.filter.BigDecimalComparator;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.RegexStringComparator;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Turns a condition into the filters that indexes understand: by row, newest version only, rows
 * without the column refused unless those are asked for.
 */
final class ConditionFilter {
  /** Longer lists of values are sent as one comparator, which servers with the jar know. */
  static final int LONG_LIST = 16;

  private ConditionFilter() {}

  static Filter of(Condition condition) {
    if (condition instanceof Condition.All all) {
      return list(FilterList.Operator.MUST_PASS_ALL, all.parts());
    }
    if (condition instanceof Condition.Any any) {
      return isLongList(any.parts())
          ? oneOf(any.parts())
          : list(FilterList.Operator.MUST_PASS_ONE, any.parts());
    }
    return single(condition);
  }

  /** Whether these are more values of one column than HBase should compare one after the other. */
  private static boolean isLongList(List<Condition> parts) {
    return parts.size() > LONG_LIST
        && parts.stream()
            .allMatch(
                part ->
                    part instanceof Condition.Compare compare
                        && compare.operator() == CompareOperator.EQUAL
                        && !compare.prefix()
                        && compare.value().order() != Value.ByteOrder.DECIMAL
                        && compare.column().equals(columnOf(parts.get(0))));
  }

  private static Filter oneOf(List<Condition> values) {
    return filter(
        values.get(0),
        CompareOperator.EQUAL,
        ValueListComparator.of(
            values.stream().map(one -> ((Condition.Compare) one).value().bytes()).toList()));
  }

  /** The columns a condition looks at; a scan must read them, or its filter refuses every row. */
  static Set<ColumnRef> columnsOf(Condition condition) {
    Set<ColumnRef> columns = new TreeSet<>();
    collect(condition, columns);
    return columns;
  }

  private static void collect(Condition condition, Set<ColumnRef> columns) {
    if (condition instanceof Condition.All all) {
      all.parts().forEach(part -> collect(part, columns));
    } else if (condition instanceof Condition.Any any) {
      any.parts().forEach(part -> collect(part, columns));
    } else {
      columns.add(columnOf(condition));
    }
  }

  private static Filter list(FilterList.Operator operator, List<Condition> parts) {
    return new FilterList(operator, parts.stream().map(ConditionFilter::of).toList());
  }

  private static ColumnRef columnOf(Condition leaf) {
    if (leaf instanceof Condition.Compare compare) {
      return compare.column();
    }
    return leaf instanceof Condition.Like like
        ? like.column()
        : ((Condition.Presence) leaf).column();
  }

  private static Filter single(Condition leaf) {
    if (leaf instanceof Condition.Compare compare) {
      byte[] operand = compare.value().bytes();
      if (compare.value().order() == Value.ByteOrder.DECIMAL) {
        return decimal(compare, operand);
      }
      return filter(
          leaf,
          compare.operator(),
          compare.prefix() ? new BinaryPrefixComparator(operand) : new BinaryComparator(operand));
    }
    if (leaf instanceof Condition.Like like) {
      return filter(
          leaf,
          like.matches() ? CompareOperator.EQUAL : CompareOperator.NOT_EQUAL,
          new RegexStringComparator(LikePattern.parse(like.pattern()).regex(), Pattern.DOTALL));
    }
    // Every value is at least nothing, and none is less: only rows without one are left.
    boolean present = ((Condition.Presence) leaf).present();
    SingleColumnValueFilter filter =
        filter(
            leaf,
            present ? CompareOperator.GREATER_OR_EQUAL : CompareOperator.LESS,
            new BinaryComparator(new byte[0]));
    filter.setFilterIfMissing(present);
    return filter;
  }

  /** HBase's comparator fails on a cell that is too short, so these are refused before. */
  private static Filter decimal(Condition.Compare leaf, byte[] operand) {
    RegexStringComparator longEnough = new RegexStringComparator(".{5,}", Pattern.DOTALL);
    longEnough.setCharset(StandardCharsets.ISO_8859_1);
    return new FilterList(
        FilterList.Operator.MUST_PASS_ALL,
        filter(leaf, CompareOperator.EQUAL, longEnough),
        filter(leaf, leaf.operator(), new BigDecimalComparator(Bytes.toBigDecimal(operand))));
  }

  private static SingleColumnValueFilter filter(
      Condition leaf, CompareOperator operator, ByteArrayComparable comparator) {
    ColumnRef column = columnOf(leaf);
    SingleColumnValueFilter filter =
        new SingleColumnValueFilter(column.family(), column.qualifier(), operator, comparator);
    filter.setFilterIfMissing(true);
    filter.setLatestVersionOnly(true);
    return filter;
  }

  /** Whether rows that have none of a condition's columns may meet it. */
  static boolean isMetWithoutColumns(Condition condition) {
    if (condition instanceof Condition.All all) {
      return all.parts().stream().allMatch(ConditionFilter::isMetWithoutColumns);
    }
    if (condition instanceof Condition.Any any) {
      return any.parts().stream().anyMatch(ConditionFilter::isMetWithoutColumns);
    }
    return condition instanceof Condition.Presence presence && !presence.present();
  }
}
