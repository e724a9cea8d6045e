/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.query;

import io.hbaseindex.common.query.CountedRows;
import io.hbaseindex.common.query.CountedTimes;
import io.hbaseindex.common.query.OrderedRows;
import io.hbaseindex.common.query.RowOrder;
import io.hbaseindex.common.query.TypedCells;
import io.hbaseindex.core.definition.ColumnRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Which rows of a table are wanted, which of their columns, and how many.
 *
 * <pre>{@code
 * IndexQuery query =
 *     IndexQuery.from(people)
 *         .where(Column.of("f", "city").equalTo("Graz"))
 *         .select(Column.of("f", "email"))
 *         .limit(100);
 * }</pre>
 *
 * <p>{@link QueryClient} runs it. Results come in row order, unless {@link #orderBy} names another
 * one, and are those of an ordinary scan, whether an index helps or not. Immutable.
 */
@InterfaceAudience.Public
public final class IndexQuery {
  /** Stands for no limit. */
  static final int UNLIMITED = 0;

  /** How many rows of an ordered query are searched for at once, at most. */
  private static final int MAX_WINDOW = 1_000;

  private final TableName table;
  private final Condition condition;
  private final List<ColumnRef> projection;
  private final QueryBounds bounds;
  private final Optional<RowOrder> order;
  private final int limit;

  private IndexQuery(
      TableName table,
      Condition condition,
      List<ColumnRef> projection,
      QueryBounds bounds,
      Optional<RowOrder> order,
      int limit) {
    this.table = table;
    this.condition = condition;
    this.projection = List.copyOf(projection);
    this.bounds = bounds;
    this.order = order;
    this.limit = limit;
    requireShownPlaces();
  }

  private void requireShownPlaces() {
    Optional<Filter> hiding = bounds.filter().filter(further -> !OrderedRows.showsPlaces(further));
    if (order.isPresent() && hiding.isPresent()) {
      throw new IllegalArgumentException(
          "Cannot order rows by %s: filter %s may hide cells, and with them a row's place; use conditions, or filters of whole rows such as RowFilter"
              .formatted(order.get().column(), hiding.get()));
    }
  }

  /** Starts a query on a table. */
  public static Start from(TableName table) {
    return new Start(table);
  }

  /** Starts a query on a table. */
  public static Start from(String table) {
    return from(TableName.valueOf(table));
  }

  /** A query that still lacks its condition. */
  public static final class Start {
    private final TableName table;

    private Start(TableName table) {
      this.table = table;
    }

    /** All rows, whole. No index helps to find them. */
    public IndexQuery all() {
      return where(Condition.All.ROWS);
    }

    /** The rows that meet the condition, whole, all of them. */
    public IndexQuery where(Condition condition) {
      return new IndexQuery(
          table, condition, List.of(), QueryBounds.NONE, Optional.empty(), UNLIMITED);
    }
  }

  /** The same rows with these columns only. Rows without any of them are still returned. */
  public IndexQuery select(Column... columns) {
    List<ColumnRef> wanted = new ArrayList<>();
    for (Column column : columns) {
      wanted.add(column.ref());
    }
    return new IndexQuery(table, condition, wanted, bounds, order, limit);
  }

  /**
   * At most so many rows.
   *
   * @throws IllegalArgumentException unless at least one
   */
  public IndexQuery limit(int rows) {
    if (rows < 1) {
      throw new IllegalArgumentException(
          "Cannot limit a query to %d rows; ask for at least one".formatted(rows));
    }
    return new IndexQuery(table, condition, projection, bounds, order, rows);
  }

  /**
   * The rows in the order of the newest values of a column, and of equal values by their keys.
   * Values are compared byte by byte, or as the column's {@linkplain Column#as type} says; cells
   * that are no values of the type come behind all that are. Rows without the column are left out.
   * An index that begins with the column, or fixes all columns before it, finds the first rows
   * without reading others; with no such index each region compares all its rows.
   *
   * <p>Give the query a limit. All rows in order come by searches for a thousand each, and with no
   * such index every search compares all rows anew, so that twice the rows take four times as long.
   *
   * @throws IllegalArgumentException if a filter was given that may hide the column
   */
  public IndexQuery orderBy(Column column) {
    RowOrder ascending = new RowOrder(column.ref(), column.type(), false);
    return new IndexQuery(table, condition, projection, bounds, Optional.of(ascending), limit);
  }

  /** The same for a column {@code family:qualifier}, both in UTF-8. */
  public IndexQuery orderBy(String family, String qualifier) {
    return orderBy(Column.of(family, qualifier));
  }

  /**
   * The rows in exactly the reverse of the rising order. To say it twice changes nothing.
   *
   * @throws IllegalStateException if the query has no order
   */
  public IndexQuery descending() {
    RowOrder falling =
        order
            .map(rising -> new RowOrder(rising.column(), rising.type(), true))
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "Cannot reverse the order of query %s: it has none; call orderBy first"
                            .formatted(this)));
    return new IndexQuery(table, condition, projection, bounds, Optional.of(falling), limit);
  }

  /** Only rows with this key or a higher one. */
  public IndexQuery fromRow(byte[] first) {
    return bounded(bounds.from(first));
  }

  /** Only rows with this key or a higher one. */
  public IndexQuery fromRow(String first) {
    return fromRow(Bytes.toBytes(first));
  }

  /** Only rows with a key lower than this; empty for all. */
  public IndexQuery beforeRow(byte[] end) {
    return bounded(bounds.before(end));
  }

  /** Only rows with a key lower than this; empty for all. */
  public IndexQuery beforeRow(String end) {
    return beforeRow(Bytes.toBytes(end));
  }

  /**
   * Only cells written at these times; conditions then speak of the newest value among them. No
   * index serves such a query unless the time is open upwards: older values have left it.
   *
   * @param from in ms since 1970
   * @param until the first time that is not wanted any more
   */
  public IndexQuery writtenBetween(long from, long until) {
    return bounded(bounds.written(from, until));
  }

  /**
   * Only rows that this filter lets pass, too. It sees what the query reads: the selected columns
   * and those of the condition, or all. An index serves the query only beside filters of HBase's
   * own whose answer depends on nothing but the row; see {@code explain}.
   *
   * @throws IllegalArgumentException if the query has an order, and the filter may hide its column
   */
  public IndexQuery passing(Filter filter) {
    return bounded(bounds.passing(filter));
  }

  private IndexQuery bounded(QueryBounds narrower) {
    return new IndexQuery(table, condition, projection, narrower, order, limit);
  }

  boolean isBounded() {
    return bounds.areAny();
  }

  /** The table that is asked. */
  public TableName table() {
    return table;
  }

  /** What rows have to meet. */
  public Condition condition() {
    return condition;
  }

  int limit() {
    return limit;
  }

  /** The order that rows are wanted in; empty for that of their keys. */
  Optional<RowOrder> order() {
    return order;
  }

  /** The same rows in the order of their keys: those that have the column of the order. */
  private IndexQuery byKey() {
    return order
        .map(by -> Column.of(by.column().family(), by.column().qualifier()).isPresent())
        .map(
            has ->
                new IndexQuery(
                    table, condition.and(has), projection, bounds, Optional.empty(), limit))
        .orElse(this);
  }

  boolean isProjected() {
    return !projection.isEmpty();
  }

  List<ColumnRef> projection() {
    return projection;
  }

  /**
   * The same query for no more than its rows' existence: only columns of its condition are read,
   * unless a filter that was given with it has to see others.
   */
  IndexQuery keysOnly() {
    IndexQuery rows = byKey();
    if (bounds.filter().isPresent()) {
      return rows;
    }
    List<ColumnRef> read = new ArrayList<>(rows.conditionColumns());
    return new IndexQuery(table, rows.condition, read, bounds, Optional.empty(), limit);
  }

  /**
   * The query as an ordinary scan. It reads the columns of the condition besides those selected,
   * since its filter could not judge rows otherwise, and all columns if rows without those are
   * wanted.
   *
   * @throws IllegalStateException if the query has an order, which no single scan can give
   */
  public Scan toScan() {
    if (order.isPresent()) {
      throw new IllegalStateException(
          "Cannot make one scan of query %s: it has an order; run it by QueryClient, or explain toExplainedScan"
              .formatted(this));
    }
    return toPlainScan();
  }

  /**
   * The scan that {@code IndexAdmin.explain} is to be asked for. Of a query with an order it is the
   * one that the search for its rows begins with, and good for nothing else: it asks each region
   * for a few first rows, which come by region and key, each with a mark in front of its cells.
   */
  public Scan toExplainedScan() {
    return order.isPresent() ? OrderedWindow.first(this).firstScan() : toPlainScan();
  }

  /** How many rows of an ordered query are searched for at once. */
  static int windowOf(int wanted) {
    return wanted == UNLIMITED ? MAX_WINDOW : Math.min(wanted, MAX_WINDOW);
  }

  /**
   * The scan that asks each region for the first rows of this query, which has an order.
   *
   * @param rows how many of each region
   * @param after only those behind this place
   */
  Scan toOrderedScan(int rows, Optional<RowOrder.Place> after) {
    IndexQuery all = byKey();
    Scan scan =
        new IndexQuery(table, all.condition, projection, bounds, Optional.empty(), UNLIMITED)
            .toPlainScan();
    OrderedRows.askFor(scan, new OrderedRows.Request(order.orElseThrow(), rows, after));
    return scan;
  }

  private Scan toPlainScan() {
    Scan scan = new Scan();
    if (!condition.equals(Condition.All.ROWS)) {
      scan.setFilter(ConditionFilter.of(condition));
    }
    bounds.narrow(scan);
    // HBase returns no row of which it reads nothing.
    if (isProjected() && !ConditionFilter.isMetWithoutColumns(condition)) {
      projection.forEach(column -> scan.addColumn(column.family(), column.qualifier()));
      conditionColumns().forEach(column -> scan.addColumn(column.family(), column.qualifier()));
    }
    if (limit != UNLIMITED) {
      scan.setLimit(limit);
      scan.setCaching(limit);
    }
    return scan;
  }

  /**
   * The scan for the number of this query's rows. Regions that can give the number in place of the
   * rows do so. A limit counts results, each of which stands for a row at least.
   */
  Scan toCountingScan() {
    Scan scan = keysOnly().toScan();
    CountedRows.askFor(scan, limit == UNLIMITED ? Long.MAX_VALUE : limit);
    return scan;
  }

  /**
   * The scan for the number of this query's rows by value of a column.
   *
   * @throws IllegalArgumentException if the query has a limit
   */
  Scan toGroupingScan(ColumnRef column) {
    requireNoLimit("list the values of " + column);
    Scan scan = reading(List.of(column));
    CountedRows.askForGroups(scan, column);
    return scan;
  }

  /**
   * The scan for the number of this query's rows by the time of a column's cell.
   *
   * @throws IllegalArgumentException if the query has a limit
   */
  Scan toTimingScan(ColumnRef column, CountedTimes times) {
    requireNoLimit("count by the time of " + column);
    Scan scan = reading(List.of(column));
    CountedRows.askForTimes(scan, column, times);
    return scan;
  }

  /**
   * The scan for what a column of this query's rows adds up to.
   *
   * @param groupBy the column by whose values rows are added up; empty for all together
   * @throws IllegalArgumentException if the query has a limit, or the column has no type of numbers
   */
  Scan toSummingScan(Column column, Optional<Column> groupBy) {
    requireNoLimit("add up " + column);
    if (!TypedCells.areNumbers(column.type())) {
      throw new IllegalArgumentException(
          "Cannot add up %s: its type was %s; say what numbers it holds, as in as(ValueType.LONG)"
              .formatted(column, column.type().keyword()));
    }
    List<ColumnRef> columns = new ArrayList<>();
    columns.add(column.ref());
    groupBy.map(Column::ref).ifPresent(columns::add);
    Scan scan = reading(columns);
    CountedRows.askForSum(
        scan, new CountedRows.Summed(column.ref(), column.type()), groupBy.map(Column::ref));
    return scan;
  }

  private void requireNoLimit(String doing) {
    if (limit != UNLIMITED) {
      throw new IllegalArgumentException(
          "Cannot %s: the query had a limit of %d rows; leave it out".formatted(doing, limit));
    }
  }

  /** The scan that reads no more than the columns of the condition, and these. */
  private Scan reading(List<ColumnRef> columns) {
    // A filter of the user's own has to see all that it would see in a query for whole rows.
    IndexQuery rows = byKey();
    List<ColumnRef> read = new ArrayList<>();
    if (bounds.filter().isEmpty()) {
      read.addAll(rows.conditionColumns());
      read.addAll(columns);
    }
    return new IndexQuery(table, rows.condition, read, bounds, Optional.empty(), UNLIMITED)
        .toScan();
  }

  private Set<ColumnRef> conditionColumns() {
    return ConditionFilter.columnsOf(condition);
  }

  /** The query in words, the same for equal queries. */
  @Override
  public String toString() {
    String columns =
        isProjected()
            ? projection.stream().map(ColumnRef::toString).collect(Collectors.joining(", "))
            : "everything";
    String bound = limit == UNLIMITED ? "" : " limit " + limit;
    String by = order.map(rows -> " order by " + rows).orElse("");
    return "select %s from %s where %s%s%s%s"
        .formatted(columns, table, condition, bounds.words(), by, bound);
  }
}
