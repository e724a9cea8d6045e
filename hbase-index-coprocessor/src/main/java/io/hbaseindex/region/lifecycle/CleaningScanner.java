/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.lifecycle;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.Shipper;

/** A scanner for compactions that leaves out the postings that a {@link PostingCleaner} drops. */
final class CleaningScanner implements InternalScanner, Shipper {

  private final InternalScanner postings;
  private final PostingCleaner cleaner;

  CleaningScanner(InternalScanner postings, PostingCleaner cleaner) {
    this.postings = postings;
    this.cleaner = cleaner;
  }

  @Override
  public boolean next(List<Cell> cells, ScannerContext context) throws IOException {
    int before = cells.size();
    boolean more = postings.next(cells, context);
    cleaner.clean(cells.subList(before, cells.size()));
    return more;
  }

  /**
   * Passed on, because otherwise the blocks read so far stay in memory until the compaction ends.
   */
  @Override
  public void shipped() throws IOException {
    if (postings instanceof Shipper shipper) {
      shipper.shipped();
    }
  }

  @Override
  public void close() throws IOException {
    postings.close();
  }
}
