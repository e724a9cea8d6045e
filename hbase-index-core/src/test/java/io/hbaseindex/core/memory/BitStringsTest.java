/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Strings of bits against lists of bits. */
class BitStringsTest {
  @Test
  void bitsPutInAndTakenOutAnywhere_areFoundAgain() {
    Seeds.forEach(
        30,
        seed -> {
          SplittableRandom random = new SplittableRandom(seed);
          int count = random.nextInt(1, BitStrings.MOST + 1);
          BitStrings strings = BitStrings.within(PagedMemory.direct(1 << 20), count).orElseThrow();
          List<List<Integer>> models = new ArrayList<>();
          IntStream.range(0, count).forEach(string -> models.add(new ArrayList<>()));
          int ones = random.nextInt(1, 8);
          for (int step = 0; step < 5_000; step++) {
            int string = random.nextInt(Math.min(count, 6)) * count / 6;
            List<Integer> model = models.get(string);
            strings.open(string);
            if (!model.isEmpty() && random.nextInt(4) == 0) {
              int at = random.nextInt(model.size());
              strings.remove(at);
              model.remove(at);
            } else if (model.size() < BitStrings.MOST_BITS - 1) {
              int at = random.nextInt(model.size() + 1);
              int bit = random.nextInt(ones) == 0 ? 1 : 0;
              assertThat(strings.makeRoom(model.size() + 1)).isTrue();
              strings.insert(at, bit);
              model.add(at, bit);
            }
          }
          for (int string = 0; string < count; string++) {
            strings.open(string);
            requireSame(strings, models.get(string));
          }
        });
  }

  private static void requireSame(BitStrings strings, List<Integer> model) {
    int ones = 0;
    int zeros = 0;
    for (int at = 0; at < model.size(); at++) {
      if (model.get(at) == 1) {
        assertThat(strings.one(ones++)).isEqualTo(at);
        assertThat(strings.oneFrom(at - zeros)).isEqualTo(at);
        assertThat(strings.zerosBefore(at)).isEqualTo(zeros);
        zeros = 0;
      } else {
        zeros++;
      }
    }
  }

  @Test
  void noMoreMemory_theStringsStayAsTheyAre() {
    PagedMemory scarce = PagedMemory.direct(2 * 4096);
    BitStrings strings = BitStrings.within(scarce, BitStrings.MOST).orElseThrow();
    strings.open(7);
    strings.insert(0, 1);
    assertThat(strings.makeRoom(128)).isTrue();
    strings.insert(0, 0);

    assertThat(strings.makeRoom(129)).isFalse();
    assertThat(strings.one(0)).isOne();
    assertThat(strings.bytes()).isEqualTo(scarce.takenBytes());
    strings.free();
    assertThat(scarce.takenBytes()).isZero();
    assertThat(BitStrings.within(PagedMemory.direct(0), 1)).isEmpty();
  }

  @Test
  void longestString_getsNoMoreRoom() {
    BitStrings strings = BitStrings.within(PagedMemory.heap(), 3).orElseThrow();
    strings.open(2);
    assertThat(strings.makeRoom(BitStrings.MOST_BITS)).isTrue();
    strings.insert(BitStrings.MOST_BITS - 2, 1);
    assertThat(strings.makeRoom()).isTrue();
    strings.insert(0, 0);
    assertThat(strings.makeRoom()).isFalse();
    assertThat(strings.one(0)).isEqualTo(BitStrings.MOST_BITS - 1);
  }
}
