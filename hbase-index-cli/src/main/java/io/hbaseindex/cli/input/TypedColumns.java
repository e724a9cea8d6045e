/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.input;

import io.hbaseindex.cli.output.ValueType;
import io.hbaseindex.core.definition.ColumnRef;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.yetus.audience.InterfaceAudience;

/** Types of columns as they are typed: {@code f:age=long}. */
@InterfaceAudience.Private
public final class TypedColumns {
  private TypedColumns() {}

  /**
   * Reads the types.
   *
   * @throws IllegalArgumentException if one makes no sense; the message says what to write
   */
  public static Map<ColumnRef, ValueType> parse(List<String> texts) {
    Map<ColumnRef, ValueType> types = new HashMap<>();
    for (String text : texts) {
      int sign = text.lastIndexOf('=');
      if (sign < 0) {
        throw new IllegalArgumentException(
            "--as was \"" + text + "\"; write family:qualifier=type, such as f:age=long");
      }
      try {
        types.put(
            ColumnText.parse(text.substring(0, sign)), ValueType.named(text.substring(sign + 1)));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("--as: " + e.getMessage(), e);
      }
    }
    return types;
  }
}
