/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.input;

import io.hbaseindex.cli.output.ValueStyle;
import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.DefinitionException;
import io.hbaseindex.core.definition.ValueType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.yetus.audience.InterfaceAudience;

/** Types of columns as they are typed: {@code f:age=long}. */
@InterfaceAudience.Private
public final class TypedColumns {
  private TypedColumns() {}

  /** What the indexes of a table say that columns hold; bytes if they cannot be read. */
  public static Function<ColumnRef, ValueType> declaredIn(TableDescriptor table) {
    try {
      return IndexedTableDescriptor.indexesOf(table)::typeOf;
    } catch (DefinitionException e) {
      return column -> ValueType.BYTES;
    }
  }

  /**
   * Reads the types of an index.
   *
   * @throws IllegalArgumentException if one makes no sense; the message says what to write
   */
  public static Map<ColumnRef, ValueType> parseTypes(List<String> texts) {
    Map<ColumnRef, ValueType> types = new HashMap<>();
    for (String text : texts) {
      int sign = text.lastIndexOf('=');
      if (sign < 0) {
        throw new IllegalArgumentException(
            "--type was \"" + text + "\"; write family:qualifier=type, such as f:age=long");
      }
      types.put(
          ColumnText.parse(text.substring(0, sign)), ValueType.parse(text.substring(sign + 1)));
    }
    return types;
  }

  /**
   * Reads how columns are shown.
   *
   * @throws IllegalArgumentException if one makes no sense; the message says what to write
   */
  public static Map<ColumnRef, ValueStyle> parse(List<String> texts) {
    Map<ColumnRef, ValueStyle> types = new HashMap<>();
    for (String text : texts) {
      int sign = text.lastIndexOf('=');
      if (sign < 0) {
        throw new IllegalArgumentException(
            "--as was \"" + text + "\"; write family:qualifier=type, such as f:age=long");
      }
      try {
        types.put(
            ColumnText.parse(text.substring(0, sign)), ValueStyle.named(text.substring(sign + 1)));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("--as: " + e.getMessage(), e);
      }
    }
    return types;
  }
}
