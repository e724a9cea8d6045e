/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.seeds.vector;

import java.util.BitSet;
import java.util.SplittableRandom;

/**
 * The filter of seed 001 with the hash of its listing, to show what that hash does.
 *
 * <p>The listing does not compile as printed: the size of its bit set is an undeclared constant,
 * the member that holds the size is never set, and the bit set is built from the size as if from a
 * bit pattern. The evident intention is kept: a vector of {@code bits} bits and, for hash i, {@code
 * h = 31 h + x} over the vector, starting from random seed i, taken modulo the size as unsigned.
 */
final class PrintedVectorFilter {
  private final BitSet set = new BitSet();
  private final int bits;
  private final int[] seeds;

  PrintedVectorFilter(int bits, int hashes, SplittableRandom random) {
    this.bits = bits;
    seeds = random.ints(hashes, 0, Integer.MAX_VALUE).toArray();
  }

  void insert(int[] vector) {
    for (int seed : seeds) {
      set.set(position(seed, vector));
    }
  }

  boolean mightContain(int[] vector) {
    for (int seed : seeds) {
      if (!set.get(position(seed, vector))) {
        return false;
      }
    }
    return true;
  }

  private int position(int seed, int[] vector) {
    int hash = seed;
    for (int value : vector) {
      hash = 31 * hash + value;
    }
    return Integer.remainderUnsigned(hash, bits);
  }
}
