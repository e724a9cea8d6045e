/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.entry;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.RouteSet;
import io.hbaseindex.core.definition.TableIndexes;
import io.hbaseindex.core.definition.ValueType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PostingElementsTest {
  private static final long SEED = 7;
  private static final int ID = 3;
  private static final IndexRowKeys REGION =
      IndexRowKeys.ofRegion(new byte[0], new byte[0], new byte[32]).orElseThrow();
  private static final IndexDefinition INDEX =
      TableIndexes.parse(Map.of("hbaseindex.index.i", "id=3, columns=f:a+f:b+f:c, routes=f:a+f:c"))
          .byName("i")
          .orElseThrow();
  private static final RouteSet A = INDEX.routes().get(0);
  private static final RouteSet AB = INDEX.routes().get(1);
  private static final RouteSet ABC = INDEX.routes().get(2);
  private static final RouteSet AC = INDEX.routes().get(3);

  private final PostingElements elements = PostingElements.of(SEED, INDEX);

  private record Element(long space, long hash) {}

  @Test
  void ofKey_rowWithAllColumns_isOneElementForEachSet() {
    assertThat(ofKey("x", "y", "z"))
        .containsExactly(
            element(A, "x"),
            element(AB, "x", "y"),
            element(ABC, "x", "y", "z"),
            element(AC, "x", "z"));
  }

  @Test
  void e1_rowThatLacksALaterColumn_hasTheSetsWithoutItAndThePostingItself() {
    assertThat(ofKey("x", null, "z"))
        .containsExactly(element(A, "x"), element(ABC, "x", null, "z"), element(AC, "x", "z"));
    assertThat(ofKey("x", "y", null))
        .containsExactly(element(A, "x"), element(AB, "x", "y"), element(ABC, "x", "y", null));
    assertThat(ofKey("x", null, null))
        .containsExactly(element(A, "x"), element(ABC, "x", null, null));
  }

  @Test
  void ofKey_whateverTheRow_isTheSame() {
    assertThat(ofKey(new byte[] {0, 0, 1}, "x", "y", "z"))
        .isEqualTo(ofKey(new byte[] {9}, "x", "y", "z"));
  }

  @Test
  void sameBytes_inDifferentSets_areDifferentElements() {
    Set<Long> hashes = new HashSet<>();
    hashes.add(elements.ofValues(AB, values("x", "y")));
    hashes.add(elements.ofValues(AC, values("x", "y")));
    hashes.add(elements.ofValues(A, values("x")));
    hashes.add(
        PostingElements.of(SEED, IndexDefinition.on("f", "a").named("other").eager())
            .ofValues(new RouteSet(1, 1), values("x")));

    assertThat(hashes).hasSize(4);
  }

  @Test
  void boundaryBetweenValues_counts() {
    assertThat(elements.ofValues(AB, values("xy", "z")))
        .isNotEqualTo(elements.ofValues(AB, values("x", "yz")));
  }

  @Test
  void ofValues_ofASetThatIsNotKept_isRefused() {
    IndexDefinition plain =
        IndexDefinition.on("f", "a").and("f", "b").and("f", "c").named("i").eager();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> PostingElements.of(SEED, plain).ofValues(AC, values("x", "y")));
  }

  @Test
  void ofKey_longValueBesideADecimal_isTheElementOfTheWholeValue() {
    IndexDefinition index =
        IndexDefinition.on("f", "url").and("f", "price").as(ValueType.DECIMAL).named("i").eager();
    PostingElements typed = PostingElements.of(SEED, index);
    byte[] url = "u".repeat(600).getBytes(US_ASCII);
    byte[] inOneScale = {0, 0, 0, 1, 15};
    byte[] inAnother = {0, 0, 0, 2, 0, (byte) 150};
    Set<Long> found = new HashSet<>();
    typed.ofKey(
        REGION,
        REGION.key(ID, PostingForm.of(index, List.of(url, inOneScale)), new byte[] {9}),
        (space, hash) -> found.add(hash));

    assertThat(found)
        .containsExactlyInAnyOrder(
            typed.ofValues(index.routes().get(0), List.of(url)),
            typed.ofValues(index.routes().get(1), List.of(url, inAnother)));
  }

  @Test
  void ofKey_damagedDecimal_isRefused() {
    IndexDefinition index =
        IndexDefinition.on("f", "price").as(ValueType.DECIMAL).named("i").eager();
    byte[] key = REGION.key(ID, List.of(new byte[0]), new byte[] {9});

    assertThatThrownBy(
            () -> PostingElements.of(SEED, index).ofKey(REGION, key, (space, hash) -> {}))
        .isInstanceOf(MalformedPostingException.class);
  }

  private Element element(RouteSet set, String... values) {
    return new Element(set.space(ID), elements.ofValues(set, values(values)));
  }

  private List<Element> ofKey(String... values) {
    return ofKey("row".getBytes(US_ASCII), values);
  }

  private List<Element> ofKey(byte[] row, String... values) {
    List<Element> found = new ArrayList<>();
    elements.ofKey(
        REGION,
        REGION.key(ID, values(values), row),
        (space, hash) -> found.add(new Element(space, hash)));
    return found;
  }

  private static List<byte[]> values(String... texts) {
    return Arrays.stream(texts).map(text -> text == null ? null : text.getBytes(US_ASCII)).toList();
  }
}
