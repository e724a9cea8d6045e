/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.filter;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * How large a Bloom filter is and how many bits an element sets in it.
 *
 * @param bits length of the bit vector
 * @param hashes positions per element
 */
@InterfaceAudience.Private
public record BloomShape(long bits, int hashes) {
  /** More positions than this only cost time: at half fill the error is 2^-64 already. */
  public static final int MAX_HASHES = 64;

  /** What one Java array of 64-bit words can hold. */
  public static final long MAX_BITS = (Integer.MAX_VALUE - 8L) * Long.SIZE;

  private static final double LOG2_E = 1 / Math.log(2);

  /** Keeps a logarithm that is an integer from falling below it: log2(128) comes out under 7. */
  private static final double ROUNDING = 1e-9;

  public BloomShape {
    if (bits < 1 || bits > MAX_BITS) {
      throw new IllegalArgumentException(
          "Cannot shape a Bloom filter: bits was %d; it must lie between 1 and %d"
              .formatted(bits, MAX_BITS));
    }
    checkHashes(hashes);
  }

  /** Refuses a number of hash functions that no filter takes. */
  public static void checkHashes(int hashes) {
    if (hashes < 1 || hashes > MAX_HASHES) {
      throw new IllegalArgumentException(
          "Cannot shape a Bloom filter: hashes was %d; it must lie between 1 and %d"
              .formatted(hashes, MAX_HASHES));
    }
  }

  /**
   * The shape for {@code elements} distinct elements at the given error: k = ⌊log2(1/error)⌋ hash
   * functions, at least one, and ⌈elements · log2(e) · log2(1/error)⌉ bits.
   */
  public static BloomShape forElements(long elements, double error) {
    int hashes = Math.max(1, (int) Math.floor(log2Inverse(error) + ROUNDING));
    return new BloomShape((long) Math.ceil(optimalBits(elements, error)), hashes);
  }

  /** The optimal number of bits before it is rounded. */
  public static double optimalBits(long elements, double error) {
    if (elements < 1) {
      throw new IllegalArgumentException(
          "Cannot shape a Bloom filter: elements was %d; it must be at least 1"
              .formatted(elements));
    }
    return elements * LOG2_E * log2Inverse(error);
  }

  /** Chance that an absent element is reported after {@code elements} distinct inserts. */
  public double expectedError(double elements) {
    return Math.pow(-Math.expm1(hashes * elements * Math.log1p(-1.0 / bits)), hashes);
  }

  private static double log2Inverse(double error) {
    if (!(error > 0 && error < 1)) {
      throw new IllegalArgumentException(
          "Cannot shape a Bloom filter: error was %s; it must lie between 0 and 1"
              .formatted(error));
    }
    return -Math.log(error) * LOG2_E;
  }
}
