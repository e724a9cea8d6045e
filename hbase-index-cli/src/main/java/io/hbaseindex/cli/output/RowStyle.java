/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.output;

import io.hbaseindex.core.definition.ColumnRef;
import java.util.Map;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * How rows are shown.
 *
 * @param types of columns whose values are no text
 * @param timestamps whether to show when each value was written
 */
@InterfaceAudience.Private
public record RowStyle(Map<ColumnRef, ValueType> types, boolean timestamps) {
  /** Copies the map. */
  public RowStyle {
    types = Map.copyOf(types);
  }

  ValueType typeOf(ColumnRef column) {
    return types.getOrDefault(column, ValueType.TEXT);
  }

  /** A table for such rows. */
  public TextTable table() {
    return timestamps
        ? new TextTable("ROW", "COLUMN", "TIMESTAMP", "VALUE")
        : new TextTable("ROW", "COLUMN", "VALUE");
  }
}
