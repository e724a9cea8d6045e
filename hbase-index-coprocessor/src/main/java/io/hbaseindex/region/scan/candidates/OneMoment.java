/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan.candidates;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.PackagePrivateFieldAccessor;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.Region.Operation;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Opens scanners of a region that all show the same moment: the read point of the first one.
 *
 * <p>HBase keeps what is visible at a read point for as long as a scanner with it is open, so the
 * first one stays open until the end. For one scan, and so for one thread at a time.
 */
@InterfaceAudience.Private
public final class OneMoment implements Closeable {
  private final Region region;

  /** Null before the first scanner has been opened. */
  private RegionScanner first;

  private OneMoment(Region region, RegionScanner first) {
    this.region = region;
    this.first = first;
  }

  /** The moment of a scanner that is open, and that somebody else closes. */
  public static OneMoment of(Region region, RegionScanner open) {
    return new OneMoment(region, open);
  }

  /** The moment in which the first scanner will be opened. */
  public static OneMoment toCome(Region region) {
    return new OneMoment(region, null);
  }

  /** Opens a scanner, to be closed by {@link #close(RegionScanner)}. */
  public RegionScanner open(Scan scan) throws IOException {
    if (first == null) {
      first = region.getScanner(scan);
      return first;
    }
    PackagePrivateFieldAccessor.setMvccReadPoint(scan, first.getMvccReadPoint());
    return region.getScanner(scan);
  }

  /**
   * Reads the first cells of rows within a single operation of the region. To begin and end an
   * operation, with the hooks of all coprocessors, costs more than a third of reading such a row.
   *
   * @param rows how many at most
   * @return whether there may be more
   */
  boolean read(RegionScanner scanner, int rows, Collection<Cell> into) throws IOException {
    List<Cell> cells = new ArrayList<>(1);
    boolean more = true;
    region.startRegionOperation(Operation.SCAN);
    try {
      for (int row = 0; more && row < rows; row++) {
        more = scanner.nextRaw(cells);
        if (!cells.isEmpty()) {
          into.add(cells.get(0));
          cells.clear();
        }
      }
    } finally {
      region.closeRegionOperation(Operation.SCAN);
    }
    return more;
  }

  /** Closes a scanner that is not needed any more, unless it keeps the moment. */
  public void close(RegionScanner scanner) throws IOException {
    if (scanner != first) {
      scanner.close();
    }
  }

  /** Ends the moment; scanners that are still open are closed by those who opened them. */
  @Override
  public void close() throws IOException {
    if (first != null) {
      first.close();
    }
  }
}
