/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.query.sum;

import java.util.Arrays;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A value of a column, how many rows show it, and what another column of these rows adds up to.
 *
 * @param value the value's bytes
 * @param rows the number of rows, at least one
 * @param sum of those that have the other column
 */
@InterfaceAudience.Public
public record ValueSum(byte[] value, long rows, Sum sum) {
  @Override
  public boolean equals(Object other) {
    return other instanceof ValueSum that
        && rows == that.rows
        && sum.equals(that.sum)
        && Arrays.equals(value, that.value);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(value) + Long.hashCode(rows);
  }

  /** The value, printable, the number of rows, and the sum. */
  @Override
  public String toString() {
    return Bytes.toStringBinary(value) + ": " + rows + ", " + sum;
  }
}
