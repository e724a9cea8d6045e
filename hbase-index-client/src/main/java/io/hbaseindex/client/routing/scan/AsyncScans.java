/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.scan;

import io.hbaseindex.client.routing.RoutePlan;
import io.hbaseindex.client.routing.plan.ScanRouter;
import io.hbaseindex.client.routing.source.RouteFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.ScanResultConsumer;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Runs scans of HBase's asynchronous client on the key ranges where rows may be. The route is asked
 * for when the scan is given. Nothing blocks that would not block with HBase's own tables.
 */
@InterfaceAudience.Private
public final class AsyncScans {
  private final ScanRouter router;
  private final Gathering gathering;

  /**
   * @param conf the connection's
   */
  public AsyncScans(ScanRouter router, Configuration conf) {
    this.router = router;
    this.gathering = new Gathering(router, conf);
  }

  /** Gives the results to a consumer, in order; a few parts are read at a time. */
  public void scan(
      AsyncTable<AdvancedScanResultConsumer> table,
      Scan scan,
      AdvancedScanResultConsumer consumer) {
    if (!router.mayRoute(table.getName(), scan)) {
      table.scan(scan, consumer);
      return;
    }
    Scan copy = copyOf(scan);
    OrderedConsumer ordered =
        new OrderedConsumer(table, copy, consumer, endsOf(table), router.settings().parallelism());
    router
        .plan(table.getName(), copy)
        .thenAccept(ordered::start)
        .exceptionally(
            error -> {
              ordered.fail(RouteFailure.causeOf(error));
              return null;
            });
  }

  /** Gives the results to a consumer on a thread of the pool. */
  public void scan(
      AsyncTable<AdvancedScanResultConsumer> table,
      Executor pool,
      Scan scan,
      ScanResultConsumer consumer) {
    Scan copy = copyOf(scan);
    // Nothing begins before the pool has a thread for it.
    pool.execute(() -> feed(table, copy, consumer));
  }

  private void feed(
      AsyncTable<AdvancedScanResultConsumer> table, Scan scan, ScanResultConsumer consumer) {
    try (ResultScanner scanner = scanner(table, scan)) {
      if (scanner.getScanMetrics() != null) {
        consumer.onScanMetricsCreated(scanner.getScanMetrics());
      }
      for (Result result = scanner.next(); result != null; result = scanner.next()) {
        if (!consumer.onNext(result)) {
          break;
        }
      }
    } catch (Throwable e) {
      // Errors, too: nobody else would ever tell the consumer.
      consumer.onError(e);
      return;
    }
    // If this throws, the consumer has been told of its end nevertheless, and is told once.
    consumer.onComplete();
  }

  /** A scanner over the results, which reads a few parts ahead. */
  public ResultScanner scanner(AsyncTable<AdvancedScanResultConsumer> table, Scan scan) {
    Scan copy = copyOf(scan);
    if (!router.mayRoute(table.getName(), scan)) {
      return PrefetchingScanner.start(table, copy);
    }
    // It reads ahead by itself from the moment it is made.
    Piece.Opener ordinary =
        (part, ahead) -> new Piece.Direct(PrefetchingScanner.start(table, part));
    Optional<GatheredParts> gathered = gathering.of(table, copy, ordinary);
    CompletableFuture<RoutePlan> plan =
        gathering.plan(table.getName(), copy, gathered, Optional.empty());
    return new RoutedScanner(
        copy,
        () -> plan,
        endsOf(table),
        gathered.<Piece.Opener>map(parts -> parts).orElse(ordinary),
        router.settings().parallelism(),
        PieceMetrics.of(scan));
  }

  /** All results at once. */
  public CompletableFuture<List<Result>> scanAll(AsyncTable<?> table, Scan scan) {
    return router.mayRoute(table.getName(), scan) ? routedAll(table, scan) : table.scanAll(scan);
  }

  /** All results at once, on a thread of the pool, also where no region had to be asked. */
  public CompletableFuture<List<Result>> scanAll(AsyncTable<?> table, Executor pool, Scan scan) {
    return completedOn(pool, scanAll(table, scan));
  }

  private static <T> CompletableFuture<T> completedOn(Executor pool, CompletableFuture<T> future) {
    CompletableFuture<T> completed = new CompletableFuture<>();
    future
        .whenCompleteAsync((value, error) -> complete(completed, value, error), pool)
        .exceptionally(
            error -> {
              // Comes too late, unless the pool has refused.
              completed.completeExceptionally(RouteFailure.causeOf(error));
              return null;
            });
    return completed;
  }

  private static <T> void complete(CompletableFuture<T> future, T value, Throwable error) {
    if (error == null) {
      future.complete(value);
    } else {
      future.completeExceptionally(RouteFailure.causeOf(error));
    }
  }

  private CompletableFuture<List<Result>> routedAll(AsyncTable<?> table, Scan scan) {
    Scan copy = copyOf(scan);
    CompletableFuture<List<Result>> all = new CompletableFuture<>();
    Optional<GatheredParts> gathered = gathering.of(table, copy, AsyncScans::refuse);
    gathering
        .plan(table.getName(), copy, gathered, Optional.empty())
        .thenCompose(
            plan ->
                collect(
                    part -> read(table, gathered, part),
                    new WaitingParts(copy, plan, endsOf(table)),
                    new RowLimit(copy.getLimit()),
                    new ArrayList<>()))
        .whenComplete((results, error) -> complete(all, results, error));
    return all;
  }

  /** Pieces are for scanners; here parts are read whole. */
  private static Piece refuse(Scan part, boolean ahead) {
    throw new IllegalStateException("Cannot open a piece of a scan that is read all at once");
  }

  /** All results of a part: those that are gathered, and what is left behind them. */
  private static CompletableFuture<List<Result>> read(
      AsyncTable<?> table, Optional<GatheredParts> gathered, Scan part) {
    return gathered
        .flatMap(parts -> parts.answer(part))
        .map(answer -> answer.thenCompose(first -> complete(table, first, part)))
        .orElseGet(() -> table.scanAll(part));
  }

  private static CompletableFuture<List<Result>> complete(
      AsyncTable<?> table, GatheredParts.Answer first, Scan part) {
    if (first.suffices(part)) {
      return CompletableFuture.completedFuture(first.results());
    }
    try {
      return table
          .scanAll(first.remaining(part))
          .thenApply(rest -> Stream.concat(first.results().stream(), rest.stream()).toList());
    } catch (IOException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private CompletableFuture<List<Result>> collect(
      Function<Scan, CompletableFuture<List<Result>>> reader,
      WaitingParts waiting,
      RowLimit limit,
      List<Result> collected) {
    return begin(reader, waiting, limit, new ArrayList<>())
        .thenCompose(
            reading ->
                reading.isEmpty()
                    ? CompletableFuture.completedFuture(collected)
                    : CompletableFuture.allOf(reading.toArray(CompletableFuture<?>[]::new))
                        .thenCompose(
                            done -> {
                              reading.forEach(part -> add(part.join(), limit, collected));
                              return collect(reader, waiting, limit, collected);
                            }));
  }

  /** Begins parts, up to as many as may be read at once. */
  private CompletableFuture<List<CompletableFuture<List<Result>>>> begin(
      Function<Scan, CompletableFuture<List<Result>>> reader,
      WaitingParts waiting,
      RowLimit limit,
      List<CompletableFuture<List<Result>>> reading) {
    int most = limit.atMost(router.settings().parallelism());
    if (reading.size() >= most || waiting.isEmpty()) {
      return CompletableFuture.completedFuture(reading);
    }
    return waiting
        .first()
        .thenCompose(
            part -> {
              waiting.removeFirst();
              limit.pushDown(part);
              reading.add(reader.apply(part));
              return begin(reader, waiting, limit, reading);
            });
  }

  private static void add(List<Result> part, RowLimit limit, List<Result> collected) {
    part.stream().filter(limit::admits).forEach(collected::add);
    limit.partEnded();
  }

  private static WaitingParts.RegionEnds endsOf(AsyncTable<?> table) {
    return row ->
        table
            .getRegionLocator()
            .getRegionLocation(row)
            .thenApply(location -> location.getRegion().getEndKey());
  }

  private static Scan copyOf(Scan scan) {
    try {
      return new Scan(scan);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot copy a scan", e);
    }
  }
}
