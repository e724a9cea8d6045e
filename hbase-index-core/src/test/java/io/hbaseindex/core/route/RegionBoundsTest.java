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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RegionBoundsTest {
  private static final IndexRowKeys KEYS =
      IndexRowKeys.ofRegion(bytes("a"), bytes("b"), bytes("0123abcd")).orElseThrow();

  private static byte[] bytes(String text) {
    return text.getBytes(US_ASCII);
  }

  private static RegionBounds of(int index, String... values) {
    return RegionBounds.ofValues(
        Map.of(index, Stream.of(values).map(value -> IndexRowKeys.encoded(bytes(value))).toList()));
  }

  private static boolean has(ValuePrefixes prefixes, byte[] form) {
    byte[] value = IndexRowKeys.encoded(form);
    return prefixes.meets(value, Arrays.copyOf(value, value.length + 1));
  }

  @Test
  void union_ofPostings_hasThoseOfBoth() {
    RegionBounds both = of(1, "c", "d").union(of(1, "f")).union(of(2, "x", "y"));

    assertThat(both.of(1)).hasToString("[630001, 640001, 660001]");
    assertThat(both.of(2)).hasToString("[780001, 790001]");
    assertThat(both.of(3).isEmpty()).isTrue();
    assertThat(both.union(of(1, "d"))).isEqualTo(both);
    assertThat(both.lacking(of(1, "d"))).isEqualTo(RegionBounds.NOTHING);
    assertThat(both.lacking(of(1, "d", "e"))).isEqualTo(of(1, "e"));
    assertThat(RegionBounds.NOTHING.union(both)).isEqualTo(both);
  }

  @Test
  void union_withWhatNobodyKnows_isNotKnown() {
    RegionBounds union = of(1, "c", "d").union(RegionBounds.EVERYTHING);

    assertThat(union).isEqualTo(RegionBounds.EVERYTHING);
    assertThat(union.of(1)).isEqualTo(ValuePrefixes.EVERYTHING);
    assertThat(RegionBounds.EVERYTHING.lacking(of(1, "c"))).isEqualTo(RegionBounds.NOTHING);
  }

  /** A filter that is built knows what the indexes have that were scanned, and of no other. */
  @Test
  void ofAll_sayNothingOfOtherIndexes() {
    RegionBounds built = of(1, "c", "d").ofAll(List.of(1, 2));

    assertThat(built.of(1)).hasToString("[630001, 640001]");
    assertThat(built.of(2).isEmpty()).as("an index without a posting").isTrue();
    assertThat(built.of(3)).isEqualTo(ValuePrefixes.EVERYTHING);
    assertThat(built.union(of(2, "x")).of(2)).hasToString("[780001]");
    assertThat(built.union(of(3, "x")).of(3)).isEqualTo(ValuePrefixes.EVERYTHING);
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
      ValuePrefixes bounds = PostingBounds.of(KEYS, index -> true, postings).of(1);
      for (byte[] value : values) {
        ValueRange asked =
            new RoutePredicate.Range(new IndexCoverage(1, 1, 1, 0), ValueRange.equalTo(value))
                .values();
        byte[] upper = asked.upper().map(IndexRowKeys::encoded).orElse(null);
        assertThat(bounds.meets(IndexRowKeys.encoded(asked.lower()), upper)).isTrue();
      }
    }
  }

  @Test
  void ofPostings_withoutRanges_areAnyAsSoonAsThereIsOne() {
    List<byte[]> postings =
        List.of(
            KEYS.key(1, List.of(bytes("x")), bytes("r")),
            KEYS.key(2, List.of(bytes("x")), bytes("r")),
            KEYS.key(2, List.of(bytes("y")), bytes("r")));
    RegionBounds bounds = PostingBounds.of(KEYS, index -> index == 1, postings);

    assertThat(bounds.of(1)).hasToString("[780001]");
    assertThat(bounds.of(2)).isEqualTo(ValuePrefixes.EVERYTHING);
    assertThat(of(2, "c").ofAll(List.of(2)).with(bounds, 1_000).of(2))
        .isEqualTo(ValuePrefixes.EVERYTHING);
  }

  @Test
  void ofPostings_numbersAreInTheOrderOfTheirType() {
    List<byte[]> postings = new ArrayList<>();
    for (long age : new long[] {-5, 3, 70}) {
      postings.add(KEYS.key(1, List.of(PostingForm.of(ValueType.LONG, cell(age))), bytes("row")));
    }
    ValuePrefixes bounds = PostingBounds.of(KEYS, index -> true, postings).of(1);

    for (long age : new long[] {-5, 3, 70}) {
      assertThat(has(bounds, PostingForm.of(ValueType.LONG, cell(age)))).isTrue();
    }
    for (long age : new long[] {-6, 0, 71, Long.MIN_VALUE, Long.MAX_VALUE}) {
      assertThat(has(bounds, PostingForm.of(ValueType.LONG, cell(age)))).isFalse();
    }
    assertThat(
            bounds.meets(
                IndexRowKeys.encoded(PostingForm.of(ValueType.LONG, cell(-9))),
                IndexRowKeys.encoded(PostingForm.of(ValueType.LONG, cell(0)))))
        .isTrue();
  }

  private static byte[] cell(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }
}
