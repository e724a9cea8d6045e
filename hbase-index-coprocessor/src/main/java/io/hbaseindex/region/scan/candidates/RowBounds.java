/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan.candidates;

import java.util.Arrays;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.yetus.audience.InterfaceAudience;

/** The rows a scan asks for: from {@code first} to before {@code end}, which is empty if open. */
@InterfaceAudience.Private
public record RowBounds(byte[] first, byte[] end) {

  public static RowBounds of(Scan scan) {
    byte[] start = scan.getStartRow();
    byte[] stop = scan.getStopRow();
    return new RowBounds(
        scan.includeStartRow() ? start : after(start),
        scan.includeStopRow() && stop.length > 0 ? after(stop) : stop);
  }

  /** The row key that follows {@code row} directly in the order of keys. */
  public static byte[] after(byte[] row) {
    return Arrays.copyOf(row, row.length + 1);
  }

  boolean hasEnd() {
    return end.length > 0;
  }
}
