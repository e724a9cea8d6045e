/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.source;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;

/**
 * Picks rows of a table so that each of its regions is met equally often, whatever its keys look
 * like: rows are picked among the regions' start keys. These are read from HBase when the table is
 * first asked for, and again after a long while. Keys that are out of date only spread less evenly.
 *
 * <p>Safe for use by many threads.
 */
final class SpreadRows {
  /** Reading the boundaries of a large table costs thousands of rows of HBase's meta table. */
  private static final long KEEP_NANOS = TimeUnit.MINUTES.toNanos(10);

  /**
   * The start keys of a table's regions.
   *
   * @param former those that are used until the others have come; null if there are none
   */
  private record Boundaries(
      CompletableFuture<List<byte[]>> startKeys, List<byte[]> former, long askedAtNanos) {
    CompletableFuture<List<byte[]>> known() {
      return former == null || startKeys.isDone()
          ? startKeys
          : CompletableFuture.completedFuture(former);
    }
  }

  private final LongSupplier nanoClock;
  private final Map<TableName, Boundaries> tables = new ConcurrentHashMap<>();

  SpreadRows(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /** Any row of the table; the first one if the boundaries cannot be read. */
  CompletableFuture<byte[]> pick(AsyncConnection connection, TableName table) {
    long now = nanoClock.getAsLong();
    Boundaries boundaries =
        tables.compute(
            table,
            (name, old) ->
                old != null && now - old.askedAtNanos() < KEEP_NANOS
                    ? old
                    : read(connection, name, old, now));
    return boundaries
        .known()
        .handle(
            (keys, error) -> {
              if (error != null) {
                tables.remove(table, boundaries);
              }
              return error != null || keys.isEmpty()
                  ? HConstants.EMPTY_START_ROW
                  : keys.get(ThreadLocalRandom.current().nextInt(keys.size()));
            });
  }

  private static Boundaries read(
      AsyncConnection connection, TableName table, Boundaries old, long now) {
    CompletableFuture<List<byte[]>> startKeys;
    try {
      startKeys = connection.getRegionLocator(table).getStartKeys();
    } catch (IOException e) {
      startKeys = CompletableFuture.failedFuture(e);
    }
    boolean hasFormer =
        old != null && old.startKeys().isDone() && !old.startKeys().isCompletedExceptionally();
    return new Boundaries(startKeys, hasFormer ? old.startKeys().join() : null, now);
  }
}
