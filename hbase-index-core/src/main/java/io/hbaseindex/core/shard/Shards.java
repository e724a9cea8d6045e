/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.shard;

import io.hbaseindex.core.hash.BitMixer;
import io.hbaseindex.core.route.RegionBounds;
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

  /** What bounds are told apart from elements by. */
  private static final long BOUNDS = 0x626F756E6473L;

  private Shards() {}

  /** The shard that has the bounds of an index, of so many. */
  public static int ofBounds(int indexId, int shards) {
    return of(BitMixer.mix(BOUNDS + indexId), shards);
  }

  /** What a shard, of so many, has of the bounds of a region. */
  static RegionBounds ofShard(RegionBounds bounds, int shard, int shards) {
    return shards == 1 ? bounds : bounds.only(index -> ofBounds(index, shards) == shard);
  }

  /** The shard of an element, of so many. */
  public static int of(long element, int shards) {
    return shards == 1 ? 0 : (int) BitMixer.position(element, ORDINAL, shards);
  }
}
