/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.common.query;

import io.hbaseindex.core.definition.ValueType;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.types.DataType;
import org.apache.hadoop.hbase.types.OrderedFloat32;
import org.apache.hadoop.hbase.types.OrderedFloat64;
import org.apache.hadoop.hbase.types.OrderedInt16;
import org.apache.hadoop.hbase.types.OrderedInt32;
import org.apache.hadoop.hbase.types.OrderedInt64;
import org.apache.hadoop.hbase.types.OrderedNumeric;
import org.apache.hadoop.hbase.types.OrderedString;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.OrderedBytes;
import org.apache.hadoop.hbase.util.PositionedByteRange;
import org.apache.hadoop.hbase.util.SimplePositionedMutableByteRange;
import org.apache.yetus.audience.InterfaceAudience;

/** Reads values out of cells by their types, alike on clients and servers. */
@InterfaceAudience.Private
public final class TypedCells {
  /** The digits of a number that can be added up, before and behind its point. */
  private static final int MAX_DIGITS = 2_000;

  /** First bytes of ordered decimals whose exponent follows. */
  private static final byte NEGATIVE_LARGE = 0x08;

  private static final byte NEGATIVE_SMALL = 0x14;
  private static final byte POSITIVE_SMALL = 0x16;
  private static final byte POSITIVE_LARGE = 0x22;
  private static final int MAX_EXPONENT_BYTE = 248;

  private TypedCells() {}

  /** Whether values of a type are numbers. */
  public static boolean areNumbers(ValueType type) {
    return switch (type) {
      case BYTES, STRING, BOOLEAN, ORDERED_STRING -> false;
      default -> true;
    };
  }

  /**
   * What a cell of a column holds: a number, a truth value or a text; empty if it is no value of
   * the type, or the type is bytes.
   */
  public static Optional<Object> read(ValueType type, byte[] cell) {
    if (type.width() > 0 && cell.length != type.width()) {
      return Optional.empty();
    }
    return switch (type) {
      case BYTES -> Optional.empty();
      case STRING -> text(cell);
      case BOOLEAN -> Optional.of(Bytes.toBoolean(cell));
      case LONG -> Optional.of(Bytes.toLong(cell));
      case INT -> Optional.of(Bytes.toInt(cell));
      case SHORT -> Optional.of(Bytes.toShort(cell));
      case DOUBLE -> Optional.of(Bytes.toDouble(cell));
      case FLOAT -> Optional.of(Bytes.toFloat(cell));
      case DECIMAL -> Optional.ofNullable(Bytes.toBigDecimal(cell));
      case ORDERED_LONG -> ordered(cell, OrderedBytes::isFixedInt64, OrderedInt64.ASCENDING);
      case ORDERED_INT -> ordered(cell, OrderedBytes::isFixedInt32, OrderedInt32.ASCENDING);
      case ORDERED_SHORT -> ordered(cell, OrderedBytes::isFixedInt16, OrderedInt16.ASCENDING);
      case ORDERED_DOUBLE -> ordered(cell, OrderedBytes::isFixedFloat64, OrderedFloat64.ASCENDING);
      case ORDERED_FLOAT -> ordered(cell, OrderedBytes::isFixedFloat32, OrderedFloat32.ASCENDING);
      case ORDERED_DECIMAL ->
          hasLongExponent(cell)
              ? Optional.empty()
              : ordered(cell, OrderedBytes::isNumeric, OrderedNumeric.ASCENDING);
      case ORDERED_STRING -> ordered(cell, OrderedBytes::isText, OrderedString.ASCENDING);
    };
  }

  private static Optional<Object> text(byte[] cell) {
    try {
      return Optional.of(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(cell)).toString());
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }

  /**
   * Whether an ordered decimal is larger, or closer to zero, than numbers of some 4,500 digits.
   * HBase writes out all zeros of an exponent, and a few bytes may stand for gigabytes of them.
   *
   * <p>Behind the first byte of such numbers stands the exponent, of base 100, turned around in two
   * of four cases so that numbers sort by their bytes. Its first byte says how many follow if it is
   * above 248.
   */
  private static boolean hasLongExponent(byte[] cell) {
    if (cell.length < 2) {
      return false;
    }
    int first =
        switch (cell[0]) {
          case NEGATIVE_LARGE, POSITIVE_SMALL -> ~cell[1] & 0xFF;
          case NEGATIVE_SMALL, POSITIVE_LARGE -> cell[1] & 0xFF;
          default -> 0;
        };
    return first > MAX_EXPONENT_BYTE;
  }

  /** What HBase's own type reads, in its rising form; empty if it would not write the same. */
  private static <T> Optional<Object> ordered(
      byte[] cell, Predicate<PositionedByteRange> isOfType, DataType<T> type) {
    PositionedByteRange range = new SimplePositionedMutableByteRange(cell);
    // The first byte of the falling form has its highest bit set.
    if (cell.length == 0 || cell[0] < 0 || !isOfType.test(range)) {
      return Optional.empty();
    }
    try {
      T value = type.decode(range);
      byte[] written = new byte[type.encodedLength(value)];
      type.encode(new SimplePositionedMutableByteRange(written), value);
      return Arrays.equals(written, cell) ? Optional.of(value) : Optional.empty();
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      // Behind the first byte, which says the type, comes what is no value of it.
      return Optional.empty();
    }
  }

  /**
   * The exact number that a cell holds; empty if it is no value of the type, is not finite, or has
   * more digits than can be added up without harm.
   */
  static Optional<BigDecimal> number(ValueType type, byte[] cell) {
    return read(type, cell).flatMap(TypedCells::exact);
  }

  private static Optional<BigDecimal> exact(Object value) {
    if (value instanceof BigDecimal decimal) {
      long scale = decimal.scale();
      return Math.abs(scale) <= MAX_DIGITS && decimal.unscaledValue().bitLength() <= MAX_DIGITS * 3
          ? Optional.of(decimal)
          : Optional.empty();
    }
    if (value instanceof Double || value instanceof Float) {
      double number = ((Number) value).doubleValue();
      return Double.isFinite(number) ? Optional.of(new BigDecimal(number)) : Optional.empty();
    }
    return value instanceof Number number
        ? Optional.of(BigDecimal.valueOf(number.longValue()))
        : Optional.empty();
  }
}
