/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.hash;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Positions that are derived here are stored and sent, so they must never change. */
class BitMixerTest {
  @Test
  void derive_ofZero_isWhatSplitMix64Publishes() {
    assertThat(BitMixer.derive(0, 0)).isEqualTo(0xE220A8397B1DCDAFL);
    assertThat(BitMixer.derive(0, 1)).isEqualTo(0x6E789E6AA1B965F4L);
    assertThat(BitMixer.derive(0, 2)).isEqualTo(0x06C45D188009454FL);
  }

  @Test
  void mix_ofOneBit_changesAboutHalfOfTheBits() {
    assertThat(BitMixer.mix(0)).isZero();
    for (int bit = 0; bit < Long.SIZE; bit++) {
      assertThat(Long.bitCount(BitMixer.mix(7) ^ BitMixer.mix(7 ^ 1L << bit))).isBetween(12, 52);
    }
  }

  @Test
  void multiple_isThePowerOfTheMultiplier() {
    BigInteger multiplier = new BigInteger("D1342543DE82EF95", 16);
    Set<Long> seen = new HashSet<>();
    for (int ordinal = 0; ordinal < Long.SIZE; ordinal++) {
      long power = multiplier.pow(ordinal + 1).longValue();
      assertThat(BitMixer.multiple(1, ordinal)).isEqualTo(power);
      assertThat(BitMixer.multiple(12345, ordinal)).isEqualTo(12345 * power);
      seen.add(power);
    }
    assertThat(seen).hasSize(Long.SIZE);
  }

  @Test
  void position_isTheHashAsAPartOfTheRange() {
    for (long range : new long[] {1, 10, 1L << 17, (1L << 40) + 3, (1L << 62) - 1}) {
      assertThat(BitMixer.position(0, range)).isZero();
      assertThat(BitMixer.position(-1L, range)).isEqualTo(range - 1);
      assertThat(BitMixer.position(1L << 63, range)).isEqualTo(range / 2);
      assertThat(BitMixer.position(99, 5, range))
          .isEqualTo(BitMixer.position(BitMixer.derive(99, 5), range));
    }
  }
}
