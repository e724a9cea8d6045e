/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.chaos.ask;

import io.hbaseindex.client.query.Condition;
import io.hbaseindex.client.query.Value;
import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.it.chaos.ask.TargetTable.Column;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * What is asked: which rows show these values.
 *
 * @param values the value of each column, as text that {@code Bytes.toBytesBinary} reads
 */
public record Question(SortedMap<Column, String> values) {
  public static Question of(Column column, String value) {
    return new Question(new TreeMap<>(Map.of(column, value)));
  }

  /** The question that a row answers by all of the columns; empty if it lacks one. */
  public static Optional<Question> about(Map<Column, String> shown, List<Column> columns) {
    SortedMap<Column, String> values = new TreeMap<>(shown);
    values.keySet().retainAll(columns);
    return values.size() == columns.size() ? Optional.of(new Question(values)) : Optional.empty();
  }

  /** Whether a row that shows this is asked for. */
  public boolean isMetBy(Map<Column, String> shown) {
    return shown.entrySet().containsAll(values.entrySet());
  }

  /** The scan for the rows, with all their columns or with those that postings carry. */
  public Scan scan(Way way) {
    Scan scan = new Scan().setFilter(filter());
    if (way == Way.COVERED) {
      carried().forEach(column -> scan.addColumn(column.family(), column.qualifier()));
    }
    return scan;
  }

  private Filter filter() {
    FilterList all = new FilterList(FilterList.Operator.MUST_PASS_ALL);
    values.forEach(
        (column, value) -> {
          all.addFilter(column.compared(CompareOperator.EQUAL, Bytes.toBytesBinary(value)));
          all.addFilter(column.scope());
        });
    return all.getFilters().size() == 1 ? all.getFilters().get(0) : all;
  }

  /** The cells that a way of asking reads of a row, with their timestamps. */
  public String cells(Way way, Result row) {
    List<ColumnRef> carried = carried();
    return TargetTable.cells(
        row, cell -> way != Way.COVERED || carried.stream().anyMatch(column -> isOf(cell, column)));
  }

  private static boolean isOf(Cell cell, ColumnRef column) {
    return CellUtil.matchingColumn(cell, column.family(), column.qualifier());
  }

  private List<ColumnRef> carried() {
    return TargetTable.carried(
        values.keySet().stream()
            .map(column -> ColumnRef.of(column.family(), column.qualifier()))
            .toList());
  }

  /** The same as a condition of a query. */
  public Condition condition() {
    return Condition.all(
        values.entrySet().stream()
            .map(one -> condition(one.getKey(), Bytes.toBytesBinary(one.getValue())))
            .toList());
  }

  private static Condition condition(Column column, byte[] value) {
    return column.within(column.asked().equalTo(Value.of(value)));
  }

  /** The columns it names. */
  public String columns() {
    return values.keySet().stream().map(Column::name).collect(Collectors.joining("+"));
  }

  /** The values it names. */
  public String text() {
    return String.join("+", values.values());
  }

  @Override
  public String toString() {
    return columns() + "=" + text();
  }
}
