/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.core.push.RegionIncarnation;
import org.junit.jupiter.api.Test;

class RowRangeTest {
  private static RowRange range(String start, String end) {
    return new RowRange(start.getBytes(), end.getBytes());
  }

  @Test
  void overlaps_neighbours_shareNoKey() {
    assertThat(range("a", "b").overlaps(range("b", "c"))).isFalse();
    assertThat(range("b", "c").overlaps(range("a", "b"))).isFalse();
  }

  @Test
  void overlaps_unboundedEnds() {
    assertThat(range("", "").overlaps(range("x", "y"))).isTrue();
    assertThat(range("x", "").overlaps(range("", "y"))).isTrue();
    assertThat(range("y", "").overlaps(range("", "y"))).isFalse();
  }

  @Test
  void contains_comparesUnsigned() {
    RowRange high = new RowRange(new byte[] {(byte) 0x80}, new byte[] {});
    assertThat(high.contains(new byte[] {(byte) 0xFF})).isTrue();
    assertThat(high.contains(new byte[] {0x7F})).isFalse();
  }

  @Test
  void emptyRange_isRefused() {
    assertThatThrownBy(() -> range("b", "b"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Cannot make a row range: start was 62, not below its end 62");
  }

  @Test
  void incarnations_areOrderedByEpochWithinAName_andByIdBetweenNames() {
    RegionIncarnation one = new RegionIncarnation("t", "r", 1, 5, RowRange.ALL);
    RegionIncarnation reopened = new RegionIncarnation("t", "r", 1, 6, RowRange.ALL);
    RegionIncarnation daughter = new RegionIncarnation("t", "d", 2, 1, RowRange.ALL);
    assertThat(reopened.isNewerThan(one)).isTrue();
    assertThat(one.isNewerThan(reopened)).isFalse();
    assertThat(one.isNewerThan(one)).isFalse();
    assertThat(daughter.isNewerThan(reopened)).isTrue();
    assertThat(reopened.isNewerThan(daughter)).isFalse();
  }
}
