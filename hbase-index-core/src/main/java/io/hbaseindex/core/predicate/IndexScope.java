/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.predicate;

import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.IndexCondition;
import io.hbaseindex.core.definition.IndexCondition.Clause;
import io.hbaseindex.core.definition.IndexCondition.Comparison;
import io.hbaseindex.core.definition.ValueType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Which rows a partial index has, as ranges of cells, and what follows from that for queries.
 *
 * <p>The index serves a query only if all rows that the query wants are in it: if each range of the
 * condition contains what the query allows in that column. Client and region server ask the same
 * here, so that neither leaves out what the other would have found. Immutable.
 */
@InterfaceAudience.Private
public final class IndexScope {
  private static final ValueRange EVERYTHING = ValueRange.atLeast(new byte[0]);

  /** What is allowed in each column of the condition: in order, and no two of them touch. */
  private final Map<ColumnRef, List<ValueRange>> allowed;

  private IndexScope(Map<ColumnRef, List<ValueRange>> allowed) {
    this.allowed = allowed;
  }

  /** The rows that meet a condition. */
  public static IndexScope of(IndexCondition condition) {
    Map<ColumnRef, List<ValueRange>> allowed = new HashMap<>();
    for (Clause clause : condition.clauses()) {
      allowed.merge(clause.column(), merged(rangesOf(clause)), IndexScope::both);
    }
    return new IndexScope(allowed);
  }

  private static List<ValueRange> rangesOf(Clause clause) {
    List<ValueRange> ranges = new ArrayList<>();
    for (List<Comparison> alternative : clause.alternatives()) {
      ranges.add(
          alternative.stream().map(IndexScope::rangeOf).reduce(EVERYTHING, ValueRange::intersect));
    }
    return ranges.isEmpty() ? List.of(EVERYTHING) : ranges;
  }

  private static ValueRange rangeOf(Comparison comparison) {
    byte[] value = comparison.value();
    return switch (comparison.operator()) {
      case EQUAL -> ValueRange.equalTo(value);
      case STARTS_WITH -> ValueRange.startingWith(value);
      case LESS -> ValueRange.lessThan(value);
      case AT_MOST -> ValueRange.atMost(value);
      case GREATER -> ValueRange.greaterThan(value);
      case AT_LEAST -> ValueRange.atLeast(value);
    };
  }

  private static List<ValueRange> both(List<ValueRange> some, List<ValueRange> others) {
    return merged(
        some.stream().flatMap(one -> others.stream().map(other -> one.intersect(other))).toList());
  }

  /** The same strings in as few ranges as possible, in order. */
  private static List<ValueRange> merged(List<ValueRange> ranges) {
    List<ValueRange> inOrder = new ArrayList<>(ranges);
    inOrder.removeIf(ValueRange::isEmpty);
    inOrder.sort(Comparator.comparing(ValueRange::lower, Arrays::compareUnsigned));
    List<ValueRange> merged = new ArrayList<>();
    for (ValueRange range : inOrder) {
      ValueRange last = merged.isEmpty() ? null : merged.get(merged.size() - 1);
      if (last == null || endsBefore(last, range)) {
        merged.add(range);
      } else {
        merged.set(merged.size() - 1, ValueRange.from(last.lower(), laterEnd(last, range)));
      }
    }
    return merged;
  }

  /** Whether there is a gap between a range and one that begins behind it. */
  private static boolean endsBefore(ValueRange one, ValueRange next) {
    return one.upper().isPresent() && Arrays.compareUnsigned(one.upper().get(), next.lower()) < 0;
  }

  private static Optional<byte[]> laterEnd(ValueRange one, ValueRange other) {
    if (one.upper().isEmpty() || other.upper().isEmpty()) {
      return Optional.empty();
    }
    boolean first = Arrays.compareUnsigned(one.upper().get(), other.upper().get()) >= 0;
    return first ? one.upper() : other.upper();
  }

  /** Whether the condition is about the column. */
  public boolean concerns(ColumnRef column) {
    return allowed.containsKey(column);
  }

  /**
   * Whether a row that shows this in the column may meet the condition.
   *
   * @param value null if it lacks the column
   */
  public boolean allows(ColumnRef column, byte[] value) {
    List<ValueRange> ranges = allowed.get(column);
    return ranges == null
        || value != null && ranges.stream().anyMatch(range -> range.contains(value));
  }

  /**
   * Whether a row meets the condition.
   *
   * @param values the current value of a column, null if the row has none
   */
  public boolean isMet(Function<ColumnRef, byte[]> values) {
    return allowed.keySet().stream().allMatch(column -> allows(column, values.apply(column)));
  }

  /** Whether every row that meets a predicate meets the condition. */
  public boolean isImpliedBy(RowPredicate predicate) {
    return allowed.entrySet().stream()
        .allMatch(part -> isImplied(part.getKey(), part.getValue(), predicate));
  }

  private static boolean isImplied(
      ColumnRef column, List<ValueRange> ranges, RowPredicate predicate) {
    if (predicate instanceof RowPredicate.Any any) {
      return any.parts().stream().allMatch(part -> isImplied(column, ranges, part));
    }
    if (predicate instanceof RowPredicate.All all) {
      ValueRange together = EVERYTHING;
      for (RowPredicate part : all.parts()) {
        if (isOfCells(part, column)) {
          together = together.intersect(((RowPredicate.Column) part).range());
        } else if (isImplied(column, ranges, part)) {
          return true;
        }
      }
      boolean mentioned = all.parts().stream().anyMatch(part -> isOfCells(part, column));
      return mentioned && isWithin(together, ranges);
    }
    RowPredicate.Column leaf = (RowPredicate.Column) predicate;
    // Numbers take along what is none, of which only that it is there is known.
    return leaf.column().equals(column)
        && isWithin(leaf.order() == ValueType.BYTES ? leaf.range() : EVERYTHING, ranges);
  }

  /** Whether every row that meets the condition meets a predicate. */
  public boolean implies(RowPredicate predicate) {
    if (predicate instanceof RowPredicate.All all) {
      return all.parts().stream().allMatch(this::implies);
    }
    if (predicate instanceof RowPredicate.Any any) {
      return any.parts().stream().anyMatch(this::implies)
          || allowed.keySet().stream().anyMatch(column -> implies(column, any.parts()));
    }
    RowPredicate.Column leaf = (RowPredicate.Column) predicate;
    return concerns(leaf.column()) && implies(leaf.column(), List.of(leaf));
  }

  /** Whether what is allowed in a column lies within the ranges that are about its cells. */
  private boolean implies(ColumnRef column, List<RowPredicate> alternatives) {
    List<ValueRange> wanted =
        merged(alternatives.stream().flatMap(part -> rangeOf(part, column).stream()).toList());
    return allowed.get(column).stream().allMatch(range -> isWithin(range, wanted));
  }

  /** The cells of a column that meet a predicate; empty if it is about anything else, too. */
  private static Optional<ValueRange> rangeOf(RowPredicate predicate, ColumnRef column) {
    List<RowPredicate> parts =
        predicate instanceof RowPredicate.All all ? all.parts() : List.of(predicate);
    return parts.stream().allMatch(part -> isOfCells(part, column))
        ? Optional.of(
            parts.stream()
                .map(part -> ((RowPredicate.Column) part).range())
                .reduce(EVERYTHING, ValueRange::intersect))
        : Optional.empty();
  }

  private static boolean isOfCells(RowPredicate predicate, ColumnRef column) {
    return predicate instanceof RowPredicate.Column leaf
        && leaf.order() == ValueType.BYTES
        && leaf.column().equals(column);
  }

  private static boolean isWithin(ValueRange range, List<ValueRange> ranges) {
    return range.isEmpty()
        || ranges.stream().anyMatch(other -> other.intersect(range).equals(range));
  }
}
