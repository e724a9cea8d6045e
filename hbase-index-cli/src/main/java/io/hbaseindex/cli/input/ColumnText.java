/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.input;

import io.hbaseindex.cli.exit.RefusedCommandException;
import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.IndexFamily;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Columns as they are typed: {@code family:qualifier}, odd bytes as {@code \xHH}. Characters beyond
 * ASCII stand for their bytes in UTF-8.
 */
@InterfaceAudience.Private
public final class ColumnText {
  /** What Java makes of bytes in an argument that are no characters in the terminal's encoding. */
  private static final char UNREADABLE = '\uFFFD';

  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private ColumnText() {}

  /**
   * Reads a column.
   *
   * @throws IllegalArgumentException if it is none; the message says how to write one
   */
  public static ColumnRef parse(String text) {
    int colon = text.indexOf(':');
    if (colon < 1) {
      throw new IllegalArgumentException(
          "column was \"" + text + "\"; write family:qualifier, such as f:email");
    }
    if (text.indexOf(UNREADABLE) >= 0) {
      throw new IllegalArgumentException(
          "column was \""
              + text
              + "\", with a character that this terminal's encoding does not have;"
              + " set LC_ALL to a locale with UTF-8, or write its bytes as \\xHH");
    }
    return ColumnRef.parse(printable(text));
  }

  /** The text as definitions have it: only printable ASCII. */
  private static String printable(String text) {
    StringBuilder printable = new StringBuilder(text.length());
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      if (b > ' ' && b < 0x7F) {
        printable.append((char) b);
      } else {
        printable.append("\\x").append(HEX.toHexDigits(b));
      }
    }
    return printable.toString();
  }

  /** Passes if the table has the families of these columns. */
  public static void requireFamilies(TableDescriptor table, Collection<ColumnRef> columns)
      throws RefusedCommandException {
    if (table.getColumnFamilyCount() == 0) {
      // Nobody tells this user what families there are; HBase judges the scan.
      return;
    }
    for (ColumnRef column : columns) {
      if (!table.hasColumnFamily(column.family())) {
        String known =
            Arrays.stream(table.getColumnFamilies())
                .map(ColumnFamilyDescriptor::getNameAsString)
                .filter(name -> !name.equals(IndexFamily.NAME))
                .collect(Collectors.joining(", "));
        throw new RefusedCommandException(
            "Table %s has no column %s: its families are %s"
                .formatted(table.getTableName(), column, known));
      }
    }
  }
}
