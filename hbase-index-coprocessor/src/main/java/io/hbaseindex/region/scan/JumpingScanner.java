/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.regionserver.RegionScanner;

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
final class JumpingScanner extends WrappedScanner {

  /** Begins the jumps; empty if the scan is to walk after all. */
  interface Start {
    Optional<Jump> start() throws IOException;
  }

  private final RowTracker tracker;
  private final Start start;
  private final Optional<PostingWalk> walk;
  private final Runnable whenAnswered;
  private final Runnable whenClosed;
  private Optional<Jump> jump = Optional.empty();
  private boolean started;
  private boolean exhausted;

  /**
   * @param whenAnswered called for each row that HBase's scanner does not see
   */
  JumpingScanner(
      RegionScanner scanner,
      ScannerOwner owner,
      RowTracker tracker,
      Start start,
      Optional<PostingWalk> walk,
      Runnable whenAnswered,
      Runnable whenClosed) {
    super(scanner, owner);
    this.tracker = tracker;
    this.start = start;
    this.walk = walk;
    this.whenAnswered = whenAnswered;
    this.whenClosed = whenClosed;
  }

  /** What counts the rows without this scanner; empty if they are wanted, or have to be read. */
  Optional<PostingWalk> walk() {
    return walk;
  }

  @Override
  boolean next(List<Cell> cells, Read read) throws IOException {
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
    boolean betweenRows = tracker.isBetweenRows();
    exhausted = exhausted || betweenRows && !jumping.toNextCandidate(true);
    if (exhausted) {
      return false;
    }
    if (betweenRows && !jumping.answer().isEmpty()) {
      cells.addAll(jumping.answer());
      read.gave(jumping.answer());
      whenAnswered.run();
      return true;
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
  public synchronized void close() throws IOException {
    try {
      super.close();
    } finally {
      jump.ifPresent(Jump::close);
      whenClosed.run();
    }
  }
}
