/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;

/**
 * A region scanner that moves HBase's own to the next candidate whenever that is about to begin a
 * row.
 *
 * <p>The rows a filter refuses never come back to the caller: HBase goes on to the next row within
 * one call, and tells {@link IndexedScans#afterRefusedRow}, which jumps there too.
 *
 * <p>The postings are opened by the first call for rows, not with the scanner: HBase may drop a
 * scanner between opening and first use without closing what was wrapped around it.
 */
final class JumpingScanner implements RegionScanner {

  /** Begins the jumps; empty if the scan is to walk after all. */
  interface Start {
    Optional<Jump> start() throws IOException;
  }

  /** Reads rows. */
  private interface Read {
    boolean read(List<Cell> cells) throws IOException;
  }

  private final RegionScanner scanner;
  private final ScannerOwner owner;
  private final RowTracker tracker;
  private final Start start;
  private final Optional<PostingWalk> walk;
  private final Runnable whenClosed;
  private Optional<Jump> jump = Optional.empty();
  private boolean started;
  private boolean exhausted;

  JumpingScanner(
      RegionScanner scanner,
      ScannerOwner owner,
      RowTracker tracker,
      Start start,
      Optional<PostingWalk> walk,
      Runnable whenClosed) {
    this.scanner = scanner;
    this.owner = owner;
    this.tracker = tracker;
    this.start = start;
    this.walk = walk;
    this.whenClosed = whenClosed;
  }

  /** What counts the rows without this scanner; empty if they are wanted, or have to be read. */
  Optional<PostingWalk> walk() {
    return walk;
  }

  @Override
  public synchronized boolean nextRaw(List<Cell> cells) throws IOException {
    return jumpAnd(cells, scanner::nextRaw);
  }

  @Override
  public synchronized boolean nextRaw(List<Cell> cells, ScannerContext context) throws IOException {
    return jumpAnd(cells, into -> scanner.nextRaw(into, context));
  }

  @Override
  public synchronized boolean next(List<Cell> cells) throws IOException {
    return jumpAnd(cells, scanner::next);
  }

  @Override
  public synchronized boolean next(List<Cell> cells, ScannerContext context) throws IOException {
    return jumpAnd(cells, into -> scanner.next(into, context));
  }

  private boolean jumpAnd(List<Cell> cells, Read read) throws IOException {
    owner.requireThisCall();
    if (!started) {
      started = true;
      jump = start.start();
    }
    if (jump.isEmpty()) {
      return read.read(cells);
    }
    try {
      return jumpAnd(jump.get(), cells, read);
    } finally {
      jump.get().tell();
    }
  }

  private boolean jumpAnd(Jump jumping, List<Cell> cells, Read read) throws IOException {
    exhausted = exhausted || tracker.isBetweenRows() && !jumping.toNextCandidate();
    if (exhausted) {
      return false;
    }
    int before = cells.size();
    boolean more = read.read(cells);
    if (cells.size() > before) {
      jumping.accepted();
    }
    if (!more) {
      jumping.ended();
    }
    return more;
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
    try {
      scanner.close();
    } finally {
      jump.ifPresent(Jump::close);
      whenClosed.run();
    }
  }
}
