/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.query;

import io.hbaseindex.client.query.sum.Sum;
import io.hbaseindex.client.query.sum.ValueSum;
import io.hbaseindex.common.query.CountedRows;
import io.hbaseindex.common.query.CountedTimes;
import io.hbaseindex.common.query.TimeBucket;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Runs queries over an asynchronous connection: the sister of {@link QueryClient} that blocks
 * nobody.
 *
 * <p>Any connection will do. Over an {@code IndexedAsyncConnection} a query visits only the regions
 * that may hold its rows. Errors of the servers complete the futures; a query that makes no sense
 * is refused at once. Futures complete on threads of HBase's, which must not be kept waiting. Safe
 * for use by many threads. It does not close the connection.
 */
@InterfaceAudience.Public
public final class AsyncQueryClient {
  private final AsyncConnection connection;

  private AsyncQueryClient(AsyncConnection connection) {
    this.connection = connection;
  }

  /** A client that asks over this connection. */
  public static AsyncQueryClient of(AsyncConnection connection) {
    return new AsyncQueryClient(connection);
  }

  /**
   * All rows at once, in row order or in that of the query. They are held in memory together: give
   * the query a limit, or use {@link #forEach} or {@link #page}.
   */
  public CompletableFuture<List<FoundRow>> all(IndexQuery query) {
    if (query.order().isPresent()) {
      List<FoundRow> rows = new ArrayList<>();
      return forEach(query, rows::add).thenApply(given -> List.copyOf(rows));
    }
    return all(query, query.toScan());
  }

  private CompletableFuture<List<FoundRow>> all(IndexQuery query, Scan scan) {
    return connection
        .getTable(query.table())
        .scanAll(scan)
        .thenApply(found -> found.stream().map(result -> FoundRow.of(result, query)).toList());
  }

  /**
   * Gives rows to a consumer as they come, in row order or in that of the query, one at a time,
   * until there are no more or it returns false.
   *
   * @param consumer whether to go on; called on threads of HBase's
   * @return how many rows were given; the consumer's own error if it threw one
   */
  public CompletableFuture<Long> forEach(IndexQuery query, Predicate<FoundRow> consumer) {
    if (query.order().isPresent()) {
      return forEach(OrderedWindow.first(query), consumer, 0);
    }
    Reading reading = new Reading(found -> consumer.test(FoundRow.of(found, query)));
    connection.getTable(query.table()).scan(query.toScan(), reading);
    return reading.rows;
  }

  private CompletableFuture<Long> forEach(
      OrderedWindow window, Predicate<FoundRow> consumer, long before) {
    return search(window)
        .thenCompose(
            searched -> {
              long given = before;
              for (FoundRow row : window.found()) {
                given++;
                if (!consumer.test(row)) {
                  return CompletableFuture.completedFuture(given);
                }
              }
              Optional<OrderedWindow> following = window.following();
              return following.isPresent()
                  ? forEach(following.get(), consumer, given)
                  : CompletableFuture.completedFuture(given);
            });
  }

  /** Asks regions until a window has its rows. */
  private CompletableFuture<Void> search(OrderedWindow window) {
    List<OrderedWindow.Ask> asks = window.next();
    CompletableFuture<?>[] running =
        asks.stream()
            .map(
                ask -> {
                  Reading reading = new Reading(ask::take);
                  connection.getTable(window.table()).scan(ask.scan(), reading);
                  return reading.rows;
                })
            .toArray(CompletableFuture<?>[]::new);
    return asks.isEmpty()
        ? CompletableFuture.completedFuture(null)
        : CompletableFuture.allOf(running).thenCompose(answered -> search(window));
  }

  /** How many rows there are, no more than the query's limit. */
  public CompletableFuture<Long> count(IndexQuery query) {
    long enough = query.limit() == IndexQuery.UNLIMITED ? Long.MAX_VALUE : query.limit();
    AtomicLong rows = new AtomicLong();
    Reading reading = new Reading(found -> rows.addAndGet(CountedRows.rowsOf(found)) < enough);
    connection.getTable(query.table()).scan(query.toCountingScan(), reading);
    return reading.rows.thenApply(results -> Math.min(rows.get(), enough));
  }

  /** As {@link QueryClient#values}. */
  public CompletableFuture<List<ValueCount>> values(IndexQuery query, Column column) {
    return gather(QueryClient.Gathering.ofValues(query, column))
        .thenApply(QueryClient.Gathering::counts);
  }

  /** As {@link QueryClient#countByTime(IndexQuery, Column, TimeBucket)}. */
  public CompletableFuture<NavigableMap<Instant, Long>> countByTime(
      IndexQuery query, Column column, TimeBucket bucket) {
    return countByTime(query, column, CountedTimes.all(bucket));
  }

  /** As {@link QueryClient#countByTime(IndexQuery, Column, CountedTimes)}. */
  public CompletableFuture<NavigableMap<Instant, Long>> countByTime(
      IndexQuery query, Column column, CountedTimes times) {
    return gather(QueryClient.Gathering.ofTimes(query, column, times))
        .thenApply(QueryClient.Gathering::times);
  }

  /** As {@link QueryClient#sum}. */
  public CompletableFuture<Sum> sum(IndexQuery query, Column column) {
    return gather(QueryClient.Gathering.ofSums(query, column, Optional.empty()))
        .thenApply(QueryClient.Gathering::sum);
  }

  /** As {@link QueryClient#sums}. */
  public CompletableFuture<List<ValueSum>> sums(IndexQuery query, Column groupBy, Column column) {
    return gather(QueryClient.Gathering.ofSums(query, column, Optional.of(groupBy)))
        .thenApply(QueryClient.Gathering::sums);
  }

  private CompletableFuture<QueryClient.Gathering> gather(QueryClient.Gathering gathering) {
    Reading reading =
        new Reading(
            told -> {
              try {
                gathering.add(told);
                return true;
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    connection.getTable(gathering.table()).scan(gathering.scan(), reading);
    return reading.rows.thenApply(told -> gathering);
  }

  /** Whether there is such a row. */
  public CompletableFuture<Boolean> exists(IndexQuery query) {
    return count(query.limit(1)).thenApply(rows -> rows > 0);
  }

  /**
   * Some of the rows, from where an earlier page ended, as {@link QueryClient#page} gives them; the
   * tokens are the same.
   *
   * @throws IllegalArgumentException if the token is damaged or belongs to another query
   */
  public CompletableFuture<Page> page(IndexQuery query, int size, Optional<String> token) {
    Paging paging = Paging.of(query, size, token);
    if (!paging.isOver() && query.order().isPresent()) {
      OrderedWindow window = paging.window();
      return search(window).thenApply(searched -> paging.pageOf(window));
    }
    return paging.isOver()
        ? CompletableFuture.completedFuture(Page.END)
        : all(query, paging.scan()).thenApply(paging::page);
  }

  /** Counts rows and hands them on, until nobody wants more. */
  private static final class Reading implements AdvancedScanResultConsumer {
    private final CompletableFuture<Long> rows = new CompletableFuture<>();
    private final AtomicLong given = new AtomicLong();
    private final Predicate<Result> wanted;

    Reading(Predicate<Result> wanted) {
      this.wanted = wanted;
    }

    @Override
    public void onNext(Result[] results, ScanController controller) {
      for (Result result : results) {
        given.incrementAndGet();
        if (!goesOn(result)) {
          controller.terminate();
          // HBase says nothing more to who has ended a scan.
          rows.complete(given.get());
          return;
        }
      }
    }

    private boolean goesOn(Result result) {
      try {
        return wanted.test(result);
      } catch (UncheckedIOException e) {
        rows.completeExceptionally(e.getCause());
        return false;
      } catch (RuntimeException | Error e) {
        rows.completeExceptionally(e);
        return false;
      }
    }

    @Override
    public void onError(Throwable error) {
      rows.completeExceptionally(error);
    }

    @Override
    public void onComplete() {
      rows.complete(given.get());
    }
  }
}
