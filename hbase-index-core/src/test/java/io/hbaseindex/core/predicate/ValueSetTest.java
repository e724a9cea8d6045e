/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.predicate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.format.VarLong;
import io.hbaseindex.core.testing.GoldenFile;
import io.hbaseindex.core.testing.Seeds;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ValueSetTest {
  @Test
  void randomSets_containWhatWasPutInAndNothingElse() {
    Seeds.forEach(
        200,
        seed -> {
          SplittableRandom random = new SplittableRandom(seed);
          List<byte[]> values =
              IntStream.range(0, random.nextInt(1, 300)).mapToObj(i -> value(random)).toList();
          Set<ByteBuffer> truth = new HashSet<>(values.stream().map(ByteBuffer::wrap).toList());
          ValueSet set = ValueSet.of(values);
          ValueSet read = ValueSet.parse(set.encode());

          assertThat(read).isEqualTo(set).hasSameHashCodeAs(set);
          assertThat(set.size()).isEqualTo(truth.size());
          assertThat(set.values()).isSortedAccordingTo(Arrays::compareUnsigned);
          for (int i = 0; i < 300; i++) {
            byte[] asked = value(random);
            byte[] within = ByteBuffer.allocate(asked.length + 5).put(2, asked).array();
            assertThat(set.contains(within, 2, asked.length))
                .isEqualTo(truth.contains(ByteBuffer.wrap(asked)));
          }
          values.forEach(v -> assertThat(read.contains(v, 0, v.length)).isTrue());
        });
  }

  /** Short ones, so that many are asked for that are there. */
  private static byte[] value(SplittableRandom random) {
    byte[] value = new byte[random.nextInt(3)];
    random.nextBytes(value);
    return value;
  }

  @Test
  void encoded_isTheSameInEveryRelease() {
    ValueSet set = ValueSet.of(List.of(bytes(""), bytes("Graz"), bytes("Gratkorn"), bytes("Wien")));
    assertThat(ValueSet.parse(GoldenFile.bytes("value-list", set.encode()))).isEqualTo(set);
  }

  @Test
  void brokenBytes_areRefused() {
    assertThatThrownBy(() -> ValueSet.parse(new byte[] {1, 0}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 bytes of 0 were shared");
    assertThatThrownBy(() -> ValueSet.parse(new byte[] {0, 5, 1}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("5 of 1 follow");
  }

  /** Each value repeats all of the one before it: few bytes that would stand for very many. */
  @Test
  void bytesThatStandForMoreThanTheBound_areRefusedBeforeThatIsInMemory() {
    ByteArrayOutputStream bomb = new ByteArrayOutputStream();
    VarLong.write(bomb, 0);
    VarLong.write(bomb, 1 << 20);
    bomb.writeBytes(new byte[1 << 20]);
    for (int i = 0; i < 100_000; i++) {
      VarLong.write(bomb, (1 << 20) + i);
      VarLong.write(bomb, 1);
      bomb.write(1);
    }
    assertThatThrownBy(() -> ValueSet.parse(bomb.toByteArray()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("they took more than");
  }

  @Test
  void longListOfAPredicate_isTestedAsItsParts() {
    ColumnRef column = ColumnRef.of("f", "a");
    List<RowPredicate> parts =
        IntStream.range(0, 500)
            .<RowPredicate>mapToObj(
                i -> new RowPredicate.Column(column, ValueRange.equalTo(bytes("v" + 2 * i))))
            .toList();
    RowPredicate list = RowPredicate.any(parts);
    for (int i = 0; i < 1_100; i++) {
      byte[] value = bytes("v" + i);
      assertThat(list.test(asked -> value))
          .isEqualTo(parts.stream().anyMatch(p -> p.test(a -> value)));
    }
    assertThat(list.test(asked -> null)).isFalse();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
