/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.output;

import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.ValueType;
import java.util.Map;
import java.util.function.Function;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * How rows are shown.
 *
 * @param chosen for some columns
 * @param declared what other columns hold
 * @param timestamps whether to show when each value was written
 */
@InterfaceAudience.Private
public record RowStyle(
    Map<ColumnRef, ValueStyle> chosen,
    Function<ColumnRef, ValueType> declared,
    boolean timestamps) {
  /** Copies the map. */
  public RowStyle {
    chosen = Map.copyOf(chosen);
  }

  ValueStyle typeOf(ColumnRef column) {
    return chosen.getOrDefault(column, ValueStyle.of(declared.apply(column)));
  }

  /** A table for such rows. */
  public TextTable table() {
    return timestamps
        ? new TextTable("ROW", "COLUMN", "TIMESTAMP", "VALUE")
        : new TextTable("ROW", "COLUMN", "VALUE");
  }
}
