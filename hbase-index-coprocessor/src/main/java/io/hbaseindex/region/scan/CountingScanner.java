/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan;

import io.hbaseindex.common.query.CountedRows;
import io.hbaseindex.region.metrics.IndexCounter;
import io.hbaseindex.region.metrics.IndexMetrics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A region scanner that gives numbers of rows in place of the rows ({@link CountedRows}).
 *
 * <p>It stands around the scanner that an ordinary scan would have: HBase's own, with whatever
 * access control has put in front of it, or the one that jumps. So it counts what the scan would
 * have returned, at one read point, and within HBase's limits of time: a call reads one row, or
 * some thousand postings, and gives nothing but at the end. A client whose call fails goes on
 * behind the rows that it was told of, as with any scan.
 */
@InterfaceAudience.Private
public final class CountingScanner extends WrappedScanner {
  private final RowTally tally;
  private final IndexMetrics metrics;

  /** Counts without the scanner; empty if that cannot be, or can no longer. */
  private Optional<PostingWalk> walk;

  private boolean ended;

  private CountingScanner(
      RegionScanner scanner,
      ScannerOwner owner,
      RowTally tally,
      Optional<PostingWalk> walk,
      IndexMetrics metrics) {
    super(scanner, owner);
    this.tally = tally;
    this.walk = walk;
    this.metrics = metrics;
  }

  /**
   * The scanner of a scan that has just opened: one that counts, if the scan asks for a number.
   *
   * @param authorizationEnabled whether a scanner answers only the user who opened it
   */
  public static RegionScanner over(
      RegionScanner scanner, Scan scan, boolean authorizationEnabled, IndexMetrics metrics) {
    Optional<CountedRows.Request> request = CountedRows.in(scan);
    if (request.isEmpty()) {
      return scanner;
    }
    Optional<ScanIntent> intent =
        scan.getFilter() instanceof RowTracker tracker
            ? Optional.of(tracker.intent())
            : Optional.empty();
    RowTally tally = intent.flatMap(ScanIntent::tally).orElseGet(() -> new RowTally(request.get()));
    metrics.increment(IndexCounter.SCANS_COUNTED);
    return new CountingScanner(
        scanner,
        ScannerOwner.ofThisCall(authorizationEnabled),
        tally,
        scanner instanceof JumpingScanner jumping ? jumping.walk() : Optional.empty(),
        metrics);
  }

  @Override
  boolean next(List<Cell> cells, Read read) throws IOException {
    if (ended) {
      return false;
    }
    // Asked before a row is read and not after: HBase may have stopped in the middle of it, and
    // would take the number for a part of the row.
    if (!tally.isEnough() && tally.isFull() && walk.isEmpty()) {
      tally.tell().ifPresent(cells::add);
      return true;
    }
    boolean more = !tally.isEnough() && (walk.isPresent() ? walkOn() : readOn(read));
    if (!more) {
      ended = true;
      metrics.add(IndexCounter.COUNTED_BY_POSTINGS, tally.byPostings());
      metrics.add(IndexCounter.COUNTED_BY_ROWS, tally.byRows());
      tally.tell().ifPresent(cells::add);
    }
    return more;
  }

  private boolean readOn(Read read) throws IOException {
    List<Cell> row = new ArrayList<>();
    boolean more = read.readUnsent(row);
    if (!row.isEmpty()) {
      tally.read(row);
    }
    return more;
  }

  private boolean walkOn() throws IOException {
    PostingWalk.Outcome outcome = walk.get().step(tally);
    if (outcome == PostingWalk.Outcome.GIVEN_UP) {
      closeWalk();
      tally.reset();
    }
    return outcome != PostingWalk.Outcome.DONE;
  }

  private void closeWalk() throws IOException {
    Optional<PostingWalk> closing = walk;
    walk = Optional.empty();
    if (closing.isPresent()) {
      closing.get().close();
    }
  }

  @Override
  public synchronized void close() throws IOException {
    try {
      closeWalk();
    } finally {
      super.close();
    }
  }
}
