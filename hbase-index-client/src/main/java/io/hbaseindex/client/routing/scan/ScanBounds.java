/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.scan;

import io.hbaseindex.core.route.RowRange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Scan;

/** Cuts a forward scan down to a range of keys. */
final class ScanBounds {
  private ScanBounds() {}

  /** The part of the scan that lies within the range; empty if there is none. */
  static Optional<Scan> within(Scan scan, RowRange range) {
    Scan part;
    try {
      part = new Scan(scan);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot copy a scan", e);
    }
    byte[] start = scan.getStartRow();
    if (Arrays.compareUnsigned(range.start(), start) > 0) {
      part.withStartRow(range.start(), true);
    }
    byte[] stop = scan.getStopRow();
    boolean rangeEndsFirst =
        range.end().length > 0
            && (stop.length == 0 || Arrays.compareUnsigned(range.end(), stop) <= 0);
    if (rangeEndsFirst) {
      part.withStopRow(range.end(), false);
    }
    return isEmpty(part) ? Optional.empty() : Optional.of(part);
  }

  private static boolean isEmpty(Scan scan) {
    byte[] stop = scan.getStopRow();
    if (stop.length == 0) {
      return false;
    }
    int order = Arrays.compareUnsigned(scan.getStartRow(), stop);
    return order > 0 || order == 0 && !(scan.includeStartRow() && scan.includeStopRow());
  }
}
