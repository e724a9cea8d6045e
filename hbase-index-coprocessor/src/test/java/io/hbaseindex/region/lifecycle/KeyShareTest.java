/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.lifecycle;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class KeyShareTest {

  @Test
  void numbers_areSharedOutEvenly() {
    KeyShare thousand = share("row0000", "row0500", "row0999");

    for (int row = 0; row < 1_000; row += 10) {
      assertThat(thousand.before(key("row%04d".formatted(row))))
          .as("row %d", row)
          .isCloseTo(row / 1_000.0, within(0.03));
    }
    assertThat(thousand.before(key("row0250\0"))).as("behind a row").isCloseTo(0.25, within(0.03));
  }

  @Test
  void middle_divides_howeverKeysAreSpread() {
    KeyShare skewed = share("a", "b", "z");

    assertThat(skewed.before(key("az"))).isBetween(0.1, 0.5);
    assertThat(skewed.before(key("b"))).isEqualTo(0.5);
    assertThat(skewed.before(key("y"))).isBetween(0.9, 1.0);
  }

  @Test
  void keysOutside_andRunsOfOneKey_areWithinTheWhole() {
    assertThat(share("b", "c", "d").before(key("a"))).isZero();
    assertThat(share("b", "c", "d").before(key("e"))).isEqualTo(1);
    assertThat(share("b", "b", "b").before(key("b"))).isEqualTo(0.5);
    assertThat(share("b", "b", "b").before(key("c"))).isEqualTo(1);
    assertThat(
            share("prefix1234567a", "prefix1234567b", "prefix1234567c")
                .before(key("prefix1234567b5")))
        .isBetween(0.5, 1.0);
    assertThat(share("a", "a", "a\0").before(key("a\0"))).isBetween(0.0, 1.0);
  }

  private static KeyShare share(String first, String middle, String last) {
    return new KeyShare(key(first), key(middle), key(last));
  }

  private static byte[] key(String text) {
    return text.getBytes(US_ASCII);
  }
}
