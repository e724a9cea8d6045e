/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
}
