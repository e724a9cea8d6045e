/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.query;

import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.ValueType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A column to make conditions on.
 *
 * <pre>{@code
 * Column city = Column.of("f", "city");
 * Column joined = Column.of("f", "joined");
 * Condition c = city.in("Graz", "Wien").and(joined.atLeast(Value.of(since)));
 * }</pre>
 *
 * <p>Ranges of numbers mean what they say, although HBase compares bytes: a range that spans zero
 * becomes two. 0.0 and -0.0 are one number, and so are decimals that differ in their scale alone.
 * Immutable.
 */
@InterfaceAudience.Public
public final class Column {
  /** A longer list is better served by several queries. */
  public static final int MAX_VALUES = 10_000;

  private final ColumnRef ref;
  private final ValueType type;

  private Column(ColumnRef ref) {
    this(ref, ValueType.BYTES);
  }

  private Column(ColumnRef ref, ValueType type) {
    this.ref = ref;
    this.type = type;
  }

  /** The column {@code family:qualifier}, both in UTF-8. */
  public static Column of(String family, String qualifier) {
    return new Column(ColumnRef.of(family, qualifier));
  }

  /** The column {@code family:qualifier}. */
  public static Column of(byte[] family, byte[] qualifier) {
    return new Column(ColumnRef.of(family, qualifier));
  }

  /**
   * The same column, known to hold values of a type: lists of its values, the lowest and the
   * highest follow the order of these. Conditions need no type but that of the value in them.
   */
  public Column as(ValueType values) {
    return new Column(ref, values);
  }

  ColumnRef ref() {
    return ref;
  }

  /** What it is known to hold: bytes, if nothing was said. */
  public ValueType type() {
    return type;
  }

  /** It has this value. */
  public Condition equalTo(Value value) {
    return value.isFloatingZero()
        ? compare(CompareOperator.EQUAL, value.zero())
            .or(compare(CompareOperator.EQUAL, value.highestNegative()))
        : compare(CompareOperator.EQUAL, value);
  }

  /** It has this text. */
  public Condition equalTo(String text) {
    return equalTo(Value.of(text));
  }

  /** It has a value, and not this one. */
  public Condition notEqualTo(Value value) {
    return equalTo(value).not();
  }

  /** It has a text, and not this one. */
  public Condition notEqualTo(String text) {
    return notEqualTo(Value.of(text));
  }

  /** It has a value, whatever that is. */
  public Condition isPresent() {
    return new Condition.Presence(ref, true);
  }

  /** It has no value. No index knows of such rows; other conditions may narrow them down. */
  public Condition isAbsent() {
    return new Condition.Presence(ref, false);
  }

  /**
   * Its text has the form of a pattern as in SQL: {@code %} stands for any text, {@code _} for any
   * one character, and a backslash makes the next character stand for itself. What a pattern begins
   * with, up to its first wildcard, an index can look for; the rest is looked at row by row.
   */
  public Condition like(String pattern) {
    return LikePattern.parse(pattern).on(this);
  }

  /** It has one of these values. */
  public Condition in(List<Value> values) {
    if (values.isEmpty() || values.size() > MAX_VALUES) {
      throw new IllegalArgumentException(
          "Cannot ask whether %s is in a list: the list had %d values; give 1 to %d"
              .formatted(ref, values.size(), MAX_VALUES));
    }
    return Condition.any(new ArrayList<>(values.stream().distinct().map(this::equalTo).toList()));
  }

  /** It has one of these texts. */
  public Condition in(String... texts) {
    return in(Arrays.stream(texts).map(Value::of).toList());
  }

  /** Its bytes begin with these. */
  public Condition startsWith(Value prefix) {
    if (prefix.order() != Value.ByteOrder.NATURAL) {
      throw new IllegalArgumentException(
          "Cannot ask whether %s starts with a number: only text and bytes have beginnings; use a range"
              .formatted(ref));
    }
    if (!prefix.isPrefix()) {
      throw new IllegalArgumentException(
          "Cannot ask whether %s starts with %s: values of its type carry a terminator or a length, so that only the whole value would match; use a range, or RawString or RawBytes where the column holds those"
              .formatted(ref, prefix));
    }
    if (prefix.bytes().length == 0) {
      throw new IllegalArgumentException(
          "Cannot ask whether %s starts with nothing: every value does; give at least one character"
              .formatted(ref));
    }
    return new Condition.Compare(ref, CompareOperator.EQUAL, prefix, true);
  }

  /** Its text begins with this. */
  public Condition startsWith(String prefix) {
    return startsWith(Value.of(prefix));
  }

  /** It is {@code lowest}, {@code highest} or between them. */
  public Condition between(Value lowest, Value highest) {
    requireOrder(lowest);
    requireOrder(highest);
    if (lowest.order() != highest.order()
        || lowest.isSplitBySign() && lowest.bytes().length != highest.bytes().length) {
      throw new IllegalArgumentException(
          "Cannot ask whether %s is between %s and %s: they are of different types; use one type"
              .formatted(ref, lowest, highest));
    }
    Value from = lowest.isFloatingZero() ? lowest.highestNegative() : lowest;
    Value to = highest.isFloatingZero() ? highest.zero() : highest;
    if (from.isNegative() && !to.isNegative()) {
      return span(from, from.highestNegative()).or(span(to.zero(), to));
    }
    if (from.compareTo(to) > 0) {
      throw new IllegalArgumentException(
          "Cannot ask whether %s is between %s and %s: the first is higher; swap them"
              .formatted(ref, lowest, highest));
    }
    return span(from, to);
  }

  /** It is this or higher. */
  public Condition atLeast(Value lowest) {
    requireOrder(lowest);
    return lowest.isSplitBySign()
        ? between(lowest, lowest.highest())
        : compare(CompareOperator.GREATER_OR_EQUAL, lowest);
  }

  /** It is this or lower. */
  public Condition atMost(Value highest) {
    requireOrder(highest);
    return highest.isSplitBySign()
        ? between(highest.lowest(), highest)
        : compare(CompareOperator.LESS_OR_EQUAL, highest);
  }

  /** It is higher than this. */
  public Condition greaterThan(Value bound) {
    requireOrder(bound);
    if (!bound.isSplitBySign()) {
      return compare(CompareOperator.GREATER, bound);
    }
    Value number = bound.isFloatingZero() ? bound.zero() : bound;
    boolean back = number.isBackwards();
    Condition above =
        compare(back ? CompareOperator.LESS : CompareOperator.GREATER, number)
            .and(
                compare(
                    back ? CompareOperator.GREATER_OR_EQUAL : CompareOperator.LESS_OR_EQUAL,
                    number.isNegative() ? number.highestNegative() : number.highest()));
    return number.isNegative() ? above.or(span(number.zero(), number.highest())) : above;
  }

  /** It is lower than this. */
  public Condition lessThan(Value bound) {
    requireOrder(bound);
    if (!bound.isSplitBySign()) {
      return compare(CompareOperator.LESS, bound);
    }
    Value number = bound.isFloatingZero() ? bound.highestNegative() : bound;
    boolean back = number.isBackwards();
    Condition below =
        compare(back ? CompareOperator.GREATER : CompareOperator.LESS, number)
            .and(
                compare(
                    back ? CompareOperator.LESS_OR_EQUAL : CompareOperator.GREATER_OR_EQUAL,
                    number.isNegative() ? number.lowest() : number.zero()));
    return number.isNegative() ? below : below.or(span(number.lowest(), number.highestNegative()));
  }

  /** From one value to a higher one, of the same sign if they are numbers. */
  private Condition span(Value lowest, Value highest) {
    boolean back = lowest.isBackwards();
    return compare(CompareOperator.GREATER_OR_EQUAL, back ? highest : lowest)
        .and(compare(CompareOperator.LESS_OR_EQUAL, back ? lowest : highest));
  }

  private Condition compare(CompareOperator operator, Value value) {
    return new Condition.Compare(ref, operator, value, false);
  }

  private void requireOrder(Value bound) {
    if (bound.order() == Value.ByteOrder.NONE) {
      throw new IllegalArgumentException(
          "Cannot ask for a range of %s: the bytes of %s do not sort as its values do; hold the column in one of HBase's ordered types, ascending, and use Value.of(type, value)"
              .formatted(ref, bound));
    }
    if (bound.isNoNumber()) {
      throw new IllegalArgumentException(
          "Cannot ask for a range of %s: its bound was NaN, which is no number; give one"
              .formatted(ref));
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Column that && ref.equals(that.ref);
  }

  @Override
  public int hashCode() {
    return ref.hashCode();
  }

  /** The column as definitions write it, such as {@code f:city}. */
  @Override
  public String toString() {
    return ref.toString();
  }
}
