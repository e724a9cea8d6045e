/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.common.query;

import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.ValueType;
import io.hbaseindex.core.entry.DecimalForm;
import io.hbaseindex.core.predicate.FormRanges;
import io.hbaseindex.core.predicate.RowPredicate;
import io.hbaseindex.core.predicate.ValueRange;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.filter.BigDecimalComparator;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * What HBase's comparators of numbers say of a column.
 *
 * <p>{@code LongComparator} fails on a cell of another length than eight bytes, or, where the cell
 * lies outside of the heap, takes its first eight bytes, and those behind it if it is shorter. So a
 * longer cell is judged by its first eight bytes here, too, and of shorter ones nothing is known.
 * {@code BigDecimalComparator} fails on cells of less than five bytes, and reads every other one.
 */
final class NumberComparison {
  private static final byte[] NEGATIVE = {(byte) 0x80};

  private NumberComparison() {}

  /** The condition that all rows meet which the comparison lets through; empty if it is none. */
  static Optional<RowPredicate> of(
      ColumnRef column, CompareOperator operator, ByteArrayComparable comparator) {
    if (comparator.getClass() == BigDecimalComparator.class) {
      return DecimalForm.numberOf(Bytes.toBigDecimal(comparator.getValue()))
          .flatMap(number -> ofDecimals(operator, number))
          .map(range -> new RowPredicate.Column(column, range, ValueType.DECIMAL));
    }
    List<ValueRange> ranges = ofLongs(operator, comparator.getValue());
    return ranges.isEmpty()
        ? Optional.empty()
        : Optional.of(
            RowPredicate.any(
                ranges.stream()
                    .map(range -> (RowPredicate) new RowPredicate.Column(column, range))
                    .toList()));
  }

  private static Optional<ValueRange> ofDecimals(CompareOperator operator, byte[] number) {
    ValueRange same = ValueRange.startingWith(number);
    return switch (operator) {
      case EQUAL -> Optional.of(same);
      case LESS -> Optional.of(FormRanges.below(number));
      case LESS_OR_EQUAL -> Optional.of(FormRanges.below(same.upper().orElseThrow()));
      case GREATER -> Optional.of(FormRanges.from(same.upper().orElseThrow()));
      case GREATER_OR_EQUAL -> Optional.of(FormRanges.from(number));
      case NOT_EQUAL, NO_OP -> Optional.empty();
    };
  }

  /** Ranges of cells by their first eight bytes. */
  private static List<ValueRange> ofLongs(CompareOperator operator, byte[] number) {
    ValueRange same = ValueRange.startingWith(number);
    return switch (operator) {
      case EQUAL -> List.of(same);
      case LESS -> below(number, Optional.of(number));
      case LESS_OR_EQUAL -> below(number, same.upper());
      case GREATER -> above(number, same.upper());
      case GREATER_OR_EQUAL -> above(number, Optional.of(number));
      case NOT_EQUAL, NO_OP -> List.of();
    };
  }

  private static List<ValueRange> below(byte[] number, Optional<byte[]> end) {
    ValueRange negative = ValueRange.from(NEGATIVE, Optional.empty());
    return number[0] < 0
        ? List.of(ValueRange.from(NEGATIVE, end))
        : List.of(ValueRange.from(new byte[0], end), negative);
  }

  /**
   * @param start absent if there is no higher number of the same sign
   */
  private static List<ValueRange> above(byte[] number, Optional<byte[]> start) {
    ValueRange positive = ValueRange.from(new byte[0], Optional.of(NEGATIVE));
    if (number[0] >= 0) {
      return List.of(ValueRange.from(start.orElseThrow(), Optional.of(NEGATIVE)));
    }
    return start.isEmpty()
        ? List.of(positive)
        : List.of(positive, ValueRange.from(start.get(), Optional.empty()));
  }
}
