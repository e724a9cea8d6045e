/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.shard;

import io.hbaseindex.core.hash.BitMixer;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Tells which shard an element belongs to. Region servers and clients must agree on it: a value
 * that is published to one shard and asked of another would be missed.
 *
 * <p>The element is hashed once more, and differently from how filters find their positions: the
 * elements of one shard would otherwise share positions and crowd them.
 */
@InterfaceAudience.Private
public final class Shards {
  /** Beyond the ordinals that filters derive positions from. */
  private static final int ORDINAL = 0x5A4D;

  private static final int SHARDS_PER_BATCH = 8;

  private Shards() {}

  /**
   * The shard, of so many, that has the bounds of a region; all others take the region to have any
   * value.
   */
  public static int ofBounds(String region, int shards) {
    return of(BitMixer.mix(region.hashCode()), withBounds(shards));
  }

  /**
   * How many shards, of so many, have bounds: one of eight, from the first one on. A batch of
   * writes mostly concerns that many shards anyway, so one shard for the bounds of all regions
   * hears of no more batches than others do; one of sixty-four would. And a range is asked of all
   * of them, each of which names the regions whose bounds it has not.
   */
  static int withBounds(int shards) {
    return (shards + SHARDS_PER_BATCH - 1) / SHARDS_PER_BATCH;
  }

  /** The shard of an element, of so many. */
  public static int of(long element, int shards) {
    return shards == 1 ? 0 : (int) BitMixer.position(element, ORDINAL, shards);
  }
}
