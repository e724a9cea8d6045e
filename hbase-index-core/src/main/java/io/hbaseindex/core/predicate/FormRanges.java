/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.predicate;

import io.hbaseindex.core.definition.ValueType;
import io.hbaseindex.core.entry.PostingForm;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Where in an index the cells of a range are: HBase's filters compare the bytes of cells, postings
 * are sorted by the {@link PostingForm} of their type.
 *
 * <p>Bytes in order are numbers in order, but for the sign: those with the first bit set lie below
 * the others in an index, and backwards if they are floating. So a range of bytes is up to two
 * ranges of numbers, beside one of the cells that are no numbers.
 */
@InterfaceAudience.Private
public final class FormRanges {
  private static final byte[] ALL_VALUES = {PostingForm.VALUE};
  private static final byte[] ALL_OTHERS = {PostingForm.OTHER};
  private static final byte[] END = {PostingForm.OTHER + 1};

  private FormRanges() {}

  /**
   * The ranges of forms that hold just the cells of a range of bytes, in order and apart from each
   * other; empty if there are too many of them.
   */
  public static Optional<List<ValueRange>> of(ValueType type, ValueRange cells) {
    if (type.encoding() == ValueType.Encoding.AS_IT_IS) {
      return Optional.of(List.of(cells));
    }
    if (cells.isSingleValue()) {
      return Optional.of(List.of(ValueRange.equalTo(PostingForm.of(type, cells.lower()))));
    }
    if (cells.lower().length == 0 && cells.upper().isEmpty()) {
      return Optional.of(List.of(ValueRange.from(ALL_VALUES, Optional.of(END))));
    }
    if (type.encoding() == ValueType.Encoding.DECIMAL) {
      return Optional.empty();
    }
    List<ValueRange> ranges = new ArrayList<>(numbers(type, cells));
    byte[] lower = join(PostingForm.OTHER, cells.lower());
    byte[] upper = cells.upper().map(bound -> join(PostingForm.OTHER, bound)).orElse(END);
    ranges.add(ValueRange.from(lower, Optional.of(upper)));
    ranges.removeIf(ValueRange::isEmpty);
    return Optional.of(ranges);
  }

  /**
   * The ranges of forms that hold what a condition allows in a column: cells by their bytes, or
   * numbers by their form, beside which cells that are no numbers may stand. Empty if there are too
   * many of them, or if the numbers are of another type.
   *
   * @param type of the column
   * @param order what the range is of: bytes of cells, or forms of values of a type
   */
  public static Optional<List<ValueRange>> of(ValueType type, ValueType order, ValueRange range) {
    if (order == ValueType.BYTES) {
      return of(type, range);
    }
    return order == type ? Optional.of(List.of(range, others())) : Optional.empty();
  }

  /** All cells of a column that are no values of its type. */
  public static ValueRange others() {
    return ValueRange.from(ALL_OTHERS, Optional.of(END));
  }

  /** The values below all whose form begins with this. */
  public static ValueRange below(byte[] form) {
    return ValueRange.from(ALL_VALUES, Optional.of(form));
  }

  /** The values from those on whose form begins with this. */
  public static ValueRange from(byte[] form) {
    return ValueRange.from(form, Optional.of(ALL_OTHERS));
  }

  private static List<ValueRange> numbers(ValueType type, ValueRange cells) {
    int width = type.width();
    BigInteger end = BigInteger.ONE.shiftLeft(8 * width);
    BigInteger half = end.shiftRight(1);
    BigInteger lower = ceiling(cells.lower(), width);
    BigInteger upper = cells.upper().map(bound -> ceiling(bound, width)).orElse(end);
    List<ValueRange> ranges = new ArrayList<>();
    BigInteger from = lower.max(half);
    if (type.encoding() == ValueType.Encoding.FLOATING) {
      add(ranges, end.subtract(upper), end.subtract(from), width);
    } else {
      add(ranges, from.subtract(half), upper.subtract(half), width);
    }
    add(ranges, lower.add(half), upper.min(half).add(half), width);
    return merged(ranges);
  }

  /** The lowest number of a width whose bytes are not below the given ones. */
  private static BigInteger ceiling(byte[] bytes, int width) {
    BigInteger number = new BigInteger(1, Arrays.copyOf(bytes, width));
    return bytes.length > width ? number.add(BigInteger.ONE) : number;
  }

  private static void add(List<ValueRange> ranges, BigInteger from, BigInteger to, int width) {
    if (from.compareTo(to) < 0) {
      byte[] upper = to.bitLength() > 8 * width ? ALL_OTHERS : form(to, width);
      ranges.add(ValueRange.from(form(from, width), Optional.of(upper)));
    }
  }

  private static byte[] form(BigInteger number, int width) {
    byte[] bytes = number.toByteArray();
    byte[] form = new byte[1 + width];
    int length = Math.min(bytes.length, width);
    System.arraycopy(bytes, bytes.length - length, form, form.length - length, length);
    form[0] = PostingForm.VALUE;
    return form;
  }

  /** Two ranges that touch as one. */
  private static List<ValueRange> merged(List<ValueRange> ranges) {
    ranges.sort(Comparator.comparing(ValueRange::lower, Arrays::compareUnsigned));
    boolean touch =
        ranges.size() == 2
            && Arrays.equals(ranges.get(0).upper().orElseThrow(), ranges.get(1).lower());
    return touch ? List.of(ValueRange.from(ranges.get(0).lower(), ranges.get(1).upper())) : ranges;
  }

  private static byte[] join(byte mark, byte[] cell) {
    byte[] form = new byte[1 + cell.length];
    form[0] = mark;
    System.arraycopy(cell, 0, form, 1, cell.length);
    return form;
  }
}
