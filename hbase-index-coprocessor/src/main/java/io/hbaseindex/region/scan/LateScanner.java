/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan;

import io.hbaseindex.region.scan.candidates.OneMoment;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.PackagePrivateFieldAccessor;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * HBase's scanner of a scan that jumps, opened when a row is first read, at the row that it was
 * moved to before.
 *
 * <p>HBase's scanners look for their first row as they are opened, in every file of every family.
 * That is half of what a jump to a single row costs, and in vain where postings have all that is
 * asked for, or name no row. Only where scanners are opened by ourselves can it be put off.
 */
@InterfaceAudience.Private
public final class LateScanner implements RegionScanner {
  private final Region region;
  private final Scan scan;
  private final OneMoment moment;
  private Consumer<RegionScanner> whenOpened = any -> {};
  private byte[] from;
  private RegionScanner opened;

  private LateScanner(Region region, Scan scan) {
    this.region = region;
    this.scan = scan;
    this.moment = OneMoment.toCome(region);
    this.from = scan.getStartRow();
  }

  /**
   * A scanner of a scan that is about to open.
   *
   * @return empty if its scanner has to be opened now
   */
  public static Optional<RegionScanner> of(Region region, Scan scan) {
    boolean jumps =
        scan.getFilter() instanceof RowTracker tracker
            && tracker.intent().tally().isEmpty()
            && tracker.intent().inOrder().isEmpty()
            && PackagePrivateFieldAccessor.getMvccReadPoint(scan) <= 0
            // HBase refuses a scan of others, whether or not there are rows.
            && scan.getFamilyMap().keySet().stream()
                .allMatch(region.getTableDescriptor()::hasColumnFamily);
    return jumps ? Optional.of(new LateScanner(region, scan)) : Optional.empty();
  }

  /** What the scan shows, rows and postings. */
  OneMoment moment() {
    return moment;
  }

  /** Tells of HBase's scanner, as soon as there is one. */
  void whenOpened(Consumer<RegionScanner> listener) {
    whenOpened = listener;
  }

  /** HBase's scanner; empty if none was needed yet. */
  public Optional<RegionScanner> opened() {
    return Optional.ofNullable(opened);
  }

  private RegionScanner open() throws IOException {
    if (opened == null) {
      boolean moved = Bytes.compareTo(from, scan.getStartRow()) > 0;
      opened = moment.open(moved ? new Scan(scan).withStartRow(from, true) : scan);
      whenOpened.accept(opened);
    }
    return opened;
  }

  @Override
  public boolean reseek(byte[] row) throws IOException {
    if (opened != null) {
      return opened.reseek(row);
    }
    // Scanners only ever move forward.
    from = Bytes.compareTo(row, from) > 0 ? row : from;
    return true;
  }

  @Override
  public boolean nextRaw(List<Cell> cells) throws IOException {
    return open().nextRaw(cells);
  }

  @Override
  public boolean nextRaw(List<Cell> cells, ScannerContext context) throws IOException {
    return open().nextRaw(cells, context);
  }

  @Override
  public boolean next(List<Cell> cells) throws IOException {
    return open().next(cells);
  }

  @Override
  public boolean next(List<Cell> cells, ScannerContext context) throws IOException {
    return open().next(cells, context);
  }

  @Override
  public boolean isFilterDone() throws IOException {
    return open().isFilterDone();
  }

  @Override
  public RegionInfo getRegionInfo() {
    return region.getRegionInfo();
  }

  @Override
  public long getMaxResultSize() {
    return scan.getMaxResultSize();
  }

  /** Fails before anything was read: there is no read point then. */
  @Override
  public long getMvccReadPoint() {
    return opened().orElseThrow().getMvccReadPoint();
  }

  @Override
  public int getBatch() {
    return scan.getBatch();
  }

  @Override
  public String getOperationId() {
    return scan.getId();
  }

  @Override
  public void close() throws IOException {
    try {
      if (opened != null) {
        opened.close();
      }
    } finally {
      moment.close();
    }
  }
}
