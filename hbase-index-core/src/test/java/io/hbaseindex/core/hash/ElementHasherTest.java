/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.hash;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Hashes of values are stored and sent, so they must never change. */
class ElementHasherTest {
  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void hash_isWhatItWasInEveryRelease() {
    ElementHasher hasher = ElementHasher.of(42, 7);
    assertThat(hasher.hash(new byte[0])).isEqualTo(0x62272BA5DEE57AE8L);
    assertThat(hasher.hash(bytes("hannah@example.org"))).isEqualTo(0xA6289F0CEC3D04C2L);
    assertThat(hasher.hashCombination(bytes("Rome"), bytes("open"))).isEqualTo(0x6A67845102D8ACDFL);
    byte[] large = new byte[70_000];
    new Random(1).nextBytes(large);
    assertThat(hasher.hashCombination(large, bytes("x"))).isEqualTo(0x4B905D6B1169D0B5L);
  }

  @Test
  void hash_ofAPart_isThatOfItsBytes() {
    ElementHasher hasher = ElementHasher.of(1, 2);
    assertThat(hasher.hash(bytes("--Rome---"), 2, 4)).isEqualTo(hasher.hash(bytes("Rome")));
  }

  @Test
  void seedAndSpace_tellEqualValuesApart() {
    byte[] value = bytes("Rome");
    assertThat(
            List.of(
                ElementHasher.of(1, 2).hash(value),
                ElementHasher.of(2, 1).hash(value),
                ElementHasher.of(1, 3).hash(value),
                ElementHasher.of(3, 2).hash(value)))
        .doesNotHaveDuplicates();
  }

  @Test
  void hashCombination_knowsWhereValuesEnd() {
    ElementHasher hasher = ElementHasher.of(1, 2);
    assertThat(
            List.of(
                hasher.hashCombination(bytes("ab"), bytes("c")),
                hasher.hashCombination(bytes("a"), bytes("bc")),
                hasher.hashCombination(bytes("abc"), bytes("")),
                hasher.hashCombination(bytes("abc")),
                hasher.hash(bytes("abc"))))
        .doesNotHaveDuplicates();
  }
}
