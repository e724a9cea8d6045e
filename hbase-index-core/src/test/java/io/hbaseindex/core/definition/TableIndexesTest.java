/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class TableIndexesTest {
  private static final IndexDefinition BY_EMAIL =
      IndexDefinition.on("f", "email").named("by_email").eager();
  private static final IndexDefinition BY_PLACE =
      IndexDefinition.on("f", "country").and("g", "city").named("by_place").lazy();

  @Test
  void toAttributes_twoIndexes_isTheDocumentedText() {
    TableIndexes indexes =
        TableIndexes.none().with(BY_EMAIL, () -> 0x9c1f0e77a2b34d05L).with(BY_PLACE, () -> 1);

    assertThat(indexes.toAttributes())
        .containsExactly(
            Map.entry("hbaseindex.table", "format=1, seed=9c1f0e77a2b34d05, next-id=3"),
            Map.entry("hbaseindex.index.by_email", "id=1, version=1, columns=f:email, mode=eager"),
            Map.entry(
                "hbaseindex.index.by_place",
                "id=2, version=1, columns=f:country+g:city, mode=lazy"));
  }

  @Test
  void parse_ownAttributes_givesTheSameIndexes() {
    byte[] odd = {0, ',', '+', ':', '=', '\\', ' ', (byte) 0xFF, 'x'};
    TableIndexes indexes =
        TableIndexes.none()
            .with(IndexDefinition.on("f".getBytes(), odd).named("odd").eager(), () -> -1L)
            .with(BY_PLACE, () -> 0L);

    TableIndexes parsed = TableIndexes.parse(indexes.toAttributes());

    assertThat(parsed).isEqualTo(indexes);
    assertThat(parsed.byName("odd").orElseThrow().columns().get(0).qualifier()).isEqualTo(odd);
    assertThat(parsed.seed()).isEqualTo(-1L);
  }

  @Test
  void parse_foreignAttributes_areIgnored() {
    assertThat(TableIndexes.parse(Map.of("SPLIT_ENABLED", "true"))).isEqualTo(TableIndexes.none());
  }

  @Test
  void parse_typedByHandWithColumnsOnly_isIncompleteUntilIdsAreAssigned() {
    TableIndexes typed = TableIndexes.parse(Map.of("hbaseindex.index.a", "columns=f:a"));

    assertThat(typed.isComplete()).isFalse();
    assertThatThrownBy(typed::seed).hasMessageContaining("hbaseindex.table is missing");

    TableIndexes complete = typed.withAssignedIds(() -> 7L);
    assertThat(complete.isComplete()).isTrue();
    assertThat(complete.toAttributes())
        .containsEntry("hbaseindex.index.a", "id=1, version=1, columns=f:a, mode=eager")
        .containsEntry("hbaseindex.table", "format=1, seed=0000000000000007, next-id=2");
  }

  @Test
  void withAssignedIds_mixOfTypedAndAssigned_keepsAssignedAndReusesNone() {
    TableIndexes mixed =
        TableIndexes.parse(
            Map.of(
                "hbaseindex.table", "format=1, seed=1, next-id=2",
                "hbaseindex.index.a", "columns=f:a",
                "hbaseindex.index.b", "id=9, columns=f:b"));

    TableIndexes complete = mixed.withAssignedIds(() -> 5L);

    assertThat(complete.byName("b").orElseThrow().id()).isEqualTo(9);
    assertThat(complete.byName("a").orElseThrow().id()).isEqualTo(10);
    assertThat(complete.nextId()).isEqualTo(11);
    assertThat(complete.seed()).isEqualTo(1L);
  }

  @Test
  void without_thenWith_neverReusesAnId() {
    TableIndexes emptied = TableIndexes.none().with(BY_EMAIL, () -> 1).without("by_email");

    TableIndexes again = TableIndexes.parse(emptied.toAttributes()).with(BY_EMAIL, () -> 2);

    assertThat(again.byName("by_email").orElseThrow().id()).isEqualTo(2);
    assertThat(again.seed()).isEqualTo(1L);
  }

  @Test
  void with_nameInUse_isRefused() {
    TableIndexes indexes = TableIndexes.none().with(BY_EMAIL, () -> 1);

    assertThatThrownBy(() -> indexes.with(BY_EMAIL, () -> 1))
        .isInstanceOf(DefinitionException.class)
        .hasMessage(
            "Cannot add index by_email: the table has one of that name; drop it first or choose"
                + " another");
  }

  @Test
  void without_unknownName_isRefused() {
    assertThatThrownBy(() -> TableIndexes.none().with(BY_EMAIL, () -> 1).without("x"))
        .hasMessage("Cannot drop index x: the table has no such index, only [by_email]");
  }

  @Test
  void parse_sameIdTwice_isRefused() {
    assertThatThrownBy(
            () ->
                TableIndexes.parse(
                    Map.of(
                        "hbaseindex.index.a", "id=1, columns=f:a",
                        "hbaseindex.index.b", "id=1, columns=f:b")))
        .hasMessageContaining("a and b both have id 1");
  }

  @Test
  void parse_brokenAttributes_nameTheAttributeAndTheFault() {
    assertBroken("hbaseindex.index.a", "columns=f", "write it as family:qualifier");
    assertBroken("hbaseindex.index.a", "mode=eager", "columns is missing");
    assertBroken("hbaseindex.index.a", "columns=f:a, mode=fast", "mode=eager or mode=lazy");
    assertBroken("hbaseindex.index.a", "columns=f:a, colour=red", "key was \"colour\"");
    assertBroken("hbaseindex.index.a", "columns=f:a, columns=f:b", "there twice");
    assertBroken("hbaseindex.index.a", "columns=f:a, id=0", "at least 1");
    assertBroken("hbaseindex.index.a", "columns=f:a, id=one", "at least 1");
    assertBroken("hbaseindex.index.a", "columns=f:\\q", "backslash not followed by xHH");
    assertBroken("hbaseindex.index.a", "columns=f:ü", "write it as \\xHH");
    assertBroken("hbaseindex.index.a", "columns=_i:a", "holds the index itself");
    assertBroken("hbaseindex.index.a", "columns=:a", "family was empty");
    assertBroken("hbaseindex.index.", "columns=f:a", "name was empty");
    assertBroken("hbaseindex.index.a b", "columns=f:a", "use ASCII letters");
    assertBroken("hbaseindex.table", "format=2, seed=1, next-id=1", "format was 2");
    assertBroken("hbaseindex.table", "format=1, next-id=1", "seed is missing");
    assertBroken("hbaseindex.table", "seed=xyz", "hex digits");
    assertBroken("hbaseindex.table", "junk", "not of the form key=value");
  }

  @Test
  void withAssignedIds_behindTheHighestId_isRefused() {
    TableIndexes indexes =
        TableIndexes.parse(
            Map.of(
                "hbaseindex.index.a", "id=2147483647, columns=f:a",
                "hbaseindex.index.b", "columns=f:b"));

    assertThatThrownBy(() -> indexes.withAssignedIds(() -> 1))
        .isInstanceOf(DefinitionException.class)
        .hasMessageContaining("the next one was 2147483648, above the highest, 2147483647");
  }

  private static void assertBroken(String attribute, String text, String fault) {
    assertThatThrownBy(() -> TableIndexes.parse(Map.of(attribute, text)))
        .isInstanceOf(DefinitionException.class)
        .hasMessageContaining("Cannot read table attribute " + attribute)
        .hasMessageContaining(fault);
  }

  @Test
  void with_moreThanTheLimit_isRefused() {
    TableIndexes indexes = TableIndexes.none();
    for (int i = 0; i < TableIndexes.MAX_INDEXES; i++) {
      indexes = indexes.with(IndexDefinition.on("f", "c" + i).named("i" + i).eager(), () -> 1);
    }
    TableIndexes full = indexes;

    assertThatThrownBy(() -> full.with(BY_EMAIL, () -> 1))
        .hasMessage("Cannot index the table: it had 65 indexes; use at most 64");
  }
}
