/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.predicate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class ValueRangeTest {
  /** Every string of up to three bytes over the bytes at which order and carry go wrong. */
  private static final List<byte[]> STRINGS = strings(3, 0x00, 0x01, 0x7F, 0x80, 0xFE, 0xFF);

  @Test
  void everyComparison_overAllShortStrings_meansWhatItsNameSays() {
    check(ValueRange::equalTo, Arrays::equals);
    check(ValueRange::lessThan, (bound, v) -> Arrays.compareUnsigned(v, bound) < 0);
    check(ValueRange::atMost, (bound, v) -> Arrays.compareUnsigned(v, bound) <= 0);
    check(ValueRange::greaterThan, (bound, v) -> Arrays.compareUnsigned(v, bound) > 0);
    check(ValueRange::atLeast, (bound, v) -> Arrays.compareUnsigned(v, bound) >= 0);
  }

  @Test
  void everyPrefixComparison_overAllShortStrings_comparesOnlyThePrefix() {
    check(ValueRange::startingWith, (p, v) -> comparePrefix(v, p) == 0);
    check(ValueRange::atMostStartingWith, (p, v) -> comparePrefix(v, p) <= 0);
    check(ValueRange::aboveStartingWith, (p, v) -> comparePrefix(v, p) > 0);
  }

  @Test
  void intersect_ofAnyTwo_containsWhatBothContain() {
    List<ValueRange> ranges = new ArrayList<>();
    for (byte[] s : strings(2, 0x00, 0x80, 0xFF)) {
      ranges.addAll(
          List.of(
              ValueRange.equalTo(s),
              ValueRange.lessThan(s),
              ValueRange.greaterThan(s),
              ValueRange.startingWith(s),
              ValueRange.aboveStartingWith(s)));
    }
    for (ValueRange a : ranges) {
      for (ValueRange b : ranges) {
        ValueRange both = a.intersect(b);
        for (byte[] v : STRINGS) {
          assertThat(both.contains(v))
              .as("%s and %s contain %s", a, b, Arrays.toString(v))
              .isEqualTo(a.contains(v) && b.contains(v));
        }
      }
    }
  }

  @Test
  void isSingleValue_onlyForEquality() {
    for (byte[] s : STRINGS) {
      assertThat(ValueRange.equalTo(s).isSingleValue()).isTrue();
      assertThat(ValueRange.atLeast(s).isSingleValue()).isFalse();
      assertThat(ValueRange.startingWith(s).isSingleValue()).isFalse();
    }
    assertThat(ValueRange.atMost(new byte[0]).isSingleValue())
        .as("only the empty string is at most the empty string")
        .isTrue();
  }

  @Test
  void isEmpty_contradiction_isRecognised() {
    ValueRange contradiction =
        ValueRange.equalTo(new byte[] {1}).intersect(ValueRange.equalTo(new byte[] {2}));
    assertThat(contradiction.isEmpty()).isTrue();
    assertThat(ValueRange.lessThan(new byte[0]).isEmpty()).isTrue();
    assertThat(ValueRange.aboveStartingWith(new byte[] {-1, -1}).isEmpty()).isTrue();
    assertThat(ValueRange.equalTo(new byte[0]).isEmpty()).isFalse();
  }

  @Test
  void bounds_changedByTheCaller_doNotChangeTheRange() {
    byte[] value = {5};
    ValueRange range = ValueRange.equalTo(value);
    value[0] = 6;
    range.lower()[0] = 7;
    range.upper().orElseThrow()[0] = 8;
    assertThat(range).isEqualTo(ValueRange.equalTo(new byte[] {5}));
  }

  @Test
  void meets_ifSomeStringIsInBoth() {
    for (ValueRange one : ranges()) {
      for (ValueRange other : ranges()) {
        assertThat(one.meets(other))
            .isEqualTo(STRINGS.stream().anyMatch(v -> one.contains(v) && other.contains(v)));
      }
    }
  }

  @Test
  void e4_roundedOut_hasAllThatTheRangeHas_andEndsAreShort() {
    for (int length = 0; length <= 3; length++) {
      for (ValueRange range : ranges()) {
        ValueRange rounded = range.roundedOut(length);
        for (byte[] v : STRINGS) {
          if (range.contains(v)) {
            assertThat(rounded.contains(v)).as("%s in %s", rounded, range).isTrue();
          }
        }
        if (!range.isEmpty()) {
          assertThat(rounded.lower().length).isLessThanOrEqualTo(length);
          assertThat(rounded.upper().map(upper -> upper.length).orElse(0))
              .isLessThanOrEqualTo(length + 1);
        }
      }
    }
    assertThat(ValueRange.equalTo(new byte[] {1, 2}).roundedOut(2))
        .isEqualTo(ValueRange.equalTo(new byte[] {1, 2}));
    assertThat(ValueRange.equalTo(new byte[] {1, -1, 2}).roundedOut(2)).hasToString("[01ff, 02)");
    assertThat(ValueRange.equalTo(new byte[] {-1, -1, 2}).roundedOut(2))
        .as("nothing is behind it")
        .hasToString("[ffff, ∞)");
  }

  private static List<ValueRange> ranges() {
    List<ValueRange> ranges = new ArrayList<>(List.of(ValueRange.nothing()));
    for (int at = 0; at < STRINGS.size(); at += 11) {
      ranges.add(ValueRange.equalTo(STRINGS.get(at)));
      ranges.add(ValueRange.atLeast(STRINGS.get(at)));
      for (int to = 1; to < STRINGS.size(); to += 13) {
        ranges.add(ValueRange.from(STRINGS.get(at), Optional.of(STRINGS.get(to))));
      }
    }
    return ranges;
  }

  @Test
  void toString_showsBoundsInHex() {
    assertThat(ValueRange.equalTo(new byte[] {0x61})).hasToString("[61, 6100)");
    assertThat(ValueRange.atLeast(new byte[] {-1})).hasToString("[ff, ∞)");
  }

  private static void check(
      Function<byte[], ValueRange> range, BiPredicate<byte[], byte[]> meaning) {
    for (byte[] bound : STRINGS) {
      ValueRange tested = range.apply(bound);
      for (byte[] v : STRINGS) {
        assertThat(tested.contains(v))
            .as("%s contains %s, bound %s", tested, Arrays.toString(v), Arrays.toString(bound))
            .isEqualTo(meaning.test(bound, v));
      }
    }
  }

  private static int comparePrefix(byte[] value, byte[] prefix) {
    int length = Math.min(value.length, prefix.length);
    return Arrays.compareUnsigned(value, 0, length, prefix, 0, prefix.length);
  }

  private static List<byte[]> strings(int maxLength, int... alphabet) {
    List<byte[]> all = new ArrayList<>(List.of(new byte[0]));
    for (int from = 0, length = 1; length <= maxLength; length++) {
      int to = all.size();
      for (; from < to; from++) {
        for (int letter : alphabet) {
          byte[] longer = Arrays.copyOf(all.get(from), length);
          longer[length - 1] = (byte) letter;
          all.add(longer);
        }
      }
    }
    return all;
  }
}
