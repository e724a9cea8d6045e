/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.entry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RegionAnchorTest {
  private static final HexFormat HEX = HexFormat.of();
  private static final int[] ALPHABET = {0x00, 0x01, 0x02, 0x7f, 0x80, 0xfe, 0xff};
  private static final byte[] LARGEST_TAIL = HEX.parseHex("ffffffffffff");

  @Test
  void between_examples() {
    assertThat(anchor("", "")).isEqualTo("");
    assertThat(anchor("", "6d")).isEqualTo("00");
    assertThat(anchor("6d", "")).isEqualTo("6e");
    assertThat(anchor("ffff", "")).isEqualTo("ffff");
    assertThat(anchor("6d3030", "703030")).isEqualTo("6e");
    assertThat(anchor("6d3030", "6e3030")).isEqualTo("6d31");
    assertThat(anchor("6dffff", "6e3030")).isEqualTo("6e00");
    assertThat(anchor("6d", "6d0001")).isEqualTo("6d0000");
    assertThat(anchor("6d", "6d0000")).isEqualTo("none");
  }

  private static String anchor(String start, String end) {
    return RegionAnchor.between(HEX.parseHex(start), HEX.parseHex(end))
        .map(HEX::formatHex)
        .orElse("none");
  }

  /** Every pair of bounds of up to three bytes, over bytes at which carries and signs go wrong. */
  @Test
  void between_everyPairOfShortBounds_isInsideAndNoShorterKeyIs() {
    List<byte[]> keys = keysUpTo(3);
    List<byte[]> shorter = keysUpTo(4);
    for (byte[] start : keys) {
      for (byte[] end : keys) {
        if (end.length > 0 && Arrays.compareUnsigned(start, end) >= 0) {
          continue;
        }
        Optional<byte[]> anchor = RegionAnchor.between(start, end);
        anchor.ifPresent(a -> assertThat(isAnchor(a, start, end)).isTrue());
        int length = anchor.map(a -> a.length).orElse(Integer.MAX_VALUE);
        if (length > 1) {
          assertThat(
                  shorter.stream()
                      .anyMatch(key -> key.length < length && isAnchor(key, start, end)))
              .as("shorter than %s in [%s, %s)", length, HEX.formatHex(start), HEX.formatHex(end))
              .isFalse();
        }
      }
    }
  }

  private static boolean isAnchor(byte[] key, byte[] start, byte[] end) {
    byte[] last = Arrays.copyOf(key, key.length + LARGEST_TAIL.length);
    System.arraycopy(LARGEST_TAIL, 0, last, key.length, LARGEST_TAIL.length);
    return Arrays.compareUnsigned(key, start) >= 0
        && (end.length == 0 || Arrays.compareUnsigned(last, end) < 0);
  }

  private static List<byte[]> keysUpTo(int length) {
    List<byte[]> keys = new ArrayList<>(List.of(new byte[0]));
    for (int from = 0, round = 0; round < length; round++) {
      int to = keys.size();
      for (; from < to; from++) {
        byte[] key = keys.get(from);
        for (int next : ALPHABET) {
          byte[] longer = Arrays.copyOf(key, key.length + 1);
          longer[key.length] = (byte) next;
          keys.add(longer);
        }
      }
    }
    return keys;
  }
}
