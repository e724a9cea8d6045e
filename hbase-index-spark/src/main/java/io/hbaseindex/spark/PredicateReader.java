/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.spark;

import io.hbaseindex.client.query.Column;
import io.hbaseindex.client.query.Condition;
import io.hbaseindex.client.query.Value;
import io.hbaseindex.core.definition.ValueType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Literal;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.filter.Predicate;

/**
 * Reads Spark's predicates as conditions that mean exactly the same: true for the same rows, and
 * neither true nor false for the same rows. What has no such condition stays with Spark.
 */
final class PredicateReader {
  private static final Set<ValueType> WITH_BEGINNINGS = Set.of(ValueType.STRING, ValueType.BYTES);

  /** Further types of keys that sort as Spark sorts their values. */
  private static final Set<ValueType> IN_KEY_ORDER =
      Set.of(
          ValueType.ORDERED_LONG,
          ValueType.ORDERED_INT,
          ValueType.ORDERED_SHORT,
          ValueType.ORDERED_STRING);

  private final SourceSchema schema;

  PredicateReader(SourceSchema schema) {
    this.schema = schema;
  }

  /**
   * A comparison of a column with a value.
   *
   * @param sign as Spark writes it, with the column on the left
   */
  private record Comparison(SourceColumn column, String sign, Object literal) {}

  /** The condition that says the same; empty if there is none. */
  Optional<Condition> condition(Predicate predicate) {
    return switch (predicate.name()) {
      case "AND" -> both(predicate).map(Condition::all);
      case "OR" -> both(predicate).map(Condition::any);
      case "NOT" -> part(predicate, 0).map(Condition::not);
      case "IS_NULL" -> cellColumn(predicate).map(column -> column.column().isAbsent());
      case "IS_NOT_NULL" -> cellColumn(predicate).map(column -> column.column().isPresent());
      case "IN" -> oneOf(predicate);
      case "STARTS_WITH" -> comparison(predicate).filter(this::isOfCells).flatMap(this::beginning);
      case "=", "<>", "<", "<=", ">", ">=" ->
          comparison(predicate)
              .filter(this::isOfCells)
              .flatMap(found -> compare(found.column(), found.sign(), found.literal()));
      default -> Optional.empty();
    };
  }

  /** The rows whose key meets a predicate; empty if it says something else. */
  Optional<KeySpan> keys(Predicate predicate) {
    return comparison(predicate)
        .filter(found -> found.column().isKey())
        .flatMap(
            found ->
                CellValues.write(found.column().type(), found.literal())
                    .flatMap(value -> keys(found, value.bytes())));
  }

  private static Optional<KeySpan> keys(Comparison found, byte[] key) {
    ValueType type = found.column().type();
    boolean text = WITH_BEGINNINGS.contains(type);
    boolean sorts = text || IN_KEY_ORDER.contains(type);
    boolean whole = sorts || type.encoding() == ValueType.Encoding.SIGNED;
    return Optional.ofNullable(
        switch (found.sign()) {
          case "=" -> whole ? KeySpan.of(key) : null;
          case "<" -> sorts ? KeySpan.below(key) : null;
          case "<=" -> sorts ? KeySpan.below(KeySpan.following(key)) : null;
          case ">" -> sorts ? KeySpan.atLeast(KeySpan.following(key)) : null;
          case ">=" -> sorts ? KeySpan.atLeast(key) : null;
          case "STARTS_WITH" -> text ? KeySpan.startingWith(key) : null;
          default -> null;
        });
  }

  private Optional<List<Condition>> both(Predicate predicate) {
    return part(predicate, 0)
        .flatMap(first -> part(predicate, 1).map(second -> List.of(first, second)));
  }

  private Optional<Condition> part(Predicate predicate, int index) {
    return predicate.children()[index] instanceof Predicate part
        ? condition(part)
        : Optional.empty();
  }

  private boolean isOfCells(Comparison found) {
    return !found.column().isKey();
  }

  /** The column that a predicate speaks of, unless it is the row's key. */
  private Optional<SourceColumn> cellColumn(Predicate predicate) {
    return columnOf(predicate.children()[0]).filter(column -> !column.isKey());
  }

  private Optional<SourceColumn> columnOf(Expression expression) {
    return expression instanceof NamedReference named && named.fieldNames().length == 1
        ? schema.column(named.fieldNames()[0])
        : Optional.empty();
  }

  /** A comparison with a value that is not null; Spark writes the value on either side. */
  private Optional<Comparison> comparison(Predicate predicate) {
    Expression[] sides = predicate.children();
    if (sides.length != 2) {
      return Optional.empty();
    }
    boolean turned = sides[0] instanceof Literal;
    Expression value = sides[turned ? 0 : 1];
    Optional<String> sign = turned ? turnedAround(predicate.name()) : Optional.of(predicate.name());
    return value instanceof Literal<?> literal && literal.value() != null && sign.isPresent()
        ? columnOf(sides[turned ? 1 : 0])
            .map(column -> new Comparison(column, sign.get(), literal.value()))
        : Optional.empty();
  }

  private static Optional<String> turnedAround(String sign) {
    return Optional.ofNullable(
        switch (sign) {
          case "=", "<>" -> sign;
          case "<" -> ">";
          case "<=" -> ">=";
          case ">" -> "<";
          case ">=" -> "<=";
          default -> null;
        });
  }

  private Optional<Condition> beginning(Comparison found) {
    ValueType type = found.column().type();
    if (!WITH_BEGINNINGS.contains(type)) {
      return Optional.empty();
    }
    Column column = found.column().column();
    return CellValues.write(type, found.literal())
        .map(
            prefix ->
                prefix.bytes().length == 0
                    ? Conditions.anyValue(column)
                    : column.startsWith(prefix));
  }

  private Optional<Condition> oneOf(Predicate predicate) {
    Optional<SourceColumn> column = cellColumn(predicate);
    int values = predicate.children().length - 1;
    if (column.isEmpty() || values < 1 || values > Column.MAX_VALUES) {
      return Optional.empty();
    }
    List<Condition> equal = new ArrayList<>();
    for (int i = 1; i <= values; i++) {
      // With a null among the values no row is known not to be in the list: left to Spark.
      Object value = predicate.children()[i] instanceof Literal<?> literal ? literal.value() : null;
      compare(column.get(), "=", value).ifPresent(equal::add);
    }
    return equal.size() == values ? Optional.of(Condition.any(equal)) : Optional.empty();
  }

  private static Optional<Condition> compare(SourceColumn column, String sign, Object literal) {
    return switch (column.type()) {
      case DOUBLE, FLOAT -> FloatingConditions.compare(column, sign, literal);
      case ORDERED_DOUBLE, ORDERED_FLOAT ->
          FloatingConditions.compareOrdered(column, sign, literal);
      case BOOLEAN ->
          sign.equals("=") || sign.equals("<>")
              ? compareValues(column, sign, literal)
              : Optional.empty();
      default -> compareValues(column, sign, literal);
    };
  }

  /** Compares with values that sort as Spark sorts them. */
  static Optional<Condition> compareValues(SourceColumn column, String sign, Object literal) {
    return CellValues.write(column.type(), literal)
        .flatMap(value -> compareValue(column.column(), sign, value));
  }

  private static Optional<Condition> compareValue(Column column, String sign, Value value) {
    return Optional.ofNullable(
        switch (sign) {
          case "=" -> column.equalTo(value);
          case "<>" -> column.notEqualTo(value);
          case "<" -> column.lessThan(value);
          case "<=" -> column.atMost(value);
          case ">" -> column.greaterThan(value);
          case ">=" -> column.atLeast(value);
          default -> null;
        });
  }
}
