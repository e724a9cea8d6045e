/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.endpoint;

import io.hbaseindex.region.scan.LateScanner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.Region.Operation;
import org.apache.hadoop.hbase.regionserver.RegionCoprocessorHost;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.ScannerContext.LimitScope;

/**
 * Reads the first results of a scan of one region as HBase's own RPC service does: with the hooks
 * of all coprocessors, for the user whose call is being answered.
 */
final class HookedScan {
  /** Takes the results; their cells last until it returns. */
  interface Taker<T> {
    /**
     * @param ended whether the scan has no further results
     */
    T take(List<Result> results, boolean ended) throws IOException;
  }

  private final HRegion region;
  private final RegionCoprocessorHost hooks;
  private final int mostRows;
  private final long mostBytes;
  private final long deadline;
  private final LongSupplier clock;

  /**
   * @param mostRows rows to read at most
   * @param mostBytes no further row is read beyond so many bytes
   * @param deadline when to stop, by the clock, which is HBase's
   */
  HookedScan(HRegion region, int mostRows, long mostBytes, long deadline, LongSupplier clock) {
    this.region = region;
    this.hooks = region.getCoprocessorHost(); // ours is one of them, so there are some
    this.mostRows = mostRows;
    this.mostBytes = mostBytes;
    this.deadline = deadline;
    this.clock = clock;
  }

  <T> T read(Scan scan, Taker<T> taker) throws IOException {
    RegionScanner scanner = open(scan);
    try {
      List<Result> results = new ArrayList<>();
      if (hooks.preScannerNext(scanner, results, mostRows) != null) {
        throw new IOException("a coprocessor wants to read by itself");
      }
      boolean more = next(scanner, results);
      hooks.postScannerNext(scanner, results, mostRows, true); // HBase does not heed the answer
      return taker.take(results, !more);
    } finally {
      close(scanner);
    }
  }

  private RegionScanner open(Scan scan) throws IOException {
    if (scan.getLoadColumnFamiliesOnDemandValue() == null) {
      scan.setLoadColumnFamiliesOnDemand(region.isLoadingCfsOnDemandDefault());
    }
    if (!scan.hasFamilies()) {
      region.getTableDescriptor().getColumnFamilyNames().forEach(scan::addFamily);
    }
    hooks.preScannerOpen(scan);
    Optional<RegionScanner> late = LateScanner.of(region, scan);
    RegionScanner scanner = late.isPresent() ? late.get() : region.getScanner(scan);
    try {
      return hooks.postScannerOpen(scan, scanner);
    } catch (IOException | RuntimeException e) {
      scanner.close();
      throw e;
    }
  }

  private boolean next(RegionScanner scanner, List<Result> results) throws IOException {
    ScannerContext context =
        ScannerContext.newBuilder(true).setTimeLimit(LimitScope.BETWEEN_CELLS, deadline).build();
    long bytes = 0;
    boolean more = true;
    region.startRegionOperation(Operation.SCAN);
    try {
      while (more
          && results.size() < mostRows
          && bytes < mostBytes
          && clock.getAsLong() < deadline) {
        List<Cell> cells = new ArrayList<>();
        more = scanner.nextRaw(cells, context);
        boolean mayBePartial = more && clock.getAsLong() >= deadline;
        if (!cells.isEmpty() && !mayBePartial) {
          results.add(Result.create(cells));
          for (Cell cell : cells) {
            bytes += cell.getSerializedSize();
          }
        }
      }
    } finally {
      region.closeRegionOperation(Operation.SCAN);
    }
    return more;
  }

  private void close(RegionScanner scanner) throws IOException {
    try {
      hooks.preScannerClose(scanner);
    } finally {
      scanner.close(); // also if a coprocessor would have it open: nobody else will close it
    }
    hooks.postScannerClose(scanner);
  }
}
