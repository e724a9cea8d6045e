/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.hash;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * Derives many independent, unbiased positions from one 64-bit hash.
 *
 * <p>Double hashing ({@code a + i * b}) would be cheaper, but its positions are decided by the pair
 * (a, b) alone: with m positions per slice a false match of all slices then happens with
 * probability of about n / m², which for small filters is far above 2^-k. So each position has all
 * 64 bits of the hash in it: {@linkplain #derive mixed} once more, or, where the time counts, as
 * the upper bits of a {@linkplain #multiple multiple}.
 */
@InterfaceAudience.Private
public final class BitMixer {
  /** 2^64 divided by the golden ratio: consecutive multiples are spread evenly. */
  private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

  /** Odd, and among those whose powers are spread well (Steele and Vigna, 2021). */
  private static final long MULTIPLIER = 0xD1342543DE82EF95L;

  private static final long[] POWERS = powers();

  private BitMixer() {}

  private static long[] powers() {
    long[] powers = new long[Long.SIZE];
    powers[0] = MULTIPLIER;
    for (int i = 1; i < powers.length; i++) {
      powers[i] = powers[i - 1] * MULTIPLIER;
    }
    return powers;
  }

  /** A bijection of the 64-bit integers in which every input bit affects every output bit. */
  public static long mix(long z) {
    long first = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    long second = (first ^ (first >>> 27)) * 0x94D049BB133111EBL;
    return second ^ (second >>> 31);
  }

  /** The {@code ordinal}-th of a family of independent hashes of one element. */
  public static long derive(long hash, int ordinal) {
    return mix(hash + (ordinal + 1) * GOLDEN_GAMMA);
  }

  /**
   * The {@code ordinal}-th of up to 64 hashes of one {@linkplain #mix mixed} element, of which only
   * the upper bits are good. A multiplication is a tenth of the work of {@link #derive}.
   */
  public static long multiple(long mixed, int ordinal) {
    return mixed * POWERS[ordinal];
  }

  /**
   * The {@code ordinal}-th position of an element in {@code [0, range)}: the high half of a 64 by
   * 64 bit product, so no position is more likely than another by more than range / 2^63.
   *
   * @param range at least 1, below 2^62
   */
  public static long position(long hash, int ordinal, long range) {
    return position(derive(hash, ordinal), range);
  }

  /** The position in {@code [0, range)} that a {@linkplain #derive derived} hash stands for. */
  public static long position(long derived, long range) {
    return Math.multiplyHigh(derived >>> 1, range << 1);
  }
}
