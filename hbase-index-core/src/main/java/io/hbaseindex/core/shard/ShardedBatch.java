/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.shard;

import io.hbaseindex.core.publish.PublishedRegion;
import io.hbaseindex.core.publish.WriteTicket;
import io.hbaseindex.core.route.RegionBounds;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.yetus.audience.InterfaceAudience;

/** One batch on its way through the shards of a region that it touches. */
@InterfaceAudience.Private
public final class ShardedBatch {
  private final ShardedRegion region;
  private final ShardCut cut;
  private final List<PublishedRegion> before;
  private final long[] phases;
  private final WriteTicket[] tickets;
  private final BitSet touched = new BitSet();

  /** Made by {@link ShardedRegion#begin}. */
  ShardedBatch(
      ShardedRegion region,
      ShardCut cut,
      List<PublishedRegion> before,
      BitSet awaited,
      long[] started,
      long[] kept,
      long[] ended,
      RegionBounds bounds) {
    this.region = region;
    this.cut = cut;
    this.before = before;
    this.phases = new long[cut.parts.size()];
    this.tickets = new WriteTicket[cut.parts.size()];
    awaited.or(shardsOf(started));
    awaited.or(shardsOf(kept));
    touched.or(awaited);
    touched.or(shardsOf(ended));
    int bounded = cut.bounded;
    boolean widening = !bounds.isNothing() && !awaited.get(bounded);
    if (widening) {
      touched.set(bounded);
    }
    touched.stream().forEach(shard -> phases[shard] = part(shard).beginBatch());
    awaited.stream()
        .forEach(
            shard ->
                tickets[shard] =
                    part(shard)
                        .insert(
                            shard == bounded ? bounds : RegionBounds.NOTHING, of(shard, started)));
    if (widening) {
      tickets[bounded] = part(bounded).widen(bounds);
    }
  }

  private BitSet shardsOf(long[] elements) {
    BitSet shards = new BitSet();
    for (long element : elements) {
      shards.set(shardOf(element));
    }
    return shards;
  }

  private long[] of(int shard, long[] elements) {
    return phases.length == 1
        ? elements
        : LongStream.of(elements).filter(element -> shardOf(element) == shard).toArray();
  }

  private int shardOf(long element) {
    return Shards.of(element, phases.length);
  }

  private PublishedRegion part(int shard) {
    return cut.parts.get(shard).region();
  }

  /** Whether the batch may be acknowledged. */
  public boolean isSettled() {
    for (int shard = 0; shard < tickets.length; shard++) {
      if (tickets[shard] != null && !part(shard).isSettled(tickets[shard])) {
        return false;
      }
    }
    return before.stream().allMatch(PublishedRegion::isReleased);
  }

  /** The numbers of the holders that the batch concerns. */
  public IntStream holders() {
    return touched.stream().map(shard -> cut.places.get(shard).holder());
  }

  /**
   * A live posting has ended, by this batch, which has succeeded.
   *
   * @param space of the set of columns that the element is of
   */
  public void delete(long space, long element) {
    int shard = shardOf(element);
    if (!touched.get(shard)) {
      throw new IllegalStateException(
          "Cannot take an element back: its batch did not name it; name what ends at the begin");
    }
    part(shard).delete(phases[shard], space, element);
  }

  /** The batch has passed its last step, or has failed; to be called once. */
  public void end() {
    touched.stream().forEach(shard -> part(shard).endBatch(phases[shard]));
    region.ended(cut);
  }
}
