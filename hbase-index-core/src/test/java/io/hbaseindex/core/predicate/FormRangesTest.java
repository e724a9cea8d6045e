/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.predicate;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.definition.ValueType;
import io.hbaseindex.core.entry.PostingForm;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FormRangesTest {
  /** Short widths meet every rounding; the others are the same with more bytes. */
  @ParameterizedTest
  @EnumSource(ValueType.class)
  void rangesOfBytes_holdJustTheFormsOfTheirCells(ValueType type) {
    Random random = new Random(type.ordinal());
    for (int run = 0; run < 3_000; run++) {
      ValueRange cells = range(random, type);
      Optional<List<ValueRange>> forms = FormRanges.of(type, cells);
      if (forms.isEmpty()) {
        assertThat(type).isEqualTo(ValueType.DECIMAL);
        continue;
      }
      for (int probe = 0; probe < 20; probe++) {
        byte[] cell = cell(random, type);
        byte[] form = PostingForm.of(type, cell);
        long holding = forms.get().stream().filter(range -> range.contains(form)).count();
        assertThat(holding).isEqualTo(cells.contains(cell) ? 1 : 0);
      }
    }
  }

  private static ValueRange range(Random random, ValueType type) {
    byte[] bound = cell(random, type);
    return switch (random.nextInt(7)) {
      case 0 -> ValueRange.equalTo(bound);
      case 1 -> ValueRange.startingWith(bound);
      case 2 -> ValueRange.lessThan(bound);
      case 3 -> ValueRange.atMost(bound);
      case 4 -> ValueRange.greaterThan(bound);
      case 5 -> ValueRange.atLeast(bound).intersect(ValueRange.atMost(cell(random, type)));
      default -> ValueRange.atLeast(new byte[0]);
    };
  }

  /** Bytes near the bounds of signs and widths, so that probes hit the edges. */
  private static byte[] cell(Random random, ValueType type) {
    int width = Math.max(2, type.width());
    int length = random.nextInt(4) == 0 ? random.nextInt(width + 2) : width;
    byte[] cell = new byte[length];
    byte[] edges = {0, 1, 0x7F, (byte) 0x80, (byte) 0x81, (byte) 0xFF};
    for (int i = 0; i < length; i++) {
      boolean inner = i > 0 && i < length - 1;
      cell[i] = inner ? (byte) -random.nextInt(2) : edges[random.nextInt(edges.length)];
    }
    return cell;
  }

  @Test
  void everything_isOneRange() {
    for (ValueType type : List.of(ValueType.LONG, ValueType.FLOAT, ValueType.DECIMAL)) {
      assertThat(FormRanges.of(type, ValueRange.atLeast(new byte[0])).orElseThrow())
          .containsExactly(ValueRange.from(new byte[] {1}, Optional.of(new byte[] {3})));
    }
  }

  @Test
  void bytesUpToTheHighest_areTwoRangesOfNumbersAndOneOfOthers() {
    // 7F00 to 7FFF, then all negative numbers, which lie below them.
    List<ValueRange> forms =
        FormRanges.of(ValueType.SHORT, ValueRange.atLeast(new byte[] {0x7F})).orElseThrow();

    assertThat(forms)
        .containsExactly(range("010000", "018000"), range("01FF00", "02"), range("027F", "03"));
  }

  private static ValueRange range(String lower, String upper) {
    HexFormat hex = HexFormat.of();
    return ValueRange.from(hex.parseHex(lower), Optional.of(hex.parseHex(upper)));
  }
}
