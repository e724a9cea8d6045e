/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.query;

import java.util.Arrays;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A value of a column, and how many rows show it.
 *
 * @param value the value's bytes
 * @param rows the number of rows, at least one
 */
@InterfaceAudience.Public
public record ValueCount(byte[] value, long rows) {
  @Override
  public boolean equals(Object other) {
    return other instanceof ValueCount that
        && rows == that.rows
        && Arrays.equals(value, that.value);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(value) + Long.hashCode(rows);
  }

  /** The value, printable, and the number. */
  @Override
  public String toString() {
    return Bytes.toStringBinary(value) + ": " + rows;
  }
}
