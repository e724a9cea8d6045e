/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.spark;

import io.hbaseindex.client.query.TypedValue;
import io.hbaseindex.client.query.Value;
import io.hbaseindex.core.definition.ValueType;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.Optional;
import org.apache.hadoop.hbase.types.OrderedFloat32;
import org.apache.hadoop.hbase.types.OrderedFloat64;
import org.apache.hadoop.hbase.types.OrderedInt16;
import org.apache.hadoop.hbase.types.OrderedInt32;
import org.apache.hadoop.hbase.types.OrderedInt64;
import org.apache.hadoop.hbase.types.OrderedNumeric;
import org.apache.hadoop.hbase.types.OrderedString;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.OrderedBytes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Cells as Spark's own values, and back. Text is taken as the bytes it is: Spark compares it by
 * them, as HBase does.
 */
final class CellValues {
  private static final byte TRUE = Bytes.toBytes(true)[0];
  private static final byte FALSE = Bytes.toBytes(false)[0];

  private CellValues() {}

  /**
   * What a cell holds, as Spark keeps it in rows.
   *
   * @param key of the row, for the message
   * @throws IOException if it is no value of the column's type
   */
  static Object read(SourceColumn column, byte[] cell, byte[] key) throws IOException {
    Object value =
        switch (column.type()) {
          case BYTES -> cell;
          case STRING -> UTF8String.fromBytes(cell);
          case BOOLEAN -> truth(cell);
          default ->
              TypedValue.read(column.type(), cell).map(read -> internal(read, column)).orElse(null);
        };
    if (value == null) {
      throw new IOException(
          "Cannot read column %s of row %s: %s held %s, which is no %s; declare the column as bytes, or as what it holds"
              .formatted(
                  column.name(),
                  Bytes.toStringBinary(key),
                  column,
                  Bytes.toStringBinary(cell),
                  column.dataType().simpleString()));
    }
    return value;
  }

  /** HBase reads any byte but 0 for true; a condition finds the one that HBase writes. */
  private static Boolean truth(byte[] cell) {
    return cell.length == 1 && (cell[0] == TRUE || cell[0] == FALSE) ? cell[0] == TRUE : null;
  }

  private static Object internal(Object value, SourceColumn column) {
    if (value instanceof String text) {
      return UTF8String.fromString(text);
    }
    return value instanceof BigDecimal number ? exact(number, column) : value;
  }

  /** The number itself, or nothing: to round it would give another one than conditions see. */
  private static Decimal exact(BigDecimal number, SourceColumn column) {
    // So many digits are too many; to write them all out first may take a lot of memory.
    if (number.signum() != 0
        && (long) number.precision() - number.scale() > column.precision() - column.scale()) {
      return null;
    }
    BigDecimal stripped = number.signum() == 0 ? BigDecimal.ZERO : number.stripTrailingZeros();
    return stripped.scale() > column.scale()
        ? null
        : Decimal.apply(stripped.setScale(column.scale()), column.precision(), column.scale());
  }

  /**
   * The value by whose bytes cells are compared with one of Spark's; empty if no cell can be.
   *
   * @param literal as Spark keeps it in expressions
   */
  static Optional<Value> write(ValueType type, Object literal) {
    return Optional.ofNullable(
        switch (type) {
          case BYTES -> literal instanceof byte[] bytes ? Value.of(bytes) : null;
          case STRING -> literal instanceof UTF8String text ? Value.of(text.getBytes()) : null;
          case BOOLEAN -> literal instanceof Boolean truth ? Value.of(truth.booleanValue()) : null;
          case LONG -> literal instanceof Long number ? Value.of(number.longValue()) : null;
          case INT -> literal instanceof Integer number ? Value.of(number.intValue()) : null;
          case SHORT -> literal instanceof Short number ? Value.of(number.shortValue()) : null;
          case DOUBLE -> literal instanceof Double number ? Value.of(number.doubleValue()) : null;
          case FLOAT -> literal instanceof Float number ? Value.ofFloat(number) : null;
          case DECIMAL ->
              literal instanceof Decimal number ? Value.of(number.toJavaBigDecimal()) : null;
          case ORDERED_LONG ->
              literal instanceof Long number ? Value.of(OrderedInt64.ASCENDING, number) : null;
          case ORDERED_INT ->
              literal instanceof Integer number ? Value.of(OrderedInt32.ASCENDING, number) : null;
          case ORDERED_SHORT ->
              literal instanceof Short number ? Value.of(OrderedInt16.ASCENDING, number) : null;
          case ORDERED_DOUBLE ->
              literal instanceof Double number ? Value.of(OrderedFloat64.ASCENDING, number) : null;
          case ORDERED_FLOAT ->
              literal instanceof Float number ? Value.of(OrderedFloat32.ASCENDING, number) : null;
          case ORDERED_DECIMAL ->
              literal instanceof Decimal number ? orderedNumber(number.toJavaBigDecimal()) : null;
          case ORDERED_STRING ->
              literal instanceof UTF8String text ? orderedText(text.toString()) : null;
        });
  }

  /** HBase rounds longer ones. */
  private static Value orderedNumber(BigDecimal number) {
    return number.precision() <= OrderedBytes.MAX_PRECISION
        ? Value.of(OrderedNumeric.ASCENDING, number)
        : null;
  }

  /** HBase ends a text by a zero, and refuses others in it. */
  private static Value orderedText(String text) {
    return text.indexOf('\0') < 0 ? Value.of(OrderedString.ASCENDING, text) : null;
  }
}
