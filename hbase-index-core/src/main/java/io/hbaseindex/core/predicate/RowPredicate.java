/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.predicate;

import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.ValueType;
import io.hbaseindex.core.entry.PostingForm;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A condition that every row a query returns must meet. It may be weaker than the query: rows that
 * meet it are looked at, rows that do not are skipped.
 */
@InterfaceAudience.Private
public sealed interface RowPredicate {

  /**
   * Whether a row meets the condition.
   *
   * @param values the current value of a column, null if the row has none
   */
  boolean test(Function<ColumnRef, byte[]> values);

  /**
   * What a range is about.
   *
   * @param order {@link ValueType#BYTES} for the bytes of cells as they are; {@link
   *     ValueType#DECIMAL} for the numbers in them
   */
  record Subject(ColumnRef column, ValueType order) {}

  /**
   * The row has a value for the column, and it is in the range.
   *
   * @param order what the range consists of: cells if it is {@link ValueType#BYTES}, else {@link
   *     PostingForm forms} of values of this type. Who asks for those gets cells that are no values
   *     of the type as well, and has to look at them.
   */
  record Column(ColumnRef column, ValueRange range, ValueType order) implements RowPredicate {
    public Column(ColumnRef column, ValueRange range) {
      this(column, range, ValueType.BYTES);
    }

    public Subject subject() {
      return new Subject(column, order);
    }

    @Override
    public boolean test(Function<ColumnRef, byte[]> values) {
      byte[] value = values.apply(column);
      return value != null
          && (range.contains(PostingForm.of(order, value)) || PostingForm.isOther(order, value));
    }
  }

  /** All of the parts hold; there is at least one. */
  record All(List<RowPredicate> parts) implements RowPredicate {
    public All {
      parts = requireParts(parts);
    }

    @Override
    public boolean test(Function<ColumnRef, byte[]> values) {
      return parts.stream().allMatch(part -> part.test(values));
    }
  }

  /**
   * One of the parts holds, or several; there is at least one. A long list of values of one column
   * is tested in the same time as a short one.
   */
  final class Any implements RowPredicate {
    /** Shorter lists are gone through. */
    private static final int LONG_LIST = 16;

    private final List<RowPredicate> parts;
    private final Optional<ValueSet> values;

    public Any(List<RowPredicate> parts) {
      this.parts = requireParts(parts);
      this.values = this.parts.size() > LONG_LIST ? valuesOf(this.parts) : Optional.empty();
    }

    /** What the parts list if all of them fix one column. */
    private static Optional<ValueSet> valuesOf(List<RowPredicate> parts) {
      List<byte[]> listed = new ArrayList<>(parts.size());
      for (RowPredicate part : parts) {
        boolean fixes =
            part instanceof Column column
                && column.order() == ValueType.BYTES
                && column.range().isSingleValue()
                && parts.get(0) instanceof Column first
                && column.column().equals(first.column());
        if (!fixes) {
          return Optional.empty();
        }
        listed.add(((Column) part).range().lower());
      }
      return Optional.of(ValueSet.of(listed));
    }

    public List<RowPredicate> parts() {
      return parts;
    }

    @Override
    public boolean test(Function<ColumnRef, byte[]> row) {
      if (values.isEmpty()) {
        return parts.stream().anyMatch(part -> part.test(row));
      }
      byte[] value = row.apply(((Column) parts.get(0)).column());
      return value != null && values.get().contains(value, 0, value.length);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Any that && parts.equals(that.parts);
    }

    @Override
    public int hashCode() {
      return parts.hashCode();
    }

    @Override
    public String toString() {
      return "Any" + parts;
    }
  }

  /** The conjunction of {@code parts}, flattened; {@code parts} is not empty. */
  static RowPredicate all(List<RowPredicate> parts) {
    List<RowPredicate> flat =
        parts.stream()
            .flatMap(
                part -> part instanceof All all ? all.parts().stream() : List.of(part).stream())
            .toList();
    return flat.size() == 1 ? flat.get(0) : new All(flat);
  }

  /** The disjunction of {@code parts}, flattened; {@code parts} is not empty. */
  static RowPredicate any(List<RowPredicate> parts) {
    List<RowPredicate> flat =
        parts.stream()
            .flatMap(
                part -> part instanceof Any any ? any.parts().stream() : List.of(part).stream())
            .toList();
    return flat.size() == 1 ? flat.get(0) : new Any(flat);
  }

  private static List<RowPredicate> requireParts(List<RowPredicate> parts) {
    if (parts.isEmpty()) {
      throw new IllegalArgumentException(
          "Cannot combine predicates: there were none; a condition without parts is no condition");
    }
    return List.copyOf(parts);
  }
}
