/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.scale;

import io.hbaseindex.bench.scale.virtual.VirtualTime;
import io.hbaseindex.core.publish.PublishedRegion;
import io.hbaseindex.core.publish.WriteTicket;
import io.hbaseindex.core.route.RegionBounds;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/** The part of a region's values that belongs to one holder, and the writes that wait for it. */
final class RegionShard {
  /** As many postings as a region server looks at for it. */
  private static final int SAMPLE = 5_000;

  private static final int FILL_STEP = 1_024;

  /** A scan waits for the batches that began before it; so often is looked whether it may begin. */
  private static final long RETRY_NANOS = 10 * VirtualTime.MILLI;

  /** A batch that waits for a page of this shard. */
  private record Waiting(WriteTicket ticket, Runnable settled) {}

  private final VirtualTime time;
  private final HolderChannel channel;
  private final PublishedRegion region;
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();

  RegionShard(VirtualTime time, HolderChannel channel, PublishedRegion region) {
    this.time = time;
    this.channel = channel;
    this.region = region;
  }

  PublishedRegion region() {
    return region;
  }

  /**
   * Builds the filter of some elements, and their bounds, as a scan of the region's postings would,
   * and once more if that pays: the first one is sized by how many of the first postings share a
   * value.
   */
  void fill(Supplier<long[]> elements, Supplier<RegionBounds> bounds) {
    build(
        elements,
        bounds,
        () -> {
          if (region.rebuildPays()) {
            build(elements, bounds, () -> {});
          }
        });
  }

  private void build(Supplier<long[]> elements, Supplier<RegionBounds> bounds, Runnable then) {
    long[] postings = elements.get();
    long distinct = LongStream.of(postings).limit(SAMPLE).distinct().count();
    long expected = distinct * postings.length / Math.max(1, Math.min(SAMPLE, postings.length));
    if (!region.startRebuild(expected)) {
      throw new IllegalStateException(
          "Cannot fill a region of %d values: there is no memory for its filter; raise -XX:MaxDirectMemorySize in BENCH_JVM_FLAGS"
              .formatted(expected));
    }
    scanWhenAllowed(elements, bounds, then);
  }

  private void scanWhenAllowed(
      Supplier<long[]> elements, Supplier<RegionBounds> bounds, Runnable then) {
    if (!region.rebuildMayScan()) {
      time.in(RETRY_NANOS, () -> scanWhenAllowed(elements, bounds, then));
      return;
    }
    long[] all = elements.get();
    for (int from = 0; from < all.length; from += FILL_STEP) {
      region.scanned(Arrays.copyOfRange(all, from, Math.min(all.length, from + FILL_STEP)));
    }
    region.completeRebuild(List.of(ScaleWorld.COVERAGE), bounds.get());
    then.run();
  }

  /** Runs something once the holder knows what a ticket stands for. */
  void await(WriteTicket ticket, Runnable settled) {
    if (region.isSettled(ticket)) {
      settled.run();
    } else {
      waiting.add(new Waiting(ticket, settled));
      channel.awaits(this);
      channel.sendNow();
    }
  }

  /** Lets those go on whose wait is over; returns whether nobody waits any more. */
  boolean settle() {
    // Tickets never fall, so whoever came first is through first.
    while (!waiting.isEmpty() && region.isSettled(waiting.peek().ticket)) {
      waiting.remove().settled.run();
    }
    return waiting.isEmpty();
  }
}
