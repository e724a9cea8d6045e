/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class IndexDefinitionTest {
  @Test
  void eager_singleColumn_hasNoIdYet() {
    IndexDefinition definition = IndexDefinition.on("f", "email").named("by_email").eager();

    assertThat(definition.id()).isEqualTo(IndexDefinition.UNASSIGNED);
    assertThat(definition.version()).isEqualTo(1);
    assertThat(definition.isEager()).isTrue();
    assertThat(definition.columns()).containsExactly(ColumnRef.of("f", "email"));
    assertThat(definition.covers(ColumnRef.of("f", "email"))).isTrue();
    assertThat(definition.covers(ColumnRef.of("f", "city"))).isFalse();
  }

  @Test
  void named_tooLong_isRefused() {
    assertThatThrownBy(() -> IndexDefinition.on("f", "a").named("n".repeat(65)).eager())
        .hasMessageEndingWith("its name was 65 characters long; use at most 64");
  }

  @Test
  void eager_withoutName_isRefused() {
    assertThatThrownBy(() -> IndexDefinition.on("f", "a").eager())
        .hasMessage("Cannot define an index: its name was empty; name it");
  }

  @Test
  void eager_fiveColumns_isRefused() {
    IndexDefinition.Builder builder = IndexDefinition.on("f", "a").named("wide");
    builder.and("f", "b").and("f", "c").and("f", "d").and("f", "e");

    assertThatThrownBy(builder::eager)
        .hasMessage("Cannot define index wide: it had 5 columns; use 1 to 4");
  }

  @Test
  void eager_sameColumnTwice_isRefused() {
    assertThatThrownBy(() -> IndexDefinition.on("f", "a").and("f", "a").named("twice").eager())
        .hasMessage("Cannot define index twice: column f:a is there twice; keep one");
  }

  @Test
  void on_hiddenFamily_isRefused() {
    assertThatThrownBy(() -> IndexDefinition.on(IndexFamily.NAME, "a"))
        .hasMessageContaining("that family holds the index itself");
  }

  @Test
  void on_emptyQualifier_isAColumnLikeAnyOther() {
    assertThat(IndexDefinition.on("f", "").named("n").eager().toString())
        .isEqualTo("n (version=1, columns=f:, mode=eager)");
  }

  @Test
  void routes_ofOneColumn_areThatColumn() {
    IndexDefinition index = IndexDefinition.on("f", "a").named("n").eager();

    assertThat(texts(index)).containsExactly("f:a");
    assertThat(index.routes().get(0).isWhole()).isTrue();
    assertThat(index.routes().get(0).space(7)).isEqualTo(7);
  }

  @Test
  void routes_notDeclared_areTheLeadingColumns() {
    assertThat(texts(threeColumns().eager())).containsExactly("f:a", "f:a+f:b", "f:a+f:b+f:c");
    assertThat(threeColumns().eager().toString())
        .isEqualTo("n (version=1, columns=f:a+f:b+f:c, mode=eager)");
  }

  @Test
  void routes_declaredInAnyOrder_areKeptInThatOfTheIndexAndOnce() {
    IndexDefinition index =
        threeColumns().routes("f:c", "f:a").routes("f:a", "f:c").routes("f:b", "f:a").eager();

    assertThat(texts(index)).containsExactly("f:a", "f:a+f:b", "f:a+f:b+f:c", "f:a+f:c");
    assertThat(index.toString())
        .isEqualTo("n (version=1, columns=f:a+f:b+f:c, mode=eager, routes=f:a+f:c)");
  }

  @Test
  void e2_routesWithoutTheFirstColumn_areRefused() {
    assertThatThrownBy(() -> threeColumns().routes("f:b", "f:c").eager())
        .isInstanceOf(DefinitionException.class)
        .hasMessage(
            "Cannot route by [f:b, f:c] in index n: the index has no posting of rows without its first column, so it would miss them; add f:a to the set, or define another index");
    assertThatThrownBy(() -> DefinitionText.parse("n", "columns=f:a+f:b, routes=f:b"))
        .hasMessageContaining("add f:a to the set");
    assertThatThrownBy(() -> new RouteSet(0b110, 3)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new RouteSet(0b1001, 3)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void routes_ofAColumnThatIsNotIndexed_areRefused() {
    assertThatThrownBy(() -> threeColumns().routes("f:a", "f:d").eager())
        .hasMessage(
            "Cannot route by f:d in index n: it is not one of its columns, [f:a, f:b, f:c]");
  }

  @Test
  void routes_asText_areReadBack() {
    IndexDefinition index =
        IndexDefinition.on("f", "a b")
            .and("f", "+")
            .and("f", ",")
            .and("f", "d")
            .named("odd")
            .routes("f:a\\x20b", "f:\\x2C")
            .routes("f:a\\x20b", "f:\\x2B", "f:d")
            .eager();

    assertThat(DefinitionText.parse("odd", DefinitionText.of(index))).isEqualTo(index);
    assertThat(index.declaredRoutes()).hasSize(2);
  }

  @Test
  void routes_changeNeitherContentNorItsText_butMakeAnotherDefinition() {
    IndexDefinition plain = threeColumns().eager();
    IndexDefinition routed = threeColumns().routes("f:a", "f:c").eager();

    assertThat(routed).isNotEqualTo(plain);
    assertThat(routed.isSameIndex(plain)).isTrue();
    assertThat(routed.contentText()).isEqualTo(plain.contentText()).isEqualTo(plain.toString());
    assertThat(plain.withMoreRoutes(routed)).isEqualTo(routed);
    assertThat(routed.withMoreRoutes(plain)).isEqualTo(routed);
  }

  @Test
  void included_asText_areReadBack() {
    IndexDefinition index =
        IndexDefinition.on("f", "a").including("f:\\x2B", "g:b").including("g:").named("n").eager();

    assertThat(DefinitionText.of(index))
        .isEqualTo("version=1, columns=f:a, mode=eager, includes=f:\\x2B+g:b+g:");
    assertThat(DefinitionText.parse("n", DefinitionText.of(index))).isEqualTo(index);
    assertThat(index.contentText()).isEqualTo(index.toString());
    assertThat(index.allColumns()).hasSize(4).startsWith(ColumnRef.of("f", "a"));
  }

  @Test
  void included_changed_makeANewVersionOfTheSameIndex() {
    IndexDefinition plain = IndexDefinition.on("f", "a").named("n").eager();
    IndexDefinition including = IndexDefinition.on("f", "a").including("f:b").named("n").eager();

    assertThat(plain.isSameIndex(including)).isTrue();
    assertThat(plain).isNotEqualTo(including);
    assertThat(plain.withIncluded(including.included()).version()).isEqualTo(2);
    assertThat(including.withIncluded(including.included())).isEqualTo(including);
    TableIndexes table = TableIndexes.none().with(plain, () -> 1);
    IndexDefinition changed = table.redeclared(including).byName("n").orElseThrow();
    assertThat(changed.id()).isEqualTo(1);
    assertThat(changed.version()).isEqualTo(2);
    assertThat(changed.included()).isEqualTo(including.included());
  }

  @Test
  void included_thatMakeNoSense_areRefused() {
    assertThatThrownBy(() -> IndexDefinition.on("f", "a").including("f:b").named("n").lazy())
        .isInstanceOf(DefinitionException.class)
        .hasMessage(
            "Cannot define index n: it was lazy and included [f:b]; a lazy index has to ask rows in any case, so make it eager or include nothing");
    assertThatThrownBy(() -> IndexDefinition.on("f", "a").including("f:a").named("n").eager())
        .hasMessage(
            "Cannot define index n: it includes column f:a, which it has already; include it once or not at all");
    assertThatThrownBy(
            () -> IndexDefinition.on("f", "a").including("f:b", "f:b").named("n").eager())
        .hasMessageContaining("includes column f:b, which it has already");
    String[] many =
        IntStream.rangeClosed(0, IndexDefinition.MAX_INCLUDED)
            .mapToObj(i -> "f:c" + i)
            .toArray(String[]::new);
    assertThatThrownBy(() -> IndexDefinition.on("f", "a").including(many).named("n").eager())
        .hasMessage("Cannot define index n: it included 17 columns; include at most 16");
  }

  @Test
  void times_added_makeANewVersionOfTheSameIndex_andStay() {
    IndexDefinition plain = IndexDefinition.on("f", "a").named("n").eager();
    IndexDefinition timed = IndexDefinition.on("f", "a").withTimes().named("n").eager();

    assertThat(plain.hasTimes()).isFalse();
    assertThat(plain.carriesCells()).isFalse();
    assertThat(timed.carriesCells()).isTrue();
    assertThat(plain.isSameIndex(timed)).isTrue();
    assertThat(plain).isNotEqualTo(timed);
    TableIndexes table = TableIndexes.none().with(plain, () -> 1).redeclared(timed);
    IndexDefinition changed = table.byName("n").orElseThrow();
    assertThat(changed.id()).isEqualTo(1);
    assertThat(changed.version()).isEqualTo(2);
    assertThat(changed.hasTimes()).isTrue();
    assertThat(table.redeclared(timed)).isEqualTo(table);
    assertThat(table.redeclared(plain)).as("says nothing of times").isEqualTo(table);
  }

  @Test
  void times_surviveOtherChanges() {
    IndexDefinition timed = IndexDefinition.on("f", "a").withTimes().named("n").eager();
    TableIndexes table = TableIndexes.none().with(timed, () -> 1);
    List<IndexDefinition> changes =
        List.of(
            IndexDefinition.on("f", "a").including("f:b").named("n").eager(),
            IndexDefinition.on("f", "a").as(ValueType.LONG).named("n").eager(),
            IndexDefinition.on("f", "a").where("f:b=1").named("n").eager());
    for (IndexDefinition change : changes) {
      IndexDefinition changed = table.redeclared(change).byName("n").orElseThrow();
      assertThat(changed.hasTimes()).as("%s", change).isTrue();
      assertThat(changed.version()).isEqualTo(2);
    }
  }

  @Test
  void times_thatMakeNoSense_areRefused() {
    assertThatThrownBy(() -> IndexDefinition.on("f", "a").withTimes().named("n").lazy())
        .isInstanceOf(DefinitionException.class)
        .hasMessage(
            "Cannot define index n: it was lazy and kept times; a lazy index has to ask rows in any case, so make it eager or keep none");
    assertThatThrownBy(
            () ->
                TableIndexes.parse(
                    Map.of("hbaseindex.index.n", "columns=f:a, mode=eager, times=lost")))
        .isInstanceOf(DefinitionException.class)
        .hasMessageContaining("times was \"lost\"; write kept, or leave it out");
  }

  @Test
  void types_asText_areReadBack() {
    IndexDefinition index =
        IndexDefinition.on("f", "a").as(ValueType.LONG).and("f", "b").named("n").eager();

    assertThat(DefinitionText.of(index))
        .isEqualTo("version=1, columns=f:a+f:b, types=long+bytes, mode=eager");
    assertThat(DefinitionText.parse("n", DefinitionText.of(index))).isEqualTo(index);
    assertThat(index.contentText()).isEqualTo(index.toString());
    IndexDefinition bytes = IndexDefinition.on("f", "a").as(ValueType.BYTES).named("n").eager();
    assertThat(bytes).isEqualTo(IndexDefinition.on("f", "a").named("n").eager());
    assertThat(bytes.hasTypes()).isFalse();
    assertThat(DefinitionText.of(bytes)).isEqualTo("version=1, columns=f:a, mode=eager");
    assertThat(DefinitionText.parse("n", "columns=f:a, types=bytes")).isEqualTo(bytes);
  }

  @Test
  void types_changed_makeANewVersionOfTheSameIndex_underAnIdOfItsOwn() {
    IndexDefinition plain = IndexDefinition.on("f", "a").named("n").eager();
    IndexDefinition typed = IndexDefinition.on("f", "a").as(ValueType.INT).named("n").eager();

    assertThat(plain.isSameIndex(typed)).isTrue();
    assertThat(plain).isNotEqualTo(typed);
    TableIndexes table = TableIndexes.none().with(plain, () -> 1);
    TableIndexes changed = table.redeclared(typed).withAssignedIds(() -> 2);
    IndexDefinition index = changed.byName("n").orElseThrow();
    assertThat(index.id()).isEqualTo(2);
    assertThat(index.version()).isEqualTo(2);
    assertThat(index.types()).containsExactly(ValueType.INT);
    assertThat(changed.nextId()).isEqualTo(3);
    assertThat(changed.seed()).isEqualTo(1);
    // Typed again without types, as in a script, it keeps those that it has.
    assertThat(changed.redeclared(plain)).isEqualTo(changed);
    assertThat(changed.redeclared(typed)).isEqualTo(changed);
    assertThat(changed.typeOf(ColumnRef.of("f", "a"))).isEqualTo(ValueType.INT);
    assertThat(changed.typeOf(ColumnRef.of("f", "b"))).isEqualTo(ValueType.BYTES);
  }

  @Test
  void condition_asText_isReadBack() {
    IndexDefinition index =
        IndexDefinition.on("f", "a").where("f:b=1 f:a<5").including("f:b").named("n").eager();
    String text = "version=1, columns=f:a, mode=eager, includes=f:b, where=f:b=1 f:a<5";
    assertThat(DefinitionText.of(index)).isEqualTo(text);
    assertThat(DefinitionText.parse("n", text)).isEqualTo(index);
    assertThat(index.allColumns()).containsExactly(ColumnRef.of("f", "a"), ColumnRef.of("f", "b"));
    assertThat(IndexDefinition.on("f", "a").named("n").eager().isPartial()).isFalse();
  }

  @Test
  void condition_changed_makesANewVersionOfTheSameIndex_underAnIdOfItsOwn() {
    IndexDefinition plain = IndexDefinition.on("f", "a").named("n").eager();
    IndexDefinition partial = IndexDefinition.on("f", "a").where("f:b=1").named("n").eager();
    TableIndexes table = TableIndexes.none().with(plain, () -> 1);
    assertThat(plain.isSameIndex(partial)).isTrue();

    TableIndexes changed = table.redeclared(partial).withAssignedIds(() -> 2);

    IndexDefinition index = changed.byName("n").orElseThrow();
    assertThat(index.condition()).isEqualTo(partial.condition());
    assertThat(index.id()).isEqualTo(2);
    assertThat(index.version()).isEqualTo(2);
    // Declared again without a condition, as in a script, it keeps the one that it has.
    assertThat(changed.redeclared(plain)).isEqualTo(changed);
    assertThat(changed.redeclared(partial)).isEqualTo(changed);
  }

  @Test
  void types_thatMakeNoSense_areRefused() {
    assertThatThrownBy(() -> DefinitionText.parse("n", "columns=f:a, types=number"))
        .isInstanceOf(DefinitionException.class)
        .hasMessageStartingWith(
            "type was \"number\"; known types are bytes, string, boolean, long,");
    assertThatThrownBy(() -> DefinitionText.parse("n", "columns=f:a+f:b, types=long"))
        .hasMessage(
            "Cannot define index n: it had 1 types for 2 columns; name one for each, bytes where there is none");
    TableIndexes table =
        TableIndexes.none()
            .with(IndexDefinition.on("f", "a").as(ValueType.LONG).named("n").eager(), () -> 1)
            .with(IndexDefinition.on("f", "b").and("f", "a").named("m").eager(), () -> 1);
    assertThatThrownBy(
            () ->
                table.with(
                    IndexDefinition.on("f", "a").as(ValueType.DOUBLE).named("o").eager(), () -> 1))
        .hasMessage(
            "Cannot use the indexes of this table: column f:a is double in index o, and long in another; give it one type in all of them; to change it, drop the others first");
  }

  @Test
  void spaces_ofAllSetsOfTwoIndexes_differ() {
    IndexDefinition index = threeColumns().routes("f:a", "f:c").eager();

    assertThat(
            Stream.of(1, 2, Integer.MAX_VALUE)
                .flatMap(id -> index.routes().stream().map(set -> set.space(id))))
        .doesNotHaveDuplicates()
        .allMatch(space -> space > 0);
  }

  private static IndexDefinition.Builder threeColumns() {
    return IndexDefinition.on("f", "a").and("f", "b").and("f", "c").named("n");
  }

  private static List<String> texts(IndexDefinition index) {
    return index.routes().stream().map(set -> set.text(index)).toList();
  }
}
