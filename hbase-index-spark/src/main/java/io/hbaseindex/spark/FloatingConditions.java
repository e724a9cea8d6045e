/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.spark;

import io.hbaseindex.client.query.Column;
import io.hbaseindex.client.query.Condition;
import io.hbaseindex.client.query.Value;
import io.hbaseindex.core.definition.ValueType;
import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Comparisons of floating numbers as Spark has them: NaN is equal to NaN and above all numbers, and
 * 0.0 is equal to -0.0.
 */
final class FloatingConditions {
  private FloatingConditions() {}

  /** For cells as {@link Bytes} writes them. */
  static Optional<Condition> compare(SourceColumn column, String sign, Object literal) {
    if (!(literal instanceof Double) && !(literal instanceof Float)) {
      return Optional.empty();
    }
    if (Double.isNaN(((Number) literal).doubleValue())) {
      return compareToNaN(column, sign);
    }
    Optional<Condition> numbers = PredicateReader.compareValues(column, sign, literal);
    return sign.startsWith(">") ? numbers.map(above -> above.or(isNaN(column))) : numbers;
  }

  private static Optional<Condition> compareToNaN(SourceColumn column, String sign) {
    return Optional.ofNullable(
        switch (sign) {
          case "=", ">=" -> isNaN(column);
          case "<>", "<" -> isNaN(column).not();
          case "<=" -> Conditions.anyValue(column.column());
          default -> null;
        });
  }

  /**
   * It is one of the NaNs, of which there are many, of either sign: behind the infinities, which
   * are the highest numbers by their bytes.
   */
  private static Condition isNaN(SourceColumn column) {
    boolean wide = column.type() == ValueType.DOUBLE;
    Column cells = column.column();
    byte[] high =
        wide ? Bytes.toBytes(Double.POSITIVE_INFINITY) : Bytes.toBytes(Float.POSITIVE_INFINITY);
    byte[] low =
        wide ? Bytes.toBytes(Double.NEGATIVE_INFINITY) : Bytes.toBytes(Float.NEGATIVE_INFINITY);
    byte[] highest = new byte[high.length];
    Arrays.fill(highest, (byte) 0xFF);
    highest[0] = 0x7F;
    return cells
        .greaterThan(Value.of(high))
        .and(cells.atMost(Value.of(highest)))
        .or(cells.greaterThan(Value.of(low)));
  }

  /** For cells as HBase's ordered types write them: NaN is above all, but -0.0 below 0.0. */
  static Optional<Condition> compareOrdered(SourceColumn column, String sign, Object literal) {
    boolean zero = literal instanceof Number number && number.doubleValue() == 0;
    if (!zero) {
      return PredicateReader.compareValues(column, sign, literal);
    }
    Object lower = literal instanceof Double ? (Object) (-0.0) : (Object) (-0.0f);
    Object higher = literal instanceof Double ? (Object) 0.0 : (Object) 0.0f;
    return switch (sign) {
      case "=", "<>" -> {
        Optional<Condition> equal =
            PredicateReader.compareValues(column, "=", lower)
                .flatMap(one -> PredicateReader.compareValues(column, "=", higher).map(one::or));
        yield sign.equals("=") ? equal : equal.map(Condition::not);
      }
      case "<", ">=" -> PredicateReader.compareValues(column, sign, lower);
      default -> PredicateReader.compareValues(column, sign, higher);
    };
  }
}
