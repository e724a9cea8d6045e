/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.query;

import io.hbaseindex.common.query.CountedRows;
import java.util.List;
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
   * All rows at once, in row order. They are held in memory together: give the query a limit, or
   * use {@link #forEach} or {@link #page}.
   */
  public CompletableFuture<List<FoundRow>> all(IndexQuery query) {
    return all(query, query.toScan());
  }

  private CompletableFuture<List<FoundRow>> all(IndexQuery query, Scan scan) {
    return connection
        .getTable(query.table())
        .scanAll(scan)
        .thenApply(found -> found.stream().map(result -> FoundRow.of(result, query)).toList());
  }

  /**
   * Gives rows to a consumer as they come, in row order and one at a time, until there are no more
   * or it returns false.
   *
   * @param consumer whether to go on; called on threads of HBase's
   * @return how many rows were given; the consumer's own error if it threw one
   */
  public CompletableFuture<Long> forEach(IndexQuery query, Predicate<FoundRow> consumer) {
    Reading reading = new Reading(found -> consumer.test(FoundRow.of(found, query)));
    connection.getTable(query.table()).scan(query.toScan(), reading);
    return reading.rows;
  }

  /** How many rows there are, no more than the query's limit. */
  public CompletableFuture<Long> count(IndexQuery query) {
    long enough = query.limit() == IndexQuery.UNLIMITED ? Long.MAX_VALUE : query.limit();
    AtomicLong rows = new AtomicLong();
    Reading reading = new Reading(found -> rows.addAndGet(CountedRows.rowsOf(found)) < enough);
    connection.getTable(query.table()).scan(query.toCountingScan(), reading);
    return reading.rows.thenApply(results -> Math.min(rows.get(), enough));
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
