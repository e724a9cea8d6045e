/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.core.entry.IndexRowKeys;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ValuePrefixesTest {
  /** Where values come from. */
  private enum Values {
    UNIFORM(random -> number(random.nextLong())),
    SKEWED(random -> number((long) Math.exp(40 * random.nextDouble()))),
    DECIMAL(random -> Long.toString(random.nextInt(1 << 24)).getBytes()),
    FEW_BYTES(random -> letters(random, new byte[] {0, 1, (byte) 0xFF}, 6)),
    LONG(random -> letters(random, new byte[] {'a'}, 40));

    private final Function<Random, byte[]> next;

    Values(Function<Random, byte[]> next) {
      this.next = next;
    }

    byte[] next(Random random) {
      return IndexRowKeys.encoded(next.apply(random));
    }

    private static byte[] number(long value) {
      return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
    }

    private static byte[] letters(Random random, byte[] alphabet, int most) {
      byte[] text = new byte[random.nextInt(most)];
      for (int at = 0; at < text.length; at++) {
        text[at] = alphabet[random.nextInt(alphabet.length)];
      }
      return text;
    }
  }

  private static boolean isIn(TreeSet<byte[]> values, byte[] from, byte[] below) {
    byte[] next = values.ceiling(from);
    return next != null && (below == null || Arrays.compareUnsigned(next, below) < 0);
  }

  /** E4, against a sorted set: added one by one and in lots, made coarser, sent and read. */
  @ParameterizedTest
  @EnumSource
  void e4_whatHasAValue_isMet_howeverItWasMade(Values source) {
    for (long seed = 0; seed < 30; seed++) {
      Random random = new Random(seed);
      TreeSet<byte[]> values = new TreeSet<>(Arrays::compareUnsigned);
      ValuePrefixes region = ValuePrefixes.NOTHING;
      ValuePrefixes holder = ValuePrefixes.NOTHING;
      long most = 400 + random.nextInt(4_000);
      int steps = 1 + random.nextInt(60);
      for (int step = 0; step < steps; step++) {
        List<byte[]> some = new ArrayList<>();
        for (int left = random.nextInt(4) == 0 ? 40 : 1; left > 0; left--) {
          some.add(source.next(random));
        }
        values.addAll(some);
        ValuePrefixes more = region.lacking(ValuePrefixes.whole(some));
        ValuePrefixes wider = region.union(more);
        if (wider.bytes() > most) {
          wider = wider.bounded(most / 2);
          more = region.uncovered(wider);
        }
        region = wider;
        holder = holder.union(ValuePrefixes.ofBlocks(more.blocks()));
      }
      assertThat(holder).as("seed %d", seed).isEqualTo(region);
      assertThat(holder.count()).isEqualTo(holder.prefixes().size());
      assertThat(ValuePrefixes.ofBlocks(region.blocks())).isEqualTo(region);
      for (byte[] value : values) {
        byte[] cut = Arrays.copyOf(value, Math.min(value.length, ValuePrefixes.LENGTH));
        assertThat(holder.covers(cut)).as("seed %d", seed).isTrue();
      }
      for (int question = 0; question < 300; question++) {
        byte[] from = source.next(random);
        byte[] below = random.nextInt(8) == 0 ? null : source.next(random);
        if (isIn(values, from, below)) {
          assertThat(holder.meets(from, below)).as("seed %d", seed).isTrue();
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"UNIFORM", "SKEWED", "DECIMAL"})
  void betweenTwoValues_hardlyAnythingIsMet(Values source) {
    Random random = new Random(1);
    TreeSet<byte[]> values = new TreeSet<>(Arrays::compareUnsigned);
    ValuePrefixes prefixes = ValuePrefixes.NOTHING;
    for (int page = 0; page < 10; page++) {
      List<byte[]> some = new ArrayList<>();
      for (int at = 0; at < 200; at++) {
        some.add(source.next(random));
      }
      values.addAll(some);
      prefixes = prefixes.union(prefixes.lacking(ValuePrefixes.whole(some)));
    }
    int asked = 0;
    int met = 0;
    for (int question = 0; question < 10_000; question++) {
      byte[] value = source.next(random);
      byte[] below = Arrays.copyOf(value, value.length + 1);
      if (!isIn(values, value, below)) {
        asked++;
        met += prefixes.meets(value, below) ? 1 : 0;
      }
    }
    assertThat(asked).isGreaterThan(5_000);
    assertThat(met).isLessThan(asked / 50);
    assertThat(prefixes.bytes()).isLessThan(8L * values.size());
  }

  @Test
  void union_doesNotDependOnTheOrder_andAShorterOneReplacesOthers() {
    Random random = new Random(2);
    List<byte[]> all = new ArrayList<>();
    for (int at = 0; at < 1_000; at++) {
      byte[] next = new byte[1 + random.nextInt(4)];
      random.nextBytes(next);
      all.add(next);
    }
    ValuePrefixes atOnce = ValuePrefixes.whole(all);
    ValuePrefixes oneByOne = ValuePrefixes.NOTHING;
    for (byte[] next : all) {
      oneByOne = oneByOne.union(ValuePrefixes.whole(List.of(next)));
    }
    assertThat(oneByOne).isEqualTo(atOnce).hasSameHashCodeAs(atOnce);
    assertThat(oneByOne.union(atOnce)).isEqualTo(atOnce);
    ValuePrefixes short7 = ValuePrefixes.whole(List.of(new byte[] {7}));
    assertThat(atOnce.union(short7).prefixes().stream().filter(prefix -> prefix[0] == 7).toList())
        .singleElement()
        .isEqualTo(new byte[] {7});
    assertThat(atOnce.union(ValuePrefixes.EVERYTHING)).isEqualTo(ValuePrefixes.EVERYTHING);
  }

  /**
   * Blocks that do not change are not looked at: size and order are right all the same, also where
   * a short prefix takes the place of many blocks.
   */
  @Test
  void union_ofThousands_countsItselfRight_andIsInOrder() {
    Random random = new Random(3);
    ValuePrefixes grown = ValuePrefixes.NOTHING;
    TreeSet<byte[]> present = new TreeSet<>(Arrays::compareUnsigned);
    for (int round = 0; round < 400; round++) {
      List<byte[]> some = new ArrayList<>();
      for (int left = round % 20 == 19 ? 600 : 1; left > 0; left--) {
        byte[] next = new byte[random.nextInt(100) == 0 ? 2 : 8];
        random.nextBytes(next);
        next[0] &= 7;
        some.add(next);
      }
      if (round % 100 == 99) {
        some.add(new byte[] {(byte) (round / 100)});
      }
      present.addAll(some);
      present.removeIf(
          value ->
              value.length > 1 && present.contains(Arrays.copyOf(value, 1))
                  || value.length > 2 && present.contains(Arrays.copyOf(value, 2)));
      grown = grown.union(ValuePrefixes.whole(some));
      ValuePrefixes read = ValuePrefixes.ofBlocks(grown.blocks());
      assertThat(grown.bytes()).isEqualTo(read.bytes());
      assertThat(grown.count()).isEqualTo(read.count()).isEqualTo(present.size());
      assertThat(Arrays.deepEquals(grown.prefixes().toArray(), present.toArray())).isTrue();
    }
    assertThat(present).hasSizeGreaterThan(4_000);
  }

  @Test
  void bounded_isOnePrefixAtLast() {
    ValuePrefixes two = ValuePrefixes.whole(List.of(new byte[] {5, 1}, new byte[] {5, 2}));
    assertThat(two.bounded(0)).hasToString("[05]");
    assertThat(two.bounded(two.bytes())).isSameAs(two);
    assertThat(ValuePrefixes.EVERYTHING.bounded(0)).isEqualTo(ValuePrefixes.EVERYTHING);
  }

  @Test
  void ofBlocks_refusesWhatMakesNoSense() {
    for (byte[] block :
        List.of(
            new byte[] {},
            new byte[] {3, 1},
            new byte[] {1 << 3 | 1, 5},
            new byte[] {7},
            new byte[] {7, 33},
            new byte[] {1, 5, 1, 4},
            new byte[] {1, 5, 1 << 3 | 1, 4})) {
      assertThatThrownBy(() -> ValuePrefixes.ofBlocks(List.of(block)))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
