/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.tuple;

import io.hbaseindex.core.filter.BloomShape;
import java.math.BigInteger;
import java.util.Locale;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The most memory one tuple filter may take. Matrices grow with the product of their axes, so a
 * careless choice asks for terabytes; the need is computed, and refused if too large, before
 * anything is allocated.
 *
 * @param maxBits the limit in bits
 */
@InterfaceAudience.Private
public record MemoryLimit(long maxBits) {
  private static final long BITS_PER_MEBIBYTE = 8L << 20;

  public MemoryLimit {
    if (maxBits < 1 || maxBits > BloomShape.MAX_BITS) {
      throw new IllegalArgumentException(
          "Cannot limit memory: maxBits was %d; it must lie between 1 and %d"
              .formatted(maxBits, BloomShape.MAX_BITS));
    }
  }

  /** A limit in units of 2^20 bytes. */
  public static MemoryLimit ofMebibytes(long mebibytes) {
    return new MemoryLimit(Math.multiplyExact(mebibytes, BITS_PER_MEBIBYTE));
  }

  /**
   * Lets a need within the limit pass.
   *
   * @throws IllegalArgumentException if it is above the limit, naming both
   */
  long admit(String structure, BigInteger neededBits) {
    if (neededBits.compareTo(BigInteger.valueOf(maxBits)) > 0) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "Cannot create a %s: it needs %,d bits (%,.1f MiB), the limit is %,d bits;"
                  + " shorten the axes, cut attribute combinations or raise the limit",
              structure,
              neededBits,
              neededBits.doubleValue() / BITS_PER_MEBIBYTE,
              maxBits));
    }
    return neededBits.longValueExact();
  }
}
