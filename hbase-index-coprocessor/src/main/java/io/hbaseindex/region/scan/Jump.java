/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan;

import io.hbaseindex.core.entry.IndexRowKeys;
import io.hbaseindex.region.metrics.IndexCounter;
import io.hbaseindex.region.scan.candidates.Candidates;
import io.hbaseindex.region.scan.candidates.CertainPosting;
import io.hbaseindex.region.scan.candidates.RowBounds;
import io.hbaseindex.region.scan.candidates.ScanTally;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves one open scanner from candidate to candidate.
 *
 * <p>The scanner is only ever moved forward, and only between two rows; what it does within a row
 * is HBase's business. So nothing depends on the candidates but how many rows are read: ending the
 * jumps at any moment leaves a scanner that walks on from the row it is at.
 *
 * <p>Where rows are only counted, candidates that postings answer for are counted and passed by;
 * the scanner is moved to those that have to be asked. It then never walks where it has not been
 * moved to first: it would meet rows that are counted already. A candidate now and then is read
 * although it need not be, so that HBase can look at the time.
 *
 * <p>Where postings carry all cells that are wanted, their rows are made of those, and passed by
 * likewise.
 */
final class Jump implements Closeable, RowTracker.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(Jump.class);

  /** Work per call: rows that are counted before one is read. */
  private static final int MAX_PASSED_BY = 10_000;

  /** Work per call: postings that are read, in vain too, before a row is. */
  private static final int MAX_POSTINGS = 100_000;

  private final RegionScanner scanner;
  private final RowTracker tracker;
  private final Candidates candidates;
  private final boolean exact;
  private final CutOff cutOff;
  private final ScanTally tally;
  private final Consumer<byte[]> stalePostings;
  private byte[] from;

  /** The candidate the scanner was sent to and has not been seen at; null if there is none. */
  private byte[] awaited;

  /** The candidate being read; null if the row being read is none. */
  private byte[] current;

  /** Whether it is known that there was a candidate, or that there was none. */
  private boolean named;

  /** Counts the rows that need not be read; empty if rows are wanted. */
  private final Optional<RowTally> count;

  /** Makes rows of postings; empty if they are to be read. */
  private final Optional<CoveredRows> covered;

  /** The row that was made of postings last; empty if the next one has to be read. */
  private List<Cell> answer = List.of();

  private boolean probing;
  private boolean walking;

  /**
   * @param exact whether a candidate that is refused has a stale posting
   * @param stalePostings takes index row keys of postings that may be stale
   */
  Jump(
      RegionScanner scanner,
      RowTracker tracker,
      Candidates candidates,
      boolean exact,
      CutOff cutOff,
      ScanTally tally,
      Consumer<byte[]> stalePostings) {
    this.scanner = scanner;
    this.tracker = tracker;
    this.candidates = candidates;
    this.exact = exact && candidates.complete();
    this.cutOff = cutOff;
    this.tally = tally;
    this.stalePostings = stalePostings;
    this.count = this.exact ? tracker.intent().tally() : Optional.empty();
    this.covered = tracker.intent().covered();
    this.from = RowBounds.of(tracker.intent().scan()).first();
    tracker.listen(this);
  }

  /**
   * Moves the scanner, which is between two rows, to the next candidate.
   *
   * @param mayAnswer whether the candidate may be answered by {@link #answer} in place of a move
   * @return false if no candidate is left, so that the region has no further match
   */
  boolean toNextCandidate(boolean mayAnswer) throws IOException {
    answer = List.of();
    boolean alreadyWalking = walking;
    if (cutOff.isDense() || cutOff.isMostlyStale()) {
      walk(cutOff.isDense() ? IndexCounter.CUT_OFF_DENSE : IndexCounter.CUT_OFF_STALE);
    }
    if (!walking) {
      lookAhead(mayAnswer);
    }
    if (!answer.isEmpty()) {
      return true;
    }
    boolean passesBy = count.isPresent() || covered.isPresent();
    if (walking) {
      if (!alreadyWalking && passesBy) {
        scanner.reseek(from); // behind what is counted, or answered
      }
      return true;
    }
    probing = !passesBy && !probing && tracker.row() != null && cutOff.wantsProbe();
    // A row that HBase cannot seek to is walked to. A failure to move the scanner is not ours to
    // hide: nobody knows where it stands then.
    if (awaited != null && !probing && awaited.length <= IndexRowKeys.MAX_ROW_KEY_LENGTH) {
      scanner.reseek(awaited);
    }
    return awaited != null;
  }

  /** The cells of the candidate moved to, if it was answered and the scanner not moved. */
  List<Cell> answer() {
    return answer;
  }

  private void lookAhead(boolean mayAnswer) throws InterruptedIOException {
    try {
      awaited = candidates.rows().seek(from);
      passByAnswered();
      answerByPostings(mayAnswer);
      if (awaited == null && !named) {
        tally.count(IndexCounter.SCANS_IN_VAIN);
      }
      named = true;
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      LOG.warn(
          "Scan of {} walks on from row {}: its postings could not be read",
          scanner.getRegionInfo().getRegionNameAsString(),
          Bytes.toStringBinary(from),
          e);
      walk(IndexCounter.CUT_OFF_READ_FAILED);
    }
  }

  /** Counts candidates that postings answer for, up to one that has to be asked. */
  private void passByAnswered() throws IOException {
    for (int passed = 0; count.isPresent() && passed < MAX_PASSED_BY; passed++) {
      if (tally.since(IndexCounter.POSTINGS_READ) > MAX_POSTINGS) {
        return;
      }
      List<CertainPosting> certain = new ArrayList<>(1);
      boolean answered =
          awaited != null
              && !count.get().isFull()
              && candidates.rows().answersFor(awaited, certain::add)
              && count.get().answered(awaited, certain);
      if (!answered) {
        return;
      }
      named = true;
      tally.count(IndexCounter.CANDIDATES);
      from = RowBounds.after(awaited);
      awaited = count.get().isEnough() ? null : candidates.rows().seek(from);
    }
  }

  /**
   * Makes the next matching row of its postings, unless one has to be read first, and passes those
   * by that do not match.
   *
   * @param mayAnswer whether to; if not, the matching row is read, too
   */
  private void answerByPostings(boolean mayAnswer) throws IOException {
    for (int passed = 0; covered.isPresent() && passed < MAX_PASSED_BY; passed++) {
      if (awaited == null || tally.since(IndexCounter.POSTINGS_READ) > MAX_POSTINGS) {
        return;
      }
      List<CertainPosting> certain = new ArrayList<>(1);
      candidates.rows().answersFor(awaited, certain::add);
      Optional<List<Cell>> row = covered.get().of(awaited, certain);
      if (row.isEmpty() || !mayAnswer && !row.get().isEmpty()) {
        return;
      }
      named = true;
      tally.count(IndexCounter.CANDIDATES);
      from = RowBounds.after(awaited);
      if (!row.get().isEmpty()) {
        tally.count(IndexCounter.ROWS_FROM_POSTINGS);
        answer = row.get();
        awaited = null;
        return;
      }
      awaited = candidates.rows().seek(from);
    }
  }

  @Override
  public void rowBegins(byte[] row) {
    tally.count(IndexCounter.ROWS_READ);
    if (walking) {
      return;
    }
    from = RowBounds.after(row);
    int order = awaited == null ? 1 : Arrays.compareUnsigned(row, awaited);
    if (probing) {
      cutOff.probed(order >= 0);
      probing = order < 0;
    }
    current = order == 0 ? row : null;
    if (order > 0 && awaited != null) {
      judged(awaited, true);
    }
    if (order >= 0) {
      awaited = null;
    }
  }

  /** The row begun last was returned to the client, as a whole or in part. */
  void accepted() {
    if (current != null) {
      judged(current, false);
      current = null;
    }
  }

  /** The filter refused the row begun last. */
  void refused() {
    if (current != null) {
      judged(current, true);
      current = null;
    }
  }

  /** The scanner has reached its end. */
  void ended() {
    if (awaited != null && !walking) {
      judged(awaited, true);
      awaited = null;
    }
  }

  private void judged(byte[] candidate, boolean refused) {
    tally.count(IndexCounter.CANDIDATES);
    boolean stale = refused && exact;
    cutOff.candidate(stale);
    if (stale) {
      tally.count(IndexCounter.STALE_CANDIDATES);
      candidates.rows().postingsOf(candidate, stalePostings);
    }
  }

  /** Tells the metrics what has been done since the last time. */
  void tell() {
    tally.flush();
  }

  private void walk(IndexCounter why) {
    if (walking) {
      return;
    }
    walking = true;
    tally.count(IndexCounter.SCANS_CUT_OFF);
    tally.count(why);
    close();
  }

  /** Closes the postings. A failure to do so harms nothing, and is logged. */
  @Override
  public void close() {
    try {
      candidates.close();
    } catch (IOException e) {
      LOG.warn(
          "Could not close the postings of a scan of {}",
          scanner.getRegionInfo().getRegionNameAsString(),
          e);
    }
  }
}
