/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.check;

import io.hbaseindex.core.definition.IndexFamily;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionScanner;

/**
 * A read point that the region remembers until this is closed: no compaction drops what is visible
 * at it, and whoever reads at it sees all rows and postings as of one moment.
 */
final class PinnedReadPoint implements AutoCloseable {

  private static final byte[] HIDDEN = IndexFamily.bytes();

  /**
   * A scanner that is never asked for anything; regions keep read points by their open scanners.
   */
  private final RegionScanner pin;

  private PinnedReadPoint(RegionScanner pin) {
    this.pin = pin;
  }

  static PinnedReadPoint of(Region region) throws IOException {
    byte[] row = region.getRegionInfo().getStartKey();
    Scan scan = new Scan().withStartRow(row, true).withStopRow(row, true).addFamily(HIDDEN);
    return new PinnedReadPoint(region.getScanner(scan));
  }

  long get() {
    return pin.getMvccReadPoint();
  }

  @Override
  public void close() throws IOException {
    pin.close();
  }
}
