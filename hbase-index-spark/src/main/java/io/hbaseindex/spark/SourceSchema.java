/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.spark;

import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.DefinitionException;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.ValueType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * The columns of a DataFrame: those that option {@code columns} names, or else those that the
 * table's indexes know.
 *
 * @param columns in the order of the schema; no two have one name
 */
record SourceSchema(List<SourceColumn> columns) {
  /** The option that says which columns there are: {@code name column [type], …}. */
  static final String COLUMNS = "columns";

  /** How option {@code columns} writes the row's key. */
  static final String KEY = ":key";

  /** What the row's key is called where nobody has named it. */
  private static final String KEY_NAME = "rowkey";

  private static final Pattern COMMA = Pattern.compile(",(?![^(]*\\))");
  private static final Pattern COLUMN =
      Pattern.compile(
          "(\\S+)\\s+(\\S+)(?:\\s+([a-z-]+)(?:\\s*\\(\\s*(\\d+)\\s*,\\s*(\\d+)\\s*\\))?)?");

  /** Refuses names that Spark could not tell apart. */
  SourceSchema {
    columns = List.copyOf(columns);
    Map<String, SourceColumn> byName = new LinkedHashMap<>();
    for (SourceColumn column : columns) {
      SourceColumn other = byName.putIfAbsent(column.name().toLowerCase(Locale.ROOT), column);
      if (other != null) {
        throw new IllegalArgumentException(
            "Cannot read columns: both %s and %s were called %s; name them apart by option columns"
                .formatted(other, column, column.name()));
      }
    }
  }

  /**
   * The columns that the option names.
   *
   * @param indexes of the table; they say what a column holds where the option does not
   */
  static SourceSchema parse(String text, List<IndexDefinition> indexes) {
    List<SourceColumn> columns = new ArrayList<>();
    for (String one : COMMA.split(text.trim())) {
      columns.add(column(one.trim(), indexes));
    }
    return new SourceSchema(columns);
  }

  private static SourceColumn column(String text, List<IndexDefinition> indexes) {
    Matcher parts = COLUMN.matcher(text);
    if (!parts.matches()) {
      throw refused(text, "it was not of the form: name column [type]");
    }
    try {
      ColumnRef ref = parts.group(2).equals(KEY) ? null : ColumnRef.parse(parts.group(2));
      ValueType type =
          parts.group(3) == null ? typeOf(ref, indexes) : ValueType.parse(parts.group(3));
      if (parts.group(4) == null) {
        return SourceColumn.of(parts.group(1), ref, type);
      }
      if (type != ValueType.DECIMAL && type != ValueType.ORDERED_DECIMAL) {
        throw refused(text, "only decimals have a precision and a scale");
      }
      int precision = Integer.parseInt(parts.group(4));
      int scale = Integer.parseInt(parts.group(5));
      if (precision < 1 || precision > SourceColumn.DEFAULT_PRECISION || scale > precision) {
        throw refused(text, "Spark's decimals have 1 to 38 digits, of which the scale is a part");
      }
      return new SourceColumn(parts.group(1), ref, type, precision, scale);
    } catch (DefinitionException e) {
      throw refused(text, e.getMessage());
    }
  }

  private static IllegalArgumentException refused(String text, String why) {
    return new IllegalArgumentException(
        "Cannot read column \"%s\": %s; write columns as in \"id :key string, name f:name string, price f:price decimal(10,2)\""
            .formatted(text, why));
  }

  private static ValueType typeOf(ColumnRef ref, List<IndexDefinition> indexes) {
    return indexes.stream()
        .filter(index -> ref != null && index.columns().contains(ref))
        .map(index -> index.types().get(index.columns().indexOf(ref)))
        .filter(type -> type != ValueType.BYTES)
        .findFirst()
        .orElse(ValueType.BYTES);
  }

  /**
   * The row's key and all columns of the indexes, with the types that these declare. A column is
   * called by its qualifier, or with its family where two families have one of that name.
   */
  static SourceSchema of(List<IndexDefinition> indexes) {
    List<ColumnRef> refs =
        indexes.stream().flatMap(index -> index.allColumns().stream()).distinct().toList();
    List<SourceColumn> columns = new ArrayList<>();
    columns.add(SourceColumn.of(KEY_NAME, null, ValueType.BYTES));
    for (ColumnRef ref : refs) {
      boolean alone =
          refs.stream()
                      .filter(other -> qualifierOf(other).equalsIgnoreCase(qualifierOf(ref)))
                      .count()
                  == 1
              && !qualifierOf(ref).equalsIgnoreCase(KEY_NAME);
      columns.add(
          SourceColumn.of(alone ? qualifierOf(ref) : ref.toString(), ref, typeOf(ref, indexes)));
    }
    return new SourceSchema(columns);
  }

  private static String qualifierOf(ColumnRef ref) {
    String text = ref.toString();
    return text.substring(text.indexOf(':') + 1);
  }

  StructType structType() {
    return new StructType(columns.stream().map(SourceColumn::field).toArray(StructField[]::new));
  }

  /** The column of this name, which Spark writes as the schema does. */
  Optional<SourceColumn> column(String name) {
    return columns.stream().filter(column -> column.name().equals(name)).findFirst();
  }
}
