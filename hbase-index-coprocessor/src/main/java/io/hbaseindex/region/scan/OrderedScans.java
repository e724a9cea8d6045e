/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan;

import io.hbaseindex.common.query.OrderedRows;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.entry.IndexRowKeys;
import io.hbaseindex.core.predicate.RowPredicate;
import io.hbaseindex.region.context.StalePostings;
import io.hbaseindex.region.scan.candidates.CandidateOpener;
import io.hbaseindex.region.scan.candidates.CertainPosting;
import io.hbaseindex.region.scan.candidates.Certainty;
import io.hbaseindex.region.scan.candidates.OneMoment;
import io.hbaseindex.region.scan.candidates.ScanTally;
import io.hbaseindex.region.scan.order.OrderedWalk;
import io.hbaseindex.region.scan.plan.OrderedAccess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.client.PackagePrivateFieldAccessor;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionScanner;

/** Plans scans for the first rows in the order of a column, and begins their walks. */
final class OrderedScans {
  /** Rows that a walk may read in vain, beside some for each that is asked for. */
  private static final int MANY_IN_VAIN = 500;

  private static final int MANY_FOR_EACH = 8;

  /** The same where a lookup finds all that match, which then are compared. */
  private static final int FEW_IN_VAIN = 32;

  private static final int FEW_FOR_EACH = 2;

  private final Region region;
  private final IndexRowKeys keys;
  private final LongSupplier wallClockMillis;
  private final StalePostings stalePostings;
  private final Predicate<ScanIntent> isStillReady;

  OrderedScans(
      Region region,
      IndexRowKeys keys,
      LongSupplier wallClockMillis,
      StalePostings stalePostings,
      Predicate<ScanIntent> isStillReady) {
    this.region = region;
    this.keys = keys;
    this.wallClockMillis = wallClockMillis;
    this.stalePostings = stalePostings;
    this.isStillReady = isStillReady;
  }

  /**
   * How a scan finds its first rows by postings; empty if it does not ask for an order, or no index
   * has it.
   *
   * @param usable the indexes that are ready
   * @param covered makes rows of the postings, if they carry all that the scan reads
   */
  static Optional<ScanIntent.InOrder> plan(
      Scan scan,
      RowPredicate predicate,
      List<IndexDefinition> usable,
      Function<OrderedAccess, Optional<CoveredRows>> covered) {
    return OrderedRows.in(scan)
        // Rows that come in batches are read, and put together from those.
        .filter(request -> scan.getBatch() <= 0)
        .filter(request -> !OrderedRows.needsRisingKeys(scan.getFilter()))
        // Longer values lie in no order, so that none tells where to go on.
        .filter(
            request ->
                request.after().stream()
                    .allMatch(
                        place -> IndexRowKeys.holdWhole(request.order().type(), place.value())))
        .flatMap(
            request ->
                OrderedAccess.of(request.order(), predicate, usable)
                    .map(a -> new ScanIntent.InOrder(request, a, covered.apply(a))));
  }

  /** The walk that finds the first rows of a scan, as its open scanner would show them. */
  Optional<OrderedWalk> walk(ScanIntent intent, RegionScanner scanner) {
    return intent.inOrder().map(order -> walk(intent, order, scanner));
  }

  private OrderedWalk walk(ScanIntent intent, ScanIntent.InOrder order, RegionScanner scanner) {
    ScanTally tally = new ScanTally(intent.metrics(), intent.trace());
    Certainty certainty =
        new Certainty(intent.readiness(), wallClockMillis.getAsLong(), order.covered().isPresent());
    CandidateOpener opener =
        new CandidateOpener(OneMoment.of(region, scanner), keys, intent.scan(), certainty, tally);
    OrderedRows.Request request = order.request();
    return new OrderedWalk(
        keys,
        order.access(),
        intent.predicate(),
        maxInVain(intent, order),
        () ->
            isStillReady.test(intent)
                ? Optional.of(
                    opener.inValueOrder(
                        order.access(), request.order().descending(), request.after()))
                : Optional.empty(),
        new ScannedRows(region, intent.scan(), order.covered(), scanner.getMvccReadPoint()),
        tally,
        stalePostings::offer);
  }

  private static int maxInVain(ScanIntent intent, ScanIntent.InOrder order) {
    int rows = order.request().rows();
    boolean found =
        intent.plan().indexes().stream().anyMatch(i -> i.id() != order.access().index().id());
    return found ? FEW_IN_VAIN + FEW_FOR_EACH * rows : MANY_IN_VAIN + MANY_FOR_EACH * rows;
  }

  /** Rows as a scan shows them, in any order. */
  private record ScannedRows(
      Region region, Scan scan, Optional<CoveredRows> covered, long readPoint)
      implements OrderedWalk.Rows {

    @Override
    public Optional<List<Cell>> carried(byte[] row, CertainPosting posting) throws IOException {
      return covered.isPresent() ? covered.get().of(row, List.of(posting)) : Optional.empty();
    }

    /** Reads by the scan's own filter: it judges each row by itself, or there would be no plan. */
    @Override
    public List<Cell> read(byte[] row) throws IOException {
      Scan one = new Scan(scan).withStartRow(row, true).withStopRow(row, true);
      PackagePrivateFieldAccessor.setMvccReadPoint(one, readPoint);
      List<Cell> cells = new ArrayList<>();
      List<Cell> kept = new ArrayList<>();
      try (RegionScanner scanner = region.getScanner(one)) {
        scanner.next(cells);
        cells.forEach(cell -> kept.add(KeyValueUtil.copyToNewKeyValue(cell)));
      }
      return kept;
    }
  }
}
