/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan;

import io.hbaseindex.common.query.CountedRows;
import io.hbaseindex.common.query.OrderedRows;
import io.hbaseindex.region.metrics.IndexCounter;
import io.hbaseindex.region.metrics.IndexMetrics;
import io.hbaseindex.region.scan.candidates.RowBounds;
import io.hbaseindex.region.scan.order.FirstRows;
import io.hbaseindex.region.scan.order.OrderedWalk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A region scanner that gives the first rows in the order of a column ({@link OrderedRows}).
 *
 * <p>It stands around the scanner that an ordinary scan would have. Where an index has the order,
 * rows are found by its postings, and that scanner reads nothing. Otherwise all its rows are
 * compared, and the first ones kept. Both happen at one read point and within HBase's limits of
 * time: a call reads a row, or some of them, and gives nothing until the first rows are known.
 */
@InterfaceAudience.Private
public final class OrderingScanner extends WrappedScanner {
  private final RowBounds bounds;
  private final FirstRows first;
  private final IndexMetrics metrics;

  /** Finds rows without the scanner; empty if that cannot be, or can no longer. */
  private Optional<OrderedWalk> walk;

  /** The row that the scanner is in the middle of. */
  private List<Cell> reading = new ArrayList<>();

  private long compared;

  /** The rows that are still to be given; null while they are searched for. */
  private Iterator<List<Cell>> giving;

  private boolean begun;

  private OrderingScanner(
      RegionScanner scanner,
      ScannerOwner owner,
      Scan scan,
      OrderedRows.Request request,
      Optional<OrderedWalk> walk,
      IndexMetrics metrics) {
    super(scanner, owner);
    this.bounds = RowBounds.of(scan);
    this.first = new FirstRows(request);
    this.walk = walk;
    this.metrics = metrics;
  }

  /**
   * The scanner of a scan that has just opened: one that orders, if the scan asks for that.
   *
   * @param authorizationEnabled whether a scanner answers only the user who opened it
   * @param walk finds rows by postings, if an index has the order
   */
  public static RegionScanner over(
      RegionScanner scanner,
      Scan scan,
      boolean authorizationEnabled,
      Supplier<Optional<OrderedWalk>> walk,
      IndexMetrics metrics) {
    Optional<OrderedRows.Request> request = OrderedRows.in(scan);
    if (request.isEmpty() || CountedRows.in(scan).isPresent()) {
      return scanner;
    }
    metrics.increment(IndexCounter.SCANS_ORDERED);
    return new OrderingScanner(
        scanner,
        ScannerOwner.ofThisCall(authorizationEnabled),
        scan,
        request.get(),
        walk.get(),
        metrics);
  }

  @Override
  boolean next(List<Cell> cells, Read read) throws IOException {
    if (giving == null) {
      boolean more = walk.isPresent() ? walkOn() : readOn(read);
      giving = more ? null : first.byKey().iterator();
      return more || giving.hasNext();
    }
    if (giving.hasNext()) {
      List<Cell> row = giving.next();
      byte[] key = CellUtil.cloneRow(row.get(0));
      cells.add(begun ? OrderedRows.following(key) : OrderedRows.first(key, mark()));
      cells.addAll(row);
      begun = true;
      if (SizeProgress.isKnown()) {
        read.gave(cells);
      }
    }
    return giving.hasNext();
  }

  private boolean walkOn() throws IOException {
    OrderedWalk.Outcome outcome = walk.get().step(first);
    if (outcome == OrderedWalk.Outcome.GIVEN_UP) {
      closeWalk();
      first.reset();
    }
    if (outcome == OrderedWalk.Outcome.DONE) {
      metrics.add(IndexCounter.ORDERED_BY_POSTINGS, first.size());
      closeWalk();
    }
    return outcome != OrderedWalk.Outcome.DONE;
  }

  /** Reads a row, of which HBase may give a part only. */
  private boolean readOn(Read read) throws IOException {
    List<Cell> part = new ArrayList<>();
    boolean more = read.readUnsent(part);
    boolean begins =
        !part.isEmpty()
            && (reading.isEmpty() || !CellUtil.matchingRows(part.get(0), reading.get(0)));
    if (begins) {
      compare();
    }
    part.forEach(cell -> reading.add(KeyValueUtil.copyToNewKeyValue(cell)));
    if (!more) {
      compare();
      metrics.add(IndexCounter.ORDERED_BY_ROWS, compared);
    }
    return more;
  }

  private void compare() throws IOException {
    if (!reading.isEmpty()) {
      compared++;
      first.offer(reading);
      reading = new ArrayList<>();
    }
  }

  /** What the answer speaks of: the keys of the scan that lie in this region. */
  private OrderedRows.Mark mark() {
    byte[] start = getRegionInfo().getStartKey();
    byte[] end = getRegionInfo().getEndKey();
    boolean endsBefore =
        end.length == 0 || bounds.end().length > 0 && Arrays.compareUnsigned(bounds.end(), end) < 0;
    return new OrderedRows.Mark(
        Arrays.compareUnsigned(bounds.first(), start) > 0 ? bounds.first() : start,
        endsBefore ? bounds.end() : end,
        first.complete());
  }

  private void closeWalk() throws IOException {
    Optional<OrderedWalk> closing = walk;
    walk = Optional.empty();
    if (closing.isPresent()) {
      closing.get().close();
    }
  }

  /** A filter that has seen enough must not end the scan before its rows are given. */
  @Override
  public boolean isFilterDone() {
    return false;
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
