/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.common.query;

import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.filter.BigDecimalComparator;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.BinaryComponentComparator;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.BitComparator;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.ColumnValueFilter;
import org.apache.hadoop.hbase.filter.CompareFilter;
import org.apache.hadoop.hbase.filter.FamilyFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.FuzzyRowFilter;
import org.apache.hadoop.hbase.filter.InclusiveStopFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.LongComparator;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.MultipleColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.NullComparator;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.RegexStringComparator;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.SubstringComparator;
import org.apache.hadoop.hbase.filter.TimestampsFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;

/**
 * The filters of HBase whose answer for a row does not depend on which other rows the scan reads.
 *
 * <p>PrefixFilter, InclusiveStopFilter, FuzzyRowFilter and MultiRowRangeFilter remember that the
 * scan has passed their last row, and then end it; skipping rows can only delay that, and the rows
 * seen in between are refused one by one. Missing on purpose: PageFilter counts every row it is
 * shown, matching or not; ColumnCountGetFilter and WhileMatchFilter end the scan at the first row
 * they refuse; RandomRowFilter draws a number per row; SkipFilter and DependentColumnFilter hide
 * what their inner filters do. SingleColumnValueExcludeFilter takes cells out of a row before
 * {@code filterRow()} is asked, and HBase does not ask it of a row left without cells, which can
 * then come back with the cells of a family loaded on demand: beside it no condition is enforced.
 * Subclasses are not their parents: only the exact class is known.
 */
final class KnownFilters {
  private static final Map<Class<? extends Filter>, FilterTrait> TRAITS =
      Map.ofEntries(
          Map.entry(SingleColumnValueFilter.class, FilterTrait.WHOLE_ROWS),
          Map.entry(RowFilter.class, FilterTrait.WHOLE_ROWS),
          Map.entry(PrefixFilter.class, FilterTrait.WHOLE_ROWS_BY_RISING_KEYS),
          Map.entry(InclusiveStopFilter.class, FilterTrait.WHOLE_ROWS_BY_RISING_KEYS),
          Map.entry(FuzzyRowFilter.class, FilterTrait.WHOLE_ROWS_BY_RISING_KEYS),
          Map.entry(MultiRowRangeFilter.class, FilterTrait.WHOLE_ROWS_BY_RISING_KEYS),
          Map.entry(FamilyFilter.class, FilterTrait.ROW_LOCAL),
          Map.entry(QualifierFilter.class, FilterTrait.ROW_LOCAL),
          Map.entry(ColumnPrefixFilter.class, FilterTrait.ROW_LOCAL),
          Map.entry(MultipleColumnPrefixFilter.class, FilterTrait.ROW_LOCAL),
          Map.entry(ColumnRangeFilter.class, FilterTrait.ROW_LOCAL),
          Map.entry(ColumnPaginationFilter.class, FilterTrait.ROW_LOCAL),
          Map.entry(FirstKeyOnlyFilter.class, FilterTrait.ROW_LOCAL),
          Map.entry(KeyOnlyFilter.class, FilterTrait.ROW_LOCAL),
          Map.entry(ColumnValueFilter.class, FilterTrait.VERSION_SELECTIVE),
          Map.entry(ValueFilter.class, FilterTrait.VERSION_SELECTIVE),
          Map.entry(TimestampsFilter.class, FilterTrait.VERSION_SELECTIVE));

  private static final Set<Class<? extends ByteArrayComparable>> COMPARATORS =
      Set.of(
          BinaryComparator.class,
          BinaryPrefixComparator.class,
          BinaryComponentComparator.class,
          BitComparator.class,
          NullComparator.class,
          RegexStringComparator.class,
          SubstringComparator.class,
          LongComparator.class,
          BigDecimalComparator.class,
          ValueListComparator.class);

  private KnownFilters() {}

  static FilterTrait traitOf(Filter filter) {
    FilterTrait trait = TRAITS.getOrDefault(filter.getClass(), FilterTrait.UNKNOWN);
    return trait != FilterTrait.UNKNOWN && comparatorIsKnown(filter) ? trait : FilterTrait.UNKNOWN;
  }

  /** What is known of a filter, or of all filters in a list. */
  static Set<FilterTrait> traitsOf(Filter filter) {
    return filter.getClass() == FilterList.class
        ? ((FilterList) filter)
            .getFilters().stream()
                .flatMap(member -> traitsOf(member).stream())
                .collect(Collectors.toSet())
        : Set.of(traitOf(filter));
  }

  /** A comparator may be anybody's class, and may remember whatever it likes. */
  private static boolean comparatorIsKnown(Filter filter) {
    ByteArrayComparable comparator = null;
    if (filter instanceof CompareFilter compare) {
      comparator = compare.getComparator();
    } else if (filter instanceof SingleColumnValueFilter single) {
      comparator = single.getComparator();
    } else if (filter instanceof ColumnValueFilter column) {
      comparator = column.getComparator();
    } else {
      return true;
    }
    return comparator != null && COMPARATORS.contains(comparator.getClass());
  }
}
