/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.entry;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.RouteSet;
import io.hbaseindex.core.definition.TableIndexes;
import io.hbaseindex.core.testing.GoldenFile;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Postings as they stand in the hidden family, and the elements that filters hold for them. */
class PostingGoldenTest {
  private static final IndexRowKeys REGION =
      IndexRowKeys.ofRegion(bytes("k"), bytes("m"), bytes("0123456789abcdef0123456789abcdef"))
          .orElseThrow();
  private static final List<Posting> POSTINGS =
      List.of(
          new Posting(1, List.of(bytes("a@b.c")), bytes("row")),
          new Posting(127, Arrays.asList(bytes(""), null), bytes("")),
          new Posting(128, List.of(new byte[] {0, 1, 0}, bytes("Graz")), new byte[] {0, -1}),
          new Posting(Integer.MAX_VALUE, List.of(long512()), bytes("row")),
          new Posting(2, List.of(longValue(), bytes("x")), bytes("row")));

  @Test
  void keys_areWrittenAndReadAsEver() {
    StringBuilder written = new StringBuilder();
    for (Posting posting : POSTINGS) {
      byte[] key = REGION.key(posting.indexId(), posting.values(), posting.row());
      written.append(HexFormat.of().formatHex(key)).append('\n');
    }

    List<String> golden = GoldenFile.text("posting-keys", written.toString()).lines().toList();

    for (int at = 0; at < POSTINGS.size(); at++) {
      Posting posting = POSTINGS.get(at);
      Posting read = REGION.parse(HexFormat.of().parseHex(golden.get(at)), posting.values().size());
      assertThat(read.indexId()).isEqualTo(posting.indexId());
      assertThat(read.row()).isEqualTo(posting.row());
      for (int column = 0; column < posting.values().size(); column++) {
        assertThat(read.values().get(column)).isEqualTo(kept(posting.values().get(column)));
      }
    }
  }

  @Test
  void states_areWrittenAndReadAsEver() {
    byte[] golden =
        GoldenFile.bytes(
            "posting-states", new byte[] {PostingState.DEAD.code(), PostingState.LIVE.code()});

    assertThat(PostingState.parse(golden, 0, 1)).isEqualTo(PostingState.DEAD);
    assertThat(PostingState.parse(golden, 1, 1)).isEqualTo(PostingState.LIVE);
    assertThat(PostingCertainty.until(golden, 0, 1)).isEqualTo(PostingCertainty.NEVER);
    assertThat(PostingCertainty.until(golden, 1, 1)).isEqualTo(PostingCertainty.NEVER);
    assertThat(PostingCertainty.live(PostingCertainty.NEVER)).containsExactly(golden[1]);
  }

  @Test
  void carriedCells_areWrittenAndReadAsEver() {
    CarriedCells cells =
        new CarriedCells(
            0x0000_018C_2511_5C00L,
            List.of(0x0102_0304_0506_0708L, 0L),
            Arrays.asList(
                new CarriedCells.Cell(7, bytes("Ann")),
                null,
                new CarriedCells.Cell(-1, bytes(""))));

    byte[] golden =
        GoldenFile.bytes(
            "posting-carried-cells", PostingCertainty.live(PostingCertainty.UNTIL_WRITTEN, cells));

    assertThat(PostingState.parse(golden, 0, golden.length)).isEqualTo(PostingState.LIVE);
    assertThat(PostingCertainty.until(golden, 0, golden.length))
        .isEqualTo(PostingCertainty.UNTIL_WRITTEN);
    CarriedCells read = CarriedCells.in(golden, 2, 3).orElseThrow();
    assertThat(read.areThe(cells)).isTrue();
    assertThat(read.until()).isEqualTo(0x0000_018C_2511_5C00L);
  }

  @Test
  void carriedCells_ofOtherColumns_areRefused() {
    byte[] value =
        PostingCertainty.live(
            5,
            new CarriedCells(
                6, List.of(1L), Arrays.asList(new CarriedCells.Cell(7, bytes("Ann")), null)));

    assertThat(CarriedCells.in(value, 1, 2)).isPresent();
    for (int length = 17; length < value.length; length++) {
      byte[] cut = Arrays.copyOf(value, length);
      assertThatThrownBy(() -> CarriedCells.in(cut, 1, 2))
          .isInstanceOf(MalformedPostingException.class);
    }
    assertThatThrownBy(() -> CarriedCells.in(value, 1, 1))
        .isInstanceOf(MalformedPostingException.class)
        .hasMessageContaining("were not of 1 indexed and 1 included columns");
    assertThatThrownBy(() -> CarriedCells.in(value, 2, 2))
        .isInstanceOf(MalformedPostingException.class);
    assertThat(CarriedCells.in(PostingCertainty.live(5), 1, 2)).isEmpty();
  }

  @Test
  void certainties_areWrittenAndReadAsEver() {
    byte[] forEver = PostingCertainty.live(PostingCertainty.UNTIL_WRITTEN);
    byte[] untilThen = PostingCertainty.live(0x0000_018C_2511_5C00L);
    byte[] both = Arrays.copyOf(forEver, forEver.length + untilThen.length);
    System.arraycopy(untilThen, 0, both, forEver.length, untilThen.length);

    byte[] golden = GoldenFile.bytes("posting-certainties", both);

    assertThat(PostingState.parse(golden, 0, 1)).isEqualTo(PostingState.LIVE);
    assertThat(PostingCertainty.until(golden, 0, 1)).isEqualTo(PostingCertainty.UNTIL_WRITTEN);
    assertThat(PostingState.parse(golden, 1, 9)).isEqualTo(PostingState.LIVE);
    assertThat(PostingCertainty.until(golden, 1, 9)).isEqualTo(0x0000_018C_2511_5C00L);
  }

  @Test
  void certainty_thatIsCutOrTooLong_isNoPosting() {
    byte[] value = Arrays.copyOf(PostingCertainty.live(7), 10);
    for (int length : new int[] {2, 8, 10}) {
      assertThatThrownBy(() -> PostingState.parse(value, 0, length))
          .isInstanceOf(MalformedPostingException.class);
      assertThat(PostingCertainty.until(value, 0, length)).isEqualTo(PostingCertainty.NEVER);
    }
  }

  @Test
  void elements_ofValuesAndOfKeys_areThoseOfEveryFilterEverSent() {
    IndexDefinition index = index("f:a+f:b");
    StringBuilder written = new StringBuilder();
    for (Posting posting : POSTINGS) {
      List<byte[]> values = Arrays.asList(posting.values().get(0), bytes("second"));
      written.append("%016x\n".formatted(elements(index, posting, values).get("f:a+f:b")));
    }

    GoldenFile.text("posting-elements", written.toString());
  }

  @Test
  void elementsOfSets_ofValuesAndOfKeys_areThoseOfEveryFilterEverSent() {
    IndexDefinition index = index("f:a+f:b+f:c, routes=f:a+f:c");
    StringBuilder written = new StringBuilder();
    for (Posting posting : POSTINGS) {
      List<byte[]> values = Arrays.asList(posting.values().get(0), bytes("second"), bytes(""));
      elements(index, posting, values)
          .forEach((set, hash) -> written.append("%-11s %016x\n".formatted(set, hash)));
    }

    GoldenFile.text("posting-set-elements", written.toString());
  }

  /** The elements of a posting with values in all columns, by set; asked for in both ways. */
  private static Map<String, Long> elements(
      IndexDefinition index, Posting posting, List<byte[]> values) {
    PostingElements elements = PostingElements.of(0x9c1f0e77a2b34d05L, index);
    Map<Long, Long> ofKey = new HashMap<>();
    elements.ofKey(REGION, REGION.key(7, values, posting.row()), ofKey::put);
    Map<String, Long> all = new LinkedHashMap<>();
    for (RouteSet set : index.routes()) {
      List<byte[]> wanted =
          set.columnsOf(index).stream()
              .map(column -> values.get(index.columns().indexOf(column)))
              .toList();
      long element = elements.ofValues(set, wanted);
      assertThat(ofKey.remove(set.space(7))).isEqualTo(element);
      all.put(set.text(index), element);
    }
    assertThat(ofKey).isEmpty();
    return all;
  }

  private static IndexDefinition index(String columns) {
    return TableIndexes.parse(Map.of("hbaseindex.index.i", "id=7, columns=" + columns))
        .byName("i")
        .orElseThrow();
  }

  /** What a key keeps of a value. */
  private static byte[] kept(byte[] value) {
    return value == null || value.length <= 512 ? value : Arrays.copyOf(value, 512);
  }

  private static byte[] long512() {
    byte[] value = new byte[512];
    Arrays.fill(value, (byte) 'v');
    return value;
  }

  private static byte[] longValue() {
    return Arrays.copyOf(long512(), 513);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(US_ASCII);
  }
}
