/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.query;

import io.hbaseindex.core.definition.ColumnRef;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;

/**
 * Turns a condition into the filters that indexes understand: by row, newest version only, rows
 * without the column refused.
 */
final class ConditionFilter {
  private ConditionFilter() {}

  static Filter of(Condition condition) {
    if (condition instanceof Condition.All all) {
      return list(FilterList.Operator.MUST_PASS_ALL, all.parts());
    }
    if (condition instanceof Condition.Any any) {
      return list(FilterList.Operator.MUST_PASS_ONE, any.parts());
    }
    return single((Condition.Compare) condition);
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
      columns.add(((Condition.Compare) condition).column());
    }
  }

  private static Filter list(FilterList.Operator operator, List<Condition> parts) {
    return new FilterList(operator, parts.stream().map(ConditionFilter::of).toList());
  }

  private static Filter single(Condition.Compare compare) {
    byte[] operand = compare.value().bytes();
    ByteArrayComparable comparator =
        compare.prefix() ? new BinaryPrefixComparator(operand) : new BinaryComparator(operand);
    SingleColumnValueFilter filter =
        new SingleColumnValueFilter(
            compare.column().family(),
            compare.column().qualifier(),
            compare.operator(),
            comparator);
    filter.setFilterIfMissing(true);
    filter.setLatestVersionOnly(true);
    return filter;
  }
}
