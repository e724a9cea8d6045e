/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan.order;

import io.hbaseindex.common.query.RowOrder.Place;
import io.hbaseindex.core.entry.IndexRowKeys;
import io.hbaseindex.core.predicate.RowPredicate;
import io.hbaseindex.region.metrics.IndexCounter;
import io.hbaseindex.region.scan.candidates.CertainPosting;
import io.hbaseindex.region.scan.candidates.RangePostings;
import io.hbaseindex.region.scan.candidates.ScanTally;
import io.hbaseindex.region.scan.plan.OrderedAccess;
import io.hbaseindex.region.scan.plan.ReadColumns;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.Cell;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the first rows in the order of a column by going over the postings of an index in that
 * order, until there are enough.
 *
 * <p>A row is made of what its posting carries, or read by a scan of one row that is like the scan
 * in all else, so that the user's filter judges it. It is taken if it shows the value of the
 * posting: if it shows another one, another posting brings it.
 *
 * <p>Postings of one value lie in the order of rows, unless the index has further columns. Then all
 * of that value are looked at, and only rows that can still be among the first are read.
 *
 * <p>The walk is given up if too many rows are read in vain, and at a value that is longer than a
 * key holds: such values lie in no order.
 */
@InterfaceAudience.Private
public final class OrderedWalk implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(OrderedWalk.class);

  /** Work per call: postings, and rows that are read. */
  private static final int STEP = 2_000;

  private static final int ROWS_PER_STEP = 100;

  /** What a step has come to. */
  public enum Outcome {
    MORE,
    DONE,
    GIVEN_UP
  }

  /** Opens the postings, at the read point of the scan. */
  public interface Opener {
    /** Empty if they cannot be used now. */
    Optional<RangePostings> open() throws IOException;
  }

  /** Gives rows as the scan shows them. */
  public interface Rows {
    /**
     * The cells of a row that a certain posting carries.
     *
     * @return no cells if the row does not match; empty if it has to be read
     */
    Optional<List<Cell>> carried(byte[] row, CertainPosting posting) throws IOException;

    /** Reads a row; no cells if it does not match. */
    List<Cell> read(byte[] row) throws IOException;
  }

  private final IndexRowKeys keys;
  private final OrderedAccess access;
  private final RowPredicate predicate;
  private final boolean decided;
  private final int maxInVain;
  private final Opener opener;
  private final Rows source;
  private final ScanTally tally;
  private final Consumer<byte[]> stalePostings;
  private RangePostings postings;
  private int inVain;
  private int readInStep;

  /**
   * @param predicate what rows have to meet
   * @param maxInVain how many rows may be read that turn out not to be wanted
   * @param tally what the postings are counted with as they are read
   * @param stalePostings is told of postings whose rows show another value
   */
  public OrderedWalk(
      IndexRowKeys keys,
      OrderedAccess access,
      RowPredicate predicate,
      int maxInVain,
      Opener opener,
      Rows source,
      ScanTally tally,
      Consumer<byte[]> stalePostings) {
    this.keys = keys;
    this.access = access;
    this.predicate = predicate;
    this.decided = ReadColumns.of(predicate).allMatch(access.index().columns()::contains);
    this.maxInVain = maxInVain;
    this.opener = opener;
    this.source = source;
    this.tally = tally;
    this.stalePostings = stalePostings;
  }

  /** Goes over some postings. */
  public Outcome step(FirstRows rows) throws InterruptedIOException {
    try {
      return tryStep(rows);
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      LOG.warn("A scan is sorted row by row: postings of {} were unreadable", access.index(), e);
      return Outcome.GIVEN_UP;
    } finally {
      tally.flush();
    }
  }

  private Outcome tryStep(FirstRows rows) throws IOException {
    if (postings == null) {
      Optional<RangePostings> opened = opener.open();
      if (opened.isEmpty()) {
        return Outcome.GIVEN_UP;
      }
      postings = opened.get();
    }
    readInStep = 0;
    for (int read = 0; read < STEP && readInStep < ROWS_PER_STEP; read++) {
      RangePostings.Step step = postings.next();
      if (step == RangePostings.Step.END) {
        return Outcome.DONE;
      }
      Outcome outcome = step == RangePostings.Step.POSTING ? look(rows) : Outcome.MORE;
      if (outcome != Outcome.MORE) {
        return outcome;
      }
    }
    return Outcome.MORE;
  }

  private Outcome look(FirstRows rows) throws IOException {
    byte[] key = postings.key();
    if (IndexRowKeys.mayBeCut(
        keys.parse(key, access.index().columns().size()).values().get(access.position()))) {
      return Outcome.GIVEN_UP;
    }
    List<byte[]> cells = keys.cells(key, access.index());
    byte[] value = cells.get(access.position());
    Place place = new Place(value, Arrays.copyOfRange(key, postings.rowOffset(), key.length));
    if (rows.isBehind(place)) {
      rows.endHere();
      return access.hasFurtherColumns() && !rows.isBehindValue(value) ? Outcome.MORE : Outcome.DONE;
    }
    if (rows.isPast(place) || isSurelyUnwanted(cells)) {
      return Outcome.MORE;
    }
    tally.count(IndexCounter.CANDIDATES);
    List<Cell> row = rowOf(place);
    Optional<byte[]> shown = FirstRows.valueIn(row, rows.order());
    if (shown.isPresent() && Arrays.equals(shown.get(), value)) {
      rows.offer(row);
      return Outcome.MORE;
    }
    if (shown.isEmpty() && !row.isEmpty()) {
      // The row itself will be refused, where all are compared.
      return Outcome.GIVEN_UP;
    }
    if (shown.isPresent()) {
      tally.count(IndexCounter.STALE_CANDIDATES);
      stalePostings.accept(key);
    }
    return ++inVain > maxInVain ? Outcome.GIVEN_UP : Outcome.MORE;
  }

  /** Whether a certain posting says by itself that its row does not meet the condition. */
  private boolean isSurelyUnwanted(List<byte[]> cells) {
    return decided
        && postings.isCertain()
        && !predicate.test(column -> cells.get(access.index().columns().indexOf(column)));
  }

  private List<Cell> rowOf(Place place) throws IOException {
    Optional<List<Cell>> carried =
        postings.isCertain()
            ? source.carried(place.row(), new CertainPosting(postings.key(), postings.value()))
            : Optional.empty();
    if (carried.isPresent()) {
      tally.count(IndexCounter.ROWS_FROM_POSTINGS);
      return carried.get();
    }
    tally.count(IndexCounter.ROWS_READ);
    readInStep++;
    return source.read(place.row());
  }

  @Override
  public void close() throws IOException {
    if (postings != null) {
      postings.close();
      postings = null;
    }
  }
}
