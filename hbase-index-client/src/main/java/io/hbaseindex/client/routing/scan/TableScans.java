/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.scan;

import io.hbaseindex.client.routing.RoutePlan;
import io.hbaseindex.client.routing.RoutingSettings;
import io.hbaseindex.client.routing.plan.ScanRouter;
import io.hbaseindex.common.master.EndpointAccess;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.apache.hadoop.hbase.HConstants;
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

  /** Empty where HBase's client has no services to call; its classes are not even loaded then. */
  private final Optional<GatherCalls> gatherCalls;

  /**
   * @param executor reads parts of scans ahead; it refuses what it has no thread for
   */
  public TableScans(ScanRouter router, Executor executor) {
    this.router = router;
    this.executor = executor;
    this.gatherCalls =
        EndpointAccess.isPossible()
            ? Optional.of(new GatherCalls(router.nanoClock()))
            : Optional.empty();
  }

  /** A scanner whose results are those of {@code table.getScanner(scan)}, in the same order. */
  public ResultScanner open(Table table, Scan scan) throws IOException {
    if (!router.mayRoute(table.getName(), scan)) {
      return table.getScanner(scan);
    }
    // The user may change the scan once this returns.
    Scan copy = new Scan(scan);
    return new RoutedScanner(
        copy,
        () -> router.plan(table.getName(), copy),
        row -> endOfRegion(table, row),
        plan -> opener(table, copy, plan),
        router.settings().parallelism(),
        PieceMetrics.publishedTo(scan));
  }

  private Piece.Opener opener(Table table, Scan scan, RoutePlan plan) {
    Piece.Opener ordinary = (part, ahead) -> read(table.getScanner(part), ahead);
    RoutingSettings settings = router.settings();
    boolean together =
        settings.parallelism() > 1
            && gatherCalls.isPresent()
            && gatherCalls.get().areWelcome()
            // Another codec may be one that gives clients the tags of cells.
            && table.getConfiguration().get(HConstants.RPC_CODEC_CONF_KEY) == null;
    return together
        ? GatheredParts.of(
            scan,
            plan,
            ordinary,
            new GatheredParts.Means(
                gatherCalls.get().on(table),
                executor,
                settings.parallelism(),
                settings.timeoutMillis()))
        : ordinary;
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
