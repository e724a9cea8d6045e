/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.query;

import io.hbaseindex.common.query.TypedCells;
import io.hbaseindex.core.definition.ValueType;
import io.hbaseindex.core.entry.PostingForm;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import org.apache.hadoop.hbase.types.OrderedFloat32;
import org.apache.hadoop.hbase.types.OrderedFloat64;
import org.apache.hadoop.hbase.types.OrderedInt16;
import org.apache.hadoop.hbase.types.OrderedInt32;
import org.apache.hadoop.hbase.types.OrderedInt64;
import org.apache.hadoop.hbase.types.OrderedNumeric;
import org.apache.hadoop.hbase.types.OrderedString;
import org.apache.yetus.audience.InterfaceAudience;

/** Values of the types that indexes declare: read from text, and out of cells. */
@InterfaceAudience.Public
public final class TypedValue {
  private TypedValue() {}

  /**
   * The value that a text means in a column of a type.
   *
   * @throws IllegalArgumentException if it means none; the message says so
   */
  public static Value parse(ValueType type, String text) {
    try {
      return switch (type) {
        case BYTES, STRING -> Value.of(text);
        case BOOLEAN -> Value.of(truth(text));
        case LONG -> Value.of(Long.parseLong(text));
        case INT -> Value.of(Integer.parseInt(text));
        case SHORT -> Value.of(Short.parseShort(text));
        case DOUBLE -> Value.of(Double.parseDouble(text));
        case FLOAT -> Value.ofFloat(Float.parseFloat(text));
        case DECIMAL -> Value.of(new BigDecimal(text));
        case ORDERED_LONG -> Value.of(OrderedInt64.ASCENDING, Long.valueOf(text));
        case ORDERED_INT -> Value.of(OrderedInt32.ASCENDING, Integer.valueOf(text));
        case ORDERED_SHORT -> Value.of(OrderedInt16.ASCENDING, Short.valueOf(text));
        case ORDERED_DOUBLE -> Value.of(OrderedFloat64.ASCENDING, Double.valueOf(text));
        case ORDERED_FLOAT -> Value.of(OrderedFloat32.ASCENDING, Float.valueOf(text));
        case ORDERED_DECIMAL -> Value.of(OrderedNumeric.ASCENDING, new BigDecimal(text));
        case ORDERED_STRING -> Value.of(OrderedString.ASCENDING, text);
      };
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("\"%s\" is no %s".formatted(text, type.keyword()), e);
    }
  }

  private static boolean truth(String text) {
    if (text.equals("true") || text.equals("false")) {
      return Boolean.parseBoolean(text);
    }
    throw new IllegalArgumentException("it was neither true nor false");
  }

  /**
   * What a cell of a column holds: a number, a truth value or a text; empty if it is no value of
   * the type, or the type is bytes.
   */
  public static Optional<Object> read(ValueType type, byte[] cell) {
    return TypedCells.read(type, cell);
  }

  /**
   * Whether the {@linkplain #order order} places a cell among the values of the type. It does not
   * with what is no value, as NaN, and with decimals that HBase would write in fewer bytes, or that
   * are too long for an index.
   */
  static boolean isPlaced(ValueType type, byte[] cell) {
    return type == ValueType.BYTES
        || !PostingForm.isOther(type, cell)
            && read(type, cell).filter(value -> !isNaN(value)).isPresent();
  }

  private static boolean isNaN(Object value) {
    return value instanceof Double number && number.isNaN()
        || value instanceof Float single && single.isNaN();
  }

  /** Cells in the order of their values; those that are no values of the type come last. */
  static Comparator<byte[]> order(ValueType type) {
    return Comparator.comparing(cell -> PostingForm.of(type, cell), Arrays::compareUnsigned);
  }
}
