/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.query;

import io.hbaseindex.core.definition.ColumnRef;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What rows must be like. Made by {@link Column} and put together by {@link #and} and {@link #or}.
 *
 * <p>A condition speaks of the newest value of a column; a row without the column never meets it.
 */
@InterfaceAudience.Public
public sealed interface Condition {

  /** This and that. */
  default Condition and(Condition other) {
    return all(List.of(this, other));
  }

  /** This or that, or both. */
  default Condition or(Condition other) {
    return any(List.of(this, other));
  }

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
   * A column's newest value compares with a value, byte by byte.
   *
   * @param prefix whether only as many bytes are compared as the value has
   */
  record Compare(ColumnRef column, CompareOperator operator, Value value, boolean prefix)
      implements Condition {
    @Override
    public String toString() {
      return column + " " + (prefix ? "starts with" : sign()) + " " + value;
    }

    private String sign() {
      return switch (operator) {
        case EQUAL -> "=";
        case LESS -> "<";
        case LESS_OR_EQUAL -> "<=";
        case GREATER -> ">";
        case GREATER_OR_EQUAL -> ">=";
        case NOT_EQUAL, NO_OP -> operator.name();
      };
    }
  }

  /** All of the parts; more than one. */
  record All(List<Condition> parts) implements Condition {
    /** Copies the list. */
    public All {
      parts = List.copyOf(parts);
    }

    @Override
    public String toString() {
      return parts.stream().map(Object::toString).collect(Collectors.joining(" and ", "(", ")"));
    }
  }

  /** At least one of the parts; more than one. */
  record Any(List<Condition> parts) implements Condition {
    /** Copies the list. */
    public Any {
      parts = List.copyOf(parts);
    }

    @Override
    public String toString() {
      return parts.stream().map(Object::toString).collect(Collectors.joining(" or ", "(", ")"));
    }
  }
}
