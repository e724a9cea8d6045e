/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;

/**
 * A scanner around another one, which decides how rows are read. It answers only the user who
 * opened it; everything else is the other scanner's business.
 */
abstract class WrappedScanner implements RegionScanner {
  private final RegionScanner scanner;
  private final ScannerOwner owner;

  WrappedScanner(RegionScanner scanner, ScannerOwner owner) {
    this.scanner = scanner;
    this.owner = owner;
  }

  /** Reads rows from the other scanner. */
  interface Read {
    boolean read(List<Cell> cells) throws IOException;

    /** Reads cells that are not given: they do not count towards the limits of the call. */
    default boolean readUnsent(List<Cell> cells) throws IOException {
      return read(cells);
    }

    /** Counts cells that were given without being read towards the limits of the call. */
    default void gave(List<Cell> cells) {}
  }

  /** Reads within the limits of a call. */
  private record LimitedRead(Read within, ScannerContext context) implements Read {
    @Override
    public boolean read(List<Cell> cells) throws IOException {
      return within.read(cells);
    }

    @Override
    public boolean readUnsent(List<Cell> cells) throws IOException {
      return SizeProgress.without(context, within, cells);
    }

    @Override
    public void gave(List<Cell> cells) {
      SizeProgress.add(context, cells);
    }
  }

  /** Gives the next row, or what takes its place; returns whether there is more. */
  abstract boolean next(List<Cell> cells, Read read) throws IOException;

  private boolean ofOwner(List<Cell> cells, Read read) throws IOException {
    owner.requireThisCall();
    return next(cells, read);
  }

  @Override
  public final synchronized boolean nextRaw(List<Cell> cells) throws IOException {
    return ofOwner(cells, scanner::nextRaw);
  }

  @Override
  public final synchronized boolean nextRaw(List<Cell> cells, ScannerContext context)
      throws IOException {
    return ofOwner(cells, new LimitedRead(into -> scanner.nextRaw(into, context), context));
  }

  @Override
  public final synchronized boolean next(List<Cell> cells) throws IOException {
    return ofOwner(cells, scanner::next);
  }

  @Override
  public final synchronized boolean next(List<Cell> cells, ScannerContext context)
      throws IOException {
    return ofOwner(cells, new LimitedRead(into -> scanner.next(into, context), context));
  }

  @Override
  public boolean reseek(byte[] row) throws IOException {
    return scanner.reseek(row);
  }

  @Override
  public boolean isFilterDone() throws IOException {
    return scanner.isFilterDone();
  }

  @Override
  public RegionInfo getRegionInfo() {
    return scanner.getRegionInfo();
  }

  @Override
  public long getMaxResultSize() {
    return scanner.getMaxResultSize();
  }

  @Override
  public long getMvccReadPoint() {
    return scanner.getMvccReadPoint();
  }

  @Override
  public int getBatch() {
    return scanner.getBatch();
  }

  @Override
  public String getOperationId() {
    return scanner.getOperationId();
  }

  @Override
  public synchronized void close() throws IOException {
    scanner.close();
  }
}
