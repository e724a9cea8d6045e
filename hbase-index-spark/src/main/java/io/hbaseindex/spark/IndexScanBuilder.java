/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.spark;

import io.hbaseindex.client.query.Condition;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.ValueType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.NullOrdering;
import org.apache.spark.sql.connector.expressions.SortDirection;
import org.apache.spark.sql.connector.expressions.SortOrder;
import org.apache.spark.sql.connector.expressions.aggregate.AggregateFunc;
import org.apache.spark.sql.connector.expressions.aggregate.Aggregation;
import org.apache.spark.sql.connector.expressions.aggregate.Count;
import org.apache.spark.sql.connector.expressions.aggregate.CountStar;
import org.apache.spark.sql.connector.expressions.aggregate.Max;
import org.apache.spark.sql.connector.expressions.aggregate.Min;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.SupportsPushDownAggregates;
import org.apache.spark.sql.connector.read.SupportsPushDownLimit;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.connector.read.SupportsPushDownTopN;
import org.apache.spark.sql.connector.read.SupportsPushDownV2Filters;
import org.apache.spark.sql.types.StructType;

/**
 * Takes from Spark what the table's servers can do, and refuses the rest.
 *
 * <p>Figures, orders and limits are taken for each region by itself; Spark puts together what the
 * regions say. It offers them only if no predicate was left to it.
 */
final class IndexScanBuilder
    implements SupportsPushDownV2Filters,
        SupportsPushDownRequiredColumns,
        SupportsPushDownAggregates,
        SupportsPushDownTopN,
        SupportsPushDownLimit {
  private final HBaseSource source;
  private final SourceSchema schema;
  private final List<IndexDefinition> indexes;
  private final PredicateReader predicates;
  private final List<Predicate> pushed = new ArrayList<>();
  private final List<Condition> conditions = new ArrayList<>();
  private KeySpan keys = KeySpan.ALL;
  private List<SourceColumn> wanted;
  private Reading reading = Reading.Rows.ALL;

  IndexScanBuilder(HBaseSource source, SourceSchema schema, List<IndexDefinition> indexes) {
    this.source = source;
    this.schema = schema;
    this.indexes = indexes;
    this.predicates = new PredicateReader(schema);
    this.wanted = schema.columns();
  }

  @Override
  public Predicate[] pushPredicates(Predicate[] all) {
    return Arrays.stream(all).filter(predicate -> !push(predicate)).toArray(Predicate[]::new);
  }

  private boolean push(Predicate predicate) {
    Optional<KeySpan> span = predicates.keys(predicate);
    Optional<Condition> condition = predicates.condition(predicate);
    span.ifPresent(some -> keys = keys.intersect(some));
    condition.ifPresent(conditions::add);
    boolean taken = span.isPresent() || condition.isPresent();
    if (taken) {
      pushed.add(predicate);
    }
    return taken;
  }

  @Override
  public Predicate[] pushedPredicates() {
    return pushed.toArray(Predicate[]::new);
  }

  @Override
  public void pruneColumns(StructType required) {
    wanted =
        Arrays.stream(required.fieldNames())
            .map(name -> schema.column(name).orElseThrow())
            .toList();
  }

  @Override
  public boolean pushAggregation(Aggregation aggregation) {
    List<Reading.Figure> figures =
        Arrays.stream(aggregation.aggregateExpressions())
            .flatMap(asked -> figure(asked).stream())
            .toList();
    if (aggregation.groupByExpressions().length > 0
        || figures.isEmpty()
        || figures.size() < aggregation.aggregateExpressions().length) {
      return false;
    }
    reading = new Reading.Figures(figures);
    return true;
  }

  private Optional<Reading.Figure> figure(AggregateFunc asked) {
    if (asked instanceof CountStar) {
      return Optional.of(new Reading.Figure(Reading.Figure.Kind.COUNT, null));
    }
    if (asked instanceof Count count && !count.isDistinct()) {
      return columnOf(count.column())
          .map(column -> new Reading.Figure(Reading.Figure.Kind.COUNT, column));
    }
    if (asked instanceof Min min) {
      return ordered(min.column())
          .map(column -> new Reading.Figure(Reading.Figure.Kind.MIN, column));
    }
    return asked instanceof Max max
        ? ordered(max.column()).map(column -> new Reading.Figure(Reading.Figure.Kind.MAX, column))
        : Optional.empty();
  }

  @Override
  public boolean pushTopN(SortOrder[] orders, int limit) {
    if (orders.length != 1 || limit < 1) {
      return false;
    }
    SortOrder order = orders[0];
    Optional<SourceColumn> by = ordered(order.expression());
    boolean neverAbsent = by.isPresent() && Conditions.require(conditions, by.get().ref());
    // Rows without the column that come first are in no index.
    if (by.isEmpty() || !neverAbsent && order.nullOrdering() == NullOrdering.NULLS_FIRST) {
      return false;
    }
    boolean descending = order.direction() == SortDirection.DESCENDING;
    reading = new Reading.FirstRows(by.get(), descending, !neverAbsent, limit);
    return true;
  }

  @Override
  public boolean pushLimit(int limit) {
    boolean taken = limit > 0 && reading.equals(Reading.Rows.ALL);
    if (taken) {
      reading = new Reading.Rows(limit);
    }
    return taken;
  }

  /** Each region gives so many rows; Spark takes as many of them all. */
  @Override
  public boolean isPartiallyPushed() {
    return true;
  }

  private Optional<SourceColumn> columnOf(Expression expression) {
    return expression instanceof NamedReference named && named.fieldNames().length == 1
        ? schema.column(named.fieldNames()[0])
        : Optional.empty();
  }

  /** The column, if an index has the order in which Spark sorts it. */
  private Optional<SourceColumn> ordered(Expression expression) {
    return columnOf(expression)
        .filter(column -> !column.isKey())
        // NaN, which Spark has above all numbers, is below them if its sign is set.
        .filter(column -> column.type().encoding() != ValueType.Encoding.FLOATING)
        .filter(column -> indexes.stream().anyMatch(index -> hasOrderOf(index, column)));
  }

  private static boolean hasOrderOf(IndexDefinition index, SourceColumn column) {
    ValueType type = index.types().get(0);
    boolean asBytes =
        type.encoding() == ValueType.Encoding.AS_IT_IS
            && column.type().encoding() == ValueType.Encoding.AS_IT_IS;
    return leads(index, column) && (asBytes || type == column.type());
  }

  /** Whether an index has all rows with the column by its values. */
  private static boolean leads(IndexDefinition index, SourceColumn column) {
    return !index.isPartial() && index.columns().get(0).equals(column.ref());
  }

  @Override
  public Scan build() {
    List<SourceColumn> looked =
        schema.columns().stream()
            .filter(column -> indexes.stream().anyMatch(index -> leads(index, column)))
            .toList();
    return new IndexScan(
        new ReadPlan(source, wanted, conditions, keys, reading), predicates, looked);
  }
}
