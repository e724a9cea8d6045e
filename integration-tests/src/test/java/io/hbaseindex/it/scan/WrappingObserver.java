/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.scan;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;

/** Somebody else's coprocessor that wraps every scanner, as some products do. */
public final class WrappingObserver implements RegionCoprocessor, RegionObserver {

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  public RegionScanner postScannerOpen(
      ObserverContext<RegionCoprocessorEnvironment> ctx, Scan scan, RegionScanner scanner) {
    return new Wrapper(scanner);
  }

  private record Wrapper(RegionScanner inner) implements RegionScanner {
    @Override
    public RegionInfo getRegionInfo() {
      return inner.getRegionInfo();
    }

    @Override
    public boolean isFilterDone() throws IOException {
      return inner.isFilterDone();
    }

    @Override
    public boolean reseek(byte[] row) throws IOException {
      return inner.reseek(row);
    }

    @Override
    public long getMaxResultSize() {
      return inner.getMaxResultSize();
    }

    @Override
    public long getMvccReadPoint() {
      return inner.getMvccReadPoint();
    }

    @Override
    public int getBatch() {
      return inner.getBatch();
    }

    @Override
    public boolean nextRaw(List<Cell> cells) throws IOException {
      return inner.nextRaw(cells);
    }

    @Override
    public boolean nextRaw(List<Cell> cells, ScannerContext context) throws IOException {
      return inner.nextRaw(cells, context);
    }

    @Override
    public boolean next(List<Cell> cells) throws IOException {
      return inner.next(cells);
    }

    @Override
    public boolean next(List<Cell> cells, ScannerContext context) throws IOException {
      return inner.next(cells, context);
    }

    @Override
    public void close() throws IOException {
      inner.close();
    }
  }
}
