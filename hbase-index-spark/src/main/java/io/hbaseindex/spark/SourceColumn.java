/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.spark;

import io.hbaseindex.client.query.Column;
import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.ValueType;
import java.io.Serializable;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;

/**
 * A column of a DataFrame, and what of an HBase row is in it.
 *
 * @param name how Spark knows it
 * @param ref the column of the table; null for the row's key
 * @param type how cells hold its values
 * @param precision how many digits a decimal has at most
 * @param scale how many of them are behind the point
 */
record SourceColumn(String name, ColumnRef ref, ValueType type, int precision, int scale)
    implements Serializable {
  /** What Spark takes for a decimal of which nothing is said. */
  static final int DEFAULT_PRECISION = 38;

  static final int DEFAULT_SCALE = 18;

  static SourceColumn of(String name, ColumnRef ref, ValueType type) {
    return new SourceColumn(name, ref, type, DEFAULT_PRECISION, DEFAULT_SCALE);
  }

  boolean isKey() {
    return ref == null;
  }

  /** The column to make conditions on. */
  Column column() {
    return Column.of(ref.family(), ref.qualifier()).as(type);
  }

  DataType dataType() {
    return switch (type) {
      case BYTES -> DataTypes.BinaryType;
      case STRING, ORDERED_STRING -> DataTypes.StringType;
      case BOOLEAN -> DataTypes.BooleanType;
      case LONG, ORDERED_LONG -> DataTypes.LongType;
      case INT, ORDERED_INT -> DataTypes.IntegerType;
      case SHORT, ORDERED_SHORT -> DataTypes.ShortType;
      case DOUBLE, ORDERED_DOUBLE -> DataTypes.DoubleType;
      case FLOAT, ORDERED_FLOAT -> DataTypes.FloatType;
      case DECIMAL, ORDERED_DECIMAL -> DataTypes.createDecimalType(precision, scale);
    };
  }

  /** The field of a schema; only a row's key is always there. */
  StructField field() {
    return DataTypes.createStructField(name, dataType(), !isKey());
  }

  /** How the column is written in messages. */
  @Override
  public String toString() {
    return isKey() ? "the row key" : ref.toString();
  }
}
