/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.tuple;

import io.hbaseindex.core.hash.BitMixer;

/** One hash of a whole tuple, which depends on every attribute and on their order. */
final class TupleHash {
  private TupleHash() {}

  /**
   * The hash of the tuple in the family member named by {@code seed}; members with different seeds
   * are independent, since the seed goes through every mixing step and not just into a sum.
   */
  static long combine(long seed, long[] tuple) {
    long hash = BitMixer.mix(seed);
    for (int attribute = 0; attribute < tuple.length; attribute++) {
      hash = BitMixer.derive(hash ^ tuple[attribute], attribute);
    }
    return hash;
  }
}
