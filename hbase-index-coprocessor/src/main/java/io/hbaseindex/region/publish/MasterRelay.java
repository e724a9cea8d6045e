/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.publish;

import io.hbaseindex.common.master.MasterConnection;
import io.hbaseindex.core.shard.HolderLayout;
import io.hbaseindex.core.shard.ShardPlace;
import io.hbaseindex.protocol.IndexMasterProtos.FiltersRequest;
import io.hbaseindex.protocol.IndexMasterProtos.FiltersResponse;
import io.hbaseindex.protocol.IndexMasterProtos.RouteRequest;
import io.hbaseindex.protocol.IndexMasterProtos.RouteResponse;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.DoNotRetryIOException;

/**
 * Passes clients' questions on to the master, in the name of the region server. Each holds one of
 * the server's handlers until the master has answered, so only a few may be under way at once and
 * none for longer than a lease. Whoever is refused because the server or the master is busy asks
 * again a little later.
 *
 * <p>Safe for use by many threads.
 */
final class MasterRelay {
  /** A small part of the 30 handlers that a region server has by default. */
  static final int MOST_AT_ONCE = 8;

  private final IntFunction<PushTransport> holders;
  private final Supplier<HolderLayout> layout;
  private final long timeoutNanos;
  private final PublishMetrics metrics;
  private final Semaphore free = new Semaphore(MOST_AT_ONCE);

  MasterRelay(
      IntFunction<PushTransport> holders,
      Supplier<HolderLayout> layout,
      long timeoutNanos,
      PublishMetrics metrics) {
    this.holders = holders;
    this.layout = layout;
    this.timeoutNanos = timeoutNanos;
    this.metrics = metrics;
  }

  /**
   * Passes on a question about a table. Whoever has chosen the shard by another layout is told the
   * one that is in force here.
   */
  RouteResponse route(String table, RouteRequest request) throws IOException {
    HolderLayout now = layout.get();
    List<ShardPlace> places = now.places(table);
    if (!isMeant(request.hasLayout(), request.getLayout(), now)
        || !isAmong(request.getShard(), places)) {
      return RouteResponse.newBuilder().setLayout(now.text()).build();
    }
    int holder = places.get(request.getShard()).holder();
    return pass(() -> holders.apply(holder).route(request));
  }

  /** The same for a copy of a table's filters. */
  FiltersResponse filters(FiltersRequest request) throws IOException {
    HolderLayout now = layout.get();
    List<ShardPlace> places = now.places(request.getTable());
    if (!isMeant(request.hasLayout(), request.getLayout(), now)
        || !isAmong(request.getShard(), places)) {
      return FiltersResponse.newBuilder().setLayout(now.text()).build();
    }
    int holder = places.get(request.getShard()).holder();
    return pass(() -> holders.apply(holder).filters(request));
  }

  /** A client of an older release names no layout; it means the master. */
  private static boolean isMeant(boolean named, long version, HolderLayout now) {
    return named ? version == now.version() : now.isMaster();
  }

  private static boolean isAmong(int shard, List<ShardPlace> places) {
    return shard >= 0 && shard < places.size();
  }

  private <T> T pass(Supplier<CompletableFuture<T>> question) throws IOException {
    if (!free.tryAcquire()) {
      metrics.relayRefused();
      throw new CallQueueTooBigException(
          "Cannot pass a question on to the master: %d were under way; ask again later"
              .formatted(MOST_AT_ONCE));
    }
    try {
      metrics.relayed();
      return question.get().get(timeoutNanos, TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      if (MasterConnection.isRefusalOfBusyServer(e)) {
        throw new CallQueueTooBigException(
            "Cannot pass a question on to the master: it was busy; ask again later");
      }
      throw new DoNotRetryIOException("Cannot get an answer from the master", e.getCause());
    } catch (TimeoutException e) {
      throw new DoNotRetryIOException("Cannot get an answer from the master: it was too slow", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Cannot wait for the master: interrupted");
    } finally {
      free.release();
    }
  }
}
