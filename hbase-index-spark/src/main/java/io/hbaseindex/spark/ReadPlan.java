/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.spark;

import io.hbaseindex.client.query.Column;
import io.hbaseindex.client.query.Condition;
import io.hbaseindex.client.query.IndexQuery;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.FamilyFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * All that Spark has said about one reading of a table. It is sent to whoever reads a part of it.
 *
 * @param wanted the columns that Spark wants to have; for figures they are of no account
 * @param conditions all of which rows meet; none for all rows
 * @param keys which rows may be read at all
 */
record ReadPlan(
    HBaseSource source,
    List<SourceColumn> wanted,
    List<Condition> conditions,
    KeySpan keys,
    Reading reading)
    implements Serializable {
  ReadPlan {
    wanted = List.copyOf(wanted);
    conditions = List.copyOf(conditions);
  }

  /** The same rows, and of these only those that meet further conditions. */
  ReadPlan narrowedTo(List<Condition> further) {
    List<Condition> all = new ArrayList<>(conditions);
    all.addAll(further);
    return new ReadPlan(source, wanted, all, keys, reading);
  }

  /** The query for the rows in a span of keys that is not empty, with what is wanted of them. */
  IndexQuery rows(KeySpan span) {
    IndexQuery rows = within(span);
    List<SourceColumn> cells = wanted.stream().filter(column -> !column.isKey()).toList();
    if (conditions.isEmpty()) {
      return rows.passing(firstCellAnd(cells));
    }
    // Columns of conditions are read anyway.
    return cells.isEmpty()
        ? rows.select(Conditions.columnOf(conditions.get(0)))
        : rows.select(cells.stream().map(SourceColumn::column).toArray(Column[]::new));
  }

  /** The query for the number of rows in a span of keys. */
  IndexQuery counted(KeySpan span) {
    return conditions.isEmpty() ? within(span).passing(new FirstKeyOnlyFilter()) : within(span);
  }

  /** The query for the rows in a span of keys that meet one condition more. */
  IndexQuery rowsThat(Condition further, KeySpan span) {
    return narrowedTo(List.of(further)).rows(span);
  }

  private IndexQuery within(KeySpan span) {
    IndexQuery.Start start = IndexQuery.from(source.tableName());
    IndexQuery rows = conditions.isEmpty() ? start.all() : start.where(Condition.all(conditions));
    return rows.fromRow(span.first()).beforeRow(span.end());
  }

  /** Every row shows by one cell that it is there; the others are sent if they are wanted. */
  private static Filter firstCellAnd(List<SourceColumn> cells) {
    if (cells.isEmpty()) {
      return new FirstKeyOnlyFilter();
    }
    FilterList any = new FilterList(FilterList.Operator.MUST_PASS_ONE, new FirstKeyOnlyFilter());
    for (SourceColumn cell : cells) {
      any.addFilter(
          new FilterList(
              new FamilyFilter(CompareOperator.EQUAL, new BinaryComparator(cell.ref().family())),
              new QualifierFilter(
                  CompareOperator.EQUAL, new BinaryComparator(cell.ref().qualifier()))));
    }
    return any;
  }

  /** What comes out. */
  StructType schema() {
    return new StructType(
        reading instanceof Reading.Figures figures
            ? figures.figures().stream().map(Reading.Figure::field).toArray(StructField[]::new)
            : wanted.stream().map(SourceColumn::field).toArray(StructField[]::new));
  }

  /** In the words that {@code explain} shows. */
  @Override
  public String toString() {
    String rows = conditions.isEmpty() ? "all" : Condition.all(conditions).toString();
    return "hbase-index %s: %s of %s%s"
        .formatted(
            source.table(), reading, rows, keys.equals(KeySpan.ALL) ? "" : " with keys in " + keys);
  }
}
