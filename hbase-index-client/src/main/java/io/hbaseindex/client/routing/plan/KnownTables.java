/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.plan;

import io.hbaseindex.client.routing.source.RouteFailure;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * A cache of the descriptors of the tables that a connection has scanned. Each is used for a while
 * and then read again. Scans that need the same one share one call.
 *
 * <p>An outdated descriptor does no harm: every route comes with the number of the descriptor that
 * the master has, and is not used with another.
 */
final class KnownTables {
  /** More tables than a connection is likely to scan; past it all are forgotten and read again. */
  private static final int MOST_TABLES = 10_000;

  /** An index that was created is used after this long at the latest. */
  private static final long KEEP_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final Function<TableName, CompletableFuture<TableDescriptor>> source;
  private final LongSupplier nanoClock;
  private final Map<TableName, CompletableFuture<KnownTable>> tables = new ConcurrentHashMap<>();

  KnownTables(
      Function<TableName, CompletableFuture<TableDescriptor>> source, LongSupplier nanoClock) {
    this.source = source;
    this.nanoClock = nanoClock;
  }

  /** The table's descriptor, or whatever kept it from being read. */
  CompletableFuture<KnownTable> get(TableName name) {
    CompletableFuture<KnownTable> known = tables.get(name);
    return known == null || isOutdated(known) ? replace(name, known) : known;
  }

  /** The table's descriptor, read again unless that has happened since this one was read. */
  CompletableFuture<KnownTable> readAgain(TableName name, KnownTable former) {
    CompletableFuture<KnownTable> known = tables.get(name);
    boolean same =
        known != null
            && known.isDone()
            && !known.isCompletedExceptionally()
            && known.join() == former;
    return known == null || same ? replace(name, known) : known;
  }

  private boolean isOutdated(CompletableFuture<KnownTable> known) {
    return known.isDone()
        && (known.isCompletedExceptionally()
            || nanoClock.getAsLong() - known.join().readAtNanos() > KEEP_NANOS);
  }

  /** Puts a new reading in place of a former one, unless somebody else was faster. */
  private CompletableFuture<KnownTable> replace(
      TableName name, CompletableFuture<KnownTable> former) {
    CompletableFuture<KnownTable> fresh = new CompletableFuture<>();
    if (tables.size() >= MOST_TABLES) {
      tables.clear();
    }
    CompletableFuture<KnownTable> inPlace =
        tables.compute(
            name, (key, current) -> current == null || current == former ? fresh : current);
    if (inPlace == fresh) {
      read(name, fresh);
    }
    return inPlace;
  }

  private void read(TableName name, CompletableFuture<KnownTable> fresh) {
    long asked = nanoClock.getAsLong();
    source
        .apply(name)
        .thenApply(descriptor -> new KnownTable(descriptor, asked))
        .whenComplete(
            (known, error) -> {
              if (error != null) {
                tables.remove(name, fresh);
                fresh.completeExceptionally(RouteFailure.causeOf(error));
              } else {
                fresh.complete(known);
              }
            });
  }
}
