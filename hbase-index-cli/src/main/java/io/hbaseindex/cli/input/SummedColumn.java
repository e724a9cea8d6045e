/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.input;

import io.hbaseindex.client.query.Column;
import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.ValueType;
import java.util.Optional;
import java.util.function.Function;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A column that is to be added up, as it is typed: {@code f:amount} or {@code f:amount=long}.
 *
 * @param type of its numbers; empty for what an index declares
 */
@InterfaceAudience.Private
public record SummedColumn(ColumnRef column, Optional<ValueType> type) {

  /**
   * Reads the column.
   *
   * @throws IllegalArgumentException if it makes no sense; the message says what to write
   */
  public static SummedColumn parse(String text) {
    int sign = text.lastIndexOf('=');
    try {
      return sign < 0
          ? new SummedColumn(ColumnText.parse(text), Optional.empty())
          : new SummedColumn(
              ColumnText.parse(text.substring(0, sign)),
              Optional.of(ValueType.parse(text.substring(sign + 1))));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--sum: " + e.getMessage(), e);
    }
  }

  /**
   * The column with its type.
   *
   * @param declared what indexes say that columns hold
   */
  public Column typed(Function<ColumnRef, ValueType> declared) {
    return Column.of(column.family(), column.qualifier())
        .as(type.orElseGet(() -> declared.apply(column)));
  }
}
