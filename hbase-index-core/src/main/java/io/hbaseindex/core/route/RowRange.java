/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.route;

import java.util.Arrays;
import java.util.HexFormat;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The row keys from {@code start}, included, to {@code end}, excluded, in unsigned byte order. An
 * empty start or end is no bound, as in HBase. The arrays are owned by the range: nobody writes
 * them.
 */
@InterfaceAudience.Public
public record RowRange(byte[] start, byte[] end) {
  private static final byte[] UNBOUNDED = {};

  /** Every row key. */
  public static final RowRange ALL = new RowRange(UNBOUNDED, UNBOUNDED);

  /** Refuses a range whose end is not above its start. */
  public RowRange {
    if (end.length != 0 && Arrays.compareUnsigned(start, end) >= 0) {
      throw new IllegalArgumentException(
          "Cannot make a row range: start was "
              + HexFormat.of().formatHex(start)
              + ", not below its end "
              + HexFormat.of().formatHex(end));
    }
  }

  /** Whether a key lies in the range. */
  public boolean contains(byte[] key) {
    return Arrays.compareUnsigned(start, key) <= 0 && isBelowEnd(key);
  }

  /** Whether some key lies in both ranges. */
  public boolean overlaps(RowRange other) {
    return isBelowEnd(other.start) && other.isBelowEnd(start);
  }

  /** Whether a key lies below the end of the range. */
  public boolean isBelowEnd(byte[] key) {
    return end.length == 0 || Arrays.compareUnsigned(key, end) < 0;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RowRange range
        && Arrays.equals(start, range.start)
        && Arrays.equals(end, range.end);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(start) + Arrays.hashCode(end);
  }

  @Override
  public String toString() {
    return "[" + HexFormat.of().formatHex(start) + ", " + HexFormat.of().formatHex(end) + ")";
  }
}
