/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.timecount.filter;

import io.hbaseindex.core.hash.BitMixer;
import io.hbaseindex.core.hash.ElementHasher;
import java.util.Arrays;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Maps elements to positions, with hashes for the bit vectors that are independent of those for the
 * counting vectors.
 *
 * <p>The independence is what lets the two errors be multiplied: an absent element that passes the
 * bit vector by chance must have no better chance than any other to find its counters raised. With
 * shared hashes the two would fail together.
 */
@InterfaceAudience.Private
public final class MbfHashing {
  private static final long BIT_SPACE = 1;
  private static final long COUNTER_SPACE = 2;

  private final MbfParameters parameters;
  private final ElementHasher bitHasher;
  private final ElementHasher counterHasher;

  public MbfHashing(MbfParameters parameters, long seed) {
    this.parameters = parameters;
    this.bitHasher = ElementHasher.of(seed, BIT_SPACE);
    this.counterHasher = ElementHasher.of(seed, COUNTER_SPACE);
  }

  public ElementPositions positionsOf(byte[] element) {
    return new ElementPositions(
        draw(bitHasher.hash(element), parameters.bitHashes(), parameters.bits()),
        distinct(
            draw(counterHasher.hash(element), parameters.counterHashes(), parameters.counters())));
  }

  private static int[] draw(long hash, int hashes, int range) {
    int[] positions = new int[hashes];
    for (int i = 0; i < hashes; i++) {
      positions[i] = (int) BitMixer.position(hash, i, range);
    }
    return positions;
  }

  private static int[] distinct(int[] positions) {
    int kept = 0;
    for (int position : positions) {
      boolean seen = false;
      for (int i = 0; i < kept && !seen; i++) {
        seen = positions[i] == position;
      }
      if (!seen) {
        positions[kept++] = position;
      }
    }
    return kept == positions.length ? positions : Arrays.copyOf(positions, kept);
  }
}
