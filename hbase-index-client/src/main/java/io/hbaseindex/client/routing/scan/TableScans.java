/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.scan;

import io.hbaseindex.client.routing.plan.ScanRouter;
import io.hbaseindex.common.master.MasterConnection;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.yetus.audience.InterfaceAudience;

/** Opens scanners on tables of HBase's client that read only the key ranges where rows may be. */
@InterfaceAudience.Private
public final class TableScans {
  private final ScanRouter router;
  private final Executor executor;
  private final Optional<MasterConnection> connection;
  private final Gathering gathering;

  /**
   * @param executor reads parts of scans ahead; it refuses what it has no thread for
   * @param conf the connection's
   * @param connection one of the same user, by which first results are fetched; empty if nobody
   *     knows whose it would have to be
   */
  public TableScans(
      ScanRouter router,
      Executor executor,
      Configuration conf,
      Optional<MasterConnection> connection) {
    this.router = router;
    this.executor = executor;
    this.connection = connection;
    this.gathering = new Gathering(router, conf);
  }

  /**
   * A scanner whose results are those of {@code table.getScanner(scan)}, in the same order.
   *
   * @param ownCalls whether servers are to be asked by calls of the table itself alone, which may
   *     carry what others do not
   */
  public ResultScanner open(Table table, Scan scan, boolean ownCalls) throws IOException {
    if (!router.mayRoute(table.getName(), scan)) {
      return table.getScanner(scan);
    }
    // The user may change the scan once this returns.
    Scan copy = new Scan(scan);
    Optional<OrderedParts> ordered = OrderedParts.takenOff(copy);
    Piece.Opener ordinary = (part, ahead) -> read(table.getScanner(part), ahead);
    Optional<GatheredParts> gathered =
        connection
            .filter(any -> !ownCalls)
            .flatMap(made -> gathering.of(made, table.getName(), copy, ordinary));
    return new RoutedScanner(
        copy,
        () -> gathering.plan(table.getName(), copy, gathered, ordered),
        row -> endOfRegion(table, row),
        gathered.<Piece.Opener>map(parts -> parts).orElse(ordinary),
        router.settings().parallelism(),
        PieceMetrics.publishedTo(scan),
        () -> ordered.flatMap(OrderedParts::told));
  }

  /** Blocks if HBase's client has not met the region yet, as opening a scanner on it would. */
  private static CompletableFuture<byte[]> endOfRegion(Table table, byte[] row) {
    try (RegionLocator locator = table.getRegionLocator()) {
      return CompletableFuture.completedFuture(
          locator.getRegionLocation(row).getRegion().getEndKey());
    } catch (IOException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private Piece read(ResultScanner scanner, boolean ahead) {
    return ahead ? ReadAhead.start(scanner, executor) : new Piece.Direct(scanner);
  }
}
