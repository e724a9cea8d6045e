/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.context;

import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;

/** A row key for an error message: escaped, and cut where it would flood the log. */
@InterfaceAudience.Private
public final class PrintableRow {
  private static final int MAX_BYTES = 64;

  private PrintableRow() {}

  public static String of(byte[] row) {
    if (row.length <= MAX_BYTES) {
      return Bytes.toStringBinary(row);
    }
    return Bytes.toStringBinary(row, 0, MAX_BYTES) + "… (" + row.length + " bytes)";
  }
}
