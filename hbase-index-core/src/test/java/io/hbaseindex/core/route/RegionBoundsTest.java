/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.route;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.definition.ValueType;
import io.hbaseindex.core.entry.IndexRowKeys;
import io.hbaseindex.core.entry.PostingForm;
import io.hbaseindex.core.predicate.ValueRange;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RegionBoundsTest {
  private static final IndexRowKeys KEYS =
      IndexRowKeys.ofRegion(bytes("a"), bytes("b"), bytes("0123abcd")).orElseThrow();

  private static byte[] bytes(String text) {
    return text.getBytes(US_ASCII);
  }

  private static RegionBounds of(int index, String from, String to) {
    ValueRange range = ValueRange.equalTo(bytes(from)).hull(ValueRange.equalTo(bytes(to)));
    return RegionBounds.of(Map.of(index, range), false);
  }

  @Test
  void hull_ofPostings_hasThoseOfBoth() {
    RegionBounds both = of(1, "c", "d").hull(of(1, "f", "f")).hull(of(2, "x", "y"));

    assertThat(both.of(1)).hasToString("[63, 6600)");
    assertThat(both.of(2)).hasToString("[78, 7900)");
    assertThat(both.of(3).isEmpty()).isTrue();
    assertThat(both.hull(of(1, "d", "e"))).isEqualTo(both);
    assertThat(RegionBounds.NOTHING.hull(both)).isEqualTo(both);
  }

  @Test
  void hull_withWhatNobodyKnows_isNotKnown() {
    RegionBounds hull = of(1, "c", "d").hull(RegionBounds.EVERYTHING);

    assertThat(hull).isEqualTo(RegionBounds.EVERYTHING);
    assertThat(hull.of(1)).isEqualTo(ValueRange.everything());
  }

  /** A filter that is built knows what the indexes have that were scanned, and of no other. */
  @Test
  void ofAll_sayNothingOfOtherIndexes() {
    RegionBounds built = of(1, "c", "d").ofAll(List.of(1, 2));

    assertThat(built.of(1)).hasToString("[63, 6400)");
    assertThat(built.of(2).isEmpty()).as("an index without a posting").isTrue();
    assertThat(built.of(3)).isEqualTo(ValueRange.everything());
    assertThat(built.hull(of(2, "x", "x")).of(2)).hasToString("[78, 7800)");
    assertThat(built.hull(of(3, "x", "x")).of(3)).isEqualTo(ValueRange.everything());
  }

  @Test
  void only_leavesOutOthers() {
    RegionBounds both = of(1, "c", "d").hull(of(2, "x", "y"));

    assertThat(both.only(index -> index == 2)).isEqualTo(of(2, "x", "y"));
    assertThat(both.only(index -> false)).isEqualTo(RegionBounds.NOTHING);
  }

  /** Whatever the values, their bounds have them, and a range that has one of them meets these. */
  @Test
  void e4_ofPostings_haveTheirValues_howeverLongTheyAre() {
    Random random = new Random(4);
    for (int round = 0; round < 500; round++) {
      List<byte[]> values = new ArrayList<>();
      List<byte[]> postings = new ArrayList<>();
      for (int at = 0; at < 3; at++) {
        byte[] value = new byte[random.nextInt(4) == 0 ? 700 : 28 + random.nextInt(8)];
        Arrays.fill(value, (byte) (random.nextBoolean() ? 0 : 0xFF));
        if (value.length < 700) {
          value[value.length - 1] = (byte) random.nextInt(256);
        }
        values.add(value);
        postings.add(KEYS.key(1, Arrays.asList(value, null), bytes("row")));
      }
      ValueRange bounds = PostingBounds.of(KEYS, postings).of(1);
      assertThat(bounds.lower()).hasSizeLessThanOrEqualTo(RegionBounds.LENGTH);
      for (byte[] value : values) {
        assertThat(bounds.contains(value)).isTrue();
        ValueRange asked =
            new RoutePredicate.Range(
                    new IndexCoverage(1, 1, 1, 0),
                    ValueRange.from(value, ValueRange.equalTo(value).upper()))
                .values();
        assertThat(bounds.meets(asked)).isTrue();
      }
    }
  }

  @Test
  void ofPostings_numbersAreInTheOrderOfTheirType() {
    List<byte[]> postings = new ArrayList<>();
    for (long age : new long[] {-5, 3, 70}) {
      postings.add(KEYS.key(1, List.of(PostingForm.of(ValueType.LONG, cell(age))), bytes("row")));
    }
    ValueRange bounds = PostingBounds.of(KEYS, postings).of(1);

    for (long age : new long[] {-5, 0, 70}) {
      assertThat(bounds.contains(PostingForm.of(ValueType.LONG, cell(age)))).isTrue();
    }
    for (long age : new long[] {-6, 71, Long.MIN_VALUE, Long.MAX_VALUE}) {
      assertThat(bounds.contains(PostingForm.of(ValueType.LONG, cell(age)))).isFalse();
    }
  }

  private static byte[] cell(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }
}
