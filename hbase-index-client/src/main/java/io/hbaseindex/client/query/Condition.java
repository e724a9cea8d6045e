/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.query;

import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.DefinitionException;
import io.hbaseindex.core.definition.IndexCondition;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What rows must be like. Made by {@link Column} and put together by {@link #and}, {@link #or} and
 * {@link #not}.
 *
 * <p>A condition speaks of the newest value of a column. A row without the column meets neither the
 * condition nor its opposite, as in SQL; only {@link Column#isAbsent} asks for such rows.
 *
 * <p>Can be serialized, so that an engine may send it to where its query runs; both sides have to
 * be of one version.
 */
@InterfaceAudience.Public
public sealed interface Condition extends Serializable {

  /** This and that. */
  default Condition and(Condition other) {
    return all(List.of(this, other));
  }

  /** This or that, or both. */
  default Condition or(Condition other) {
    return any(List.of(this, other));
  }

  /**
   * The condition as one that a partial index has: {@code IndexDefinition.on("f",
   * "city").where(status.equalTo("open").forIndex())}. The index then serves queries that ask for
   * the same, or for less.
   *
   * @throws DefinitionException if no index can have it: if it does not consist of =, in, &lt;,
   *     &lt;=, &gt;, &gt;=, between, starts with and is not null, on one column each, joined by
   *     {@code and}
   */
  default IndexCondition forIndex() {
    return IndexCondition.of(ConditionClauses.of(this));
  }

  /** The opposite; of a row without the column neither is true. */
  Condition not();

  /** All of them. */
  static Condition all(List<Condition> parts) {
    List<Condition> flat = new ArrayList<>();
    for (Condition part : requireParts(parts)) {
      flat.addAll(part instanceof All all ? all.parts() : List.of(part));
    }
    return flat.size() == 1 ? flat.get(0) : new All(flat);
  }

  /** At least one of them. */
  static Condition any(List<Condition> parts) {
    List<Condition> flat = new ArrayList<>();
    for (Condition part : requireParts(parts)) {
      flat.addAll(part instanceof Any any ? any.parts() : List.of(part));
    }
    return flat.size() == 1 ? flat.get(0) : new Any(flat);
  }

  private static List<Condition> requireParts(List<Condition> parts) {
    if (parts.isEmpty()) {
      throw new IllegalArgumentException(
          "Cannot combine conditions: there were none; name at least one");
    }
    return parts;
  }

  /**
   * A column's newest value compares with a value, byte by byte, or as a decimal.
   *
   * @param prefix whether only as many bytes are compared as the value has
   */
  record Compare(ColumnRef column, CompareOperator operator, Value value, boolean prefix)
      implements Condition {
    @Override
    public String toString() {
      String words = operator == CompareOperator.EQUAL ? "starts with" : "does not start with";
      return column + " " + (prefix ? words : sign()) + " " + value;
    }

    @Override
    public Condition not() {
      CompareOperator opposite =
          switch (operator) {
            case EQUAL -> CompareOperator.NOT_EQUAL;
            case NOT_EQUAL -> CompareOperator.EQUAL;
            case LESS -> CompareOperator.GREATER_OR_EQUAL;
            case LESS_OR_EQUAL -> CompareOperator.GREATER;
            case GREATER -> CompareOperator.LESS_OR_EQUAL;
            case GREATER_OR_EQUAL -> CompareOperator.LESS;
            case NO_OP -> throw new IllegalArgumentException("Cannot turn no comparison around");
          };
      return new Compare(column, opposite, value, prefix);
    }

    /** As the values compare: negative floating numbers do so opposite to their bytes. */
    private String sign() {
      boolean back = value.isBackwards();
      return switch (operator) {
        case EQUAL -> "=";
        case NOT_EQUAL -> "!=";
        case LESS -> back ? ">" : "<";
        case LESS_OR_EQUAL -> back ? ">=" : "<=";
        case GREATER -> back ? "<" : ">";
        case GREATER_OR_EQUAL -> back ? "<=" : ">=";
        case NO_OP -> operator.name();
      };
    }
  }

  /**
   * The row has a value in the column, or has none.
   *
   * @param present whether it has one
   */
  record Presence(ColumnRef column, boolean present) implements Condition {
    @Override
    public Condition not() {
      return new Presence(column, !present);
    }

    @Override
    public String toString() {
      return column + (present ? " is not null" : " is null");
    }
  }

  /**
   * A column's newest value, as text, has the form of a pattern.
   *
   * @param pattern as in {@link Column#like}
   * @param matches whether it has, or has another
   */
  record Like(ColumnRef column, String pattern, boolean matches) implements Condition {
    @Override
    public Condition not() {
      return new Like(column, pattern, !matches);
    }

    @Override
    public String toString() {
      return column + (matches ? " like '" : " not like '") + pattern + "'";
    }
  }

  /** All of the parts: more than one, or none, which every row meets. */
  record All(List<Condition> parts) implements Condition {
    /** What every row meets. */
    static final All ROWS = new All(List.of());

    /** Copies the list. */
    public All {
      parts = List.copyOf(parts);
    }

    @Override
    public Condition not() {
      return Condition.any(parts.stream().map(Condition::not).toList());
    }

    @Override
    public String toString() {
      return parts.isEmpty()
          ? "true"
          : parts.stream().map(Object::toString).collect(Collectors.joining(" and ", "(", ")"));
    }
  }

  /** At least one of the parts; more than one. */
  record Any(List<Condition> parts) implements Condition {
    /** Copies the list. */
    public Any {
      parts = List.copyOf(parts);
    }

    @Override
    public Condition not() {
      return Condition.all(parts.stream().map(Condition::not).toList());
    }

    @Override
    public String toString() {
      return parts.stream().map(Object::toString).collect(Collectors.joining(" or ", "(", ")"));
    }
  }
}
