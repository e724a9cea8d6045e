/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.scan;

import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.filter.ColumnValueFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.util.Bytes;

/** Filters as a user writes them; columns are given as {@code family:qualifier}. */
public final class Filters {
  private Filters() {}

  public static SingleColumnValueFilter is(String column, String value) {
    return compare(column, CompareOperator.EQUAL, value);
  }

  public static SingleColumnValueFilter compare(
      String column, CompareOperator operator, String value) {
    return compare(column, operator, new BinaryComparator(Bytes.toBytes(value)));
  }

  public static SingleColumnValueFilter startsWith(String column, String prefix) {
    return compare(
        column, CompareOperator.EQUAL, new BinaryPrefixComparator(Bytes.toBytes(prefix)));
  }

  public static SingleColumnValueFilter compare(
      String column, CompareOperator operator, ByteArrayComparable comparator) {
    SingleColumnValueFilter filter =
        new SingleColumnValueFilter(family(column), qualifier(column), operator, comparator);
    filter.setFilterIfMissing(true);
    return filter;
  }

  public static ColumnValueFilter cell(String column, CompareOperator operator, String value) {
    return new ColumnValueFilter(family(column), qualifier(column), operator, Bytes.toBytes(value));
  }

  public static Filter all(Filter... filters) {
    return new FilterList(FilterList.Operator.MUST_PASS_ALL, List.of(filters));
  }

  public static Filter any(Filter... filters) {
    return new FilterList(FilterList.Operator.MUST_PASS_ONE, List.of(filters));
  }

  public static byte[] family(String column) {
    return Bytes.toBytes(column.substring(0, column.indexOf(':')));
  }

  public static byte[] qualifier(String column) {
    return Bytes.toBytes(column.substring(column.indexOf(':') + 1));
  }
}
