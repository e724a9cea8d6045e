/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.hash;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Turns an element, a value within a named space, into the one 64-bit hash every filter works on.
 *
 * <p>Two hashers with the same seed and space give the same hash for the same bytes on every
 * machine and in every release: the hash is part of the format (XXH3, 64 bit). Hashers with
 * different seeds or spaces are independent of each other, so the same value in two indexes, or in
 * the two levels of one structure, collides no more often than two unrelated values.
 *
 * <p>Immutable and safe for use by many threads.
 */
@InterfaceAudience.Private
public final class ElementHasher {
  private static final int LENGTH_BYTES = Integer.BYTES;

  private final Hasher64 hasher;

  private ElementHasher(long key) {
    this.hasher = Hashing.xxh3_64(key);
  }

  /**
   * A hasher for one space of values.
   *
   * @param seed the random seed that all filters of one table share
   * @param space what tells equal values apart, for example the id of an index
   */
  public static ElementHasher of(long seed, long space) {
    return new ElementHasher(BitMixer.mix(seed + BitMixer.mix(space)));
  }

  /** The hash of a value. */
  public long hash(byte[] value) {
    return hasher.hashBytesToLong(value);
  }

  /** The hash of {@code length} bytes of {@code source} from {@code offset} on. */
  public long hash(byte[] source, int offset, int length) {
    return hasher.hashBytesToLong(source, offset, length);
  }

  /**
   * The hash of an ordered combination of values. Each value goes in with its length, so that
   * ("ab", "c") and ("a", "bc") differ.
   */
  public long hashCombination(byte[]... values) {
    int total = 0;
    for (byte[] value : values) {
      total = Math.addExact(total, LENGTH_BYTES + value.length);
    }
    byte[] joined = new byte[total];
    int at = 0;
    for (byte[] value : values) {
      for (int shift = 24; shift >= 0; shift -= 8) {
        joined[at++] = (byte) (value.length >>> shift);
      }
      System.arraycopy(value, 0, joined, at, value.length);
      at += value.length;
    }
    return hasher.hashBytesToLong(joined);
  }
}
