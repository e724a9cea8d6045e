/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.upkeep;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How many regions tables have, asked for once a minute; nobody waits for the answer. */
@InterfaceAudience.Private
public final class TableSizes implements UpkeepTask {
  static final long ASK_NANOS = Duration.ofMinutes(1).toNanos();

  private static final Logger LOG = LoggerFactory.getLogger(TableSizes.class);

  private final Supplier<CompletableFuture<Map<String, Integer>>> source;
  private final LongSupplier nanoClock;
  private volatile Map<String, Integer> regions = Map.of();
  private long askAt;

  /**
   * @param source asks for the number of regions by the names of tables
   */
  public TableSizes(
      Supplier<CompletableFuture<Map<String, Integer>>> source, LongSupplier nanoClock) {
    this.source = source;
    this.nanoClock = nanoClock;
    this.askAt = nanoClock.getAsLong();
  }

  /** Number of regions that a table had when it was last told; 0 if it never was. */
  public int regionsOf(String table) {
    return regions.getOrDefault(table, 0);
  }

  @Override
  public Need look() {
    return askAt - nanoClock.getAsLong() > 0 ? Need.NOTHING : Need.FILE;
  }

  @Override
  public long asked() {
    return 0;
  }

  @Override
  public void run() {
    askAt = nanoClock.getAsLong() + ASK_NANOS;
    source
        .get()
        .whenComplete(
            (found, failure) -> {
              if (failure == null) {
                regions = found;
              } else {
                LOG.debug("Cannot tell how many regions tables have; asking again", failure);
              }
            });
  }
}
