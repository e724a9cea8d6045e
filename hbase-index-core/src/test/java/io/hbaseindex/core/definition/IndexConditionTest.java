/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class IndexConditionTest {

  @Test
  void parse_everyComparison_isReadBack() {
    for (String text :
        List.of(
            "f:a=1",
            "f:a=1|2|",
            "f:a=",
            "f:a",
            "f:a^=1",
            "f:a<1",
            "f:a<=1",
            "f:a>1",
            "f:a>=1<2",
            "f:a<1|>=3<=4|7",
            "f:a=1 g:b>=\\x00\\xFF f:c",
            "f:a\\x3Cb=\\x20\\x2C\\x7C")) {
      assertThat(IndexCondition.parse(text)).hasToString(text);
    }
  }

  @Test
  void parse_columns_areThoseOfAllParts() {
    assertThat(IndexCondition.parse("g:b=1 f:a f:a<2").columns())
        .containsExactly(ColumnRef.of("f", "a"), ColumnRef.of("g", "b"));
  }

  @Test
  void parse_whatIsNoCondition_isRefused() {
    assertThatThrownBy(() -> IndexCondition.parse("f:a|2"))
        .isInstanceOf(DefinitionException.class)
        .hasMessage(
            "condition was \"f:a|2\"; write it as a column and how its value compares, = ^= < <= > >=, for example f:status=open|new, and other uses of these signs as \\xHH");
    for (String text : List.of("", "=1", "status=open", "f:a^1", "f:a = 1")) {
      assertThatThrownBy(() -> IndexCondition.parse(text))
          .as(text)
          .isInstanceOf(DefinitionException.class);
    }
  }

  @Test
  void parse_atTheBounds_isTaken_beyondThemItIsRefused() {
    String parts = "f:a=1 ".repeat(IndexCondition.MAX_CLAUSES);
    assertThat(IndexCondition.parse(parts).columns()).hasSize(1);
    assertThatThrownBy(() -> IndexCondition.parse(parts + "f:b"))
        .hasMessage(
            "Cannot define a condition of an index: it had 9 parts and 51 characters; use at most 8 and 4096");
    String longest = "f:a=" + "x".repeat(IndexCondition.MAX_LENGTH - 4);
    assertThat(IndexCondition.parse(longest)).hasToString(longest);
    assertThatThrownBy(() -> IndexCondition.parse(longest + "x"))
        .hasMessageContaining("it had 1 parts and 4097 characters");
  }

  @Test
  void where_whatNoRowCanMeet_isRefused() {
    assertThatThrownBy(() -> IndexDefinition.on("f", "c").where("f:a=x g:b=1 f:a=y"))
        .isInstanceOf(DefinitionException.class)
        .hasMessage(
            "Cannot define a condition of an index: it was \"f:a=x f:a=y\", which no value of f:a meets; leave out a part of it");
    for (String text :
        List.of(
            "f:a<",
            "f:a>=5<3",
            "f:a>5<5",
            "f:a>5<5\\x00",
            "f:a>=5<5",
            "f:a^=ab^=b",
            "f:a^=ab<ab",
            "f:a^=ab>=ac",
            "f:a=1|2 f:a=3|4",
            "f:a=1|>=5 f:a>1<5",
            "f:b f:a=1 f:a>1")) {
      assertThatThrownBy(() -> IndexDefinition.on("f", "c").where(text))
          .as(text)
          .isInstanceOf(DefinitionException.class)
          .hasMessageContaining("which no value of f:a meets");
    }
  }

  @Test
  void parse_storedDefinition_thatNoRowCanMeet_isStillRead() {
    IndexDefinition stored = DefinitionText.parse("n", "columns=f:c, where=f:a=x f:a=y");

    assertThat(stored.condition()).hasToString("f:a=x f:a=y");
    assertThat(stored.withId(7).condition()).isEqualTo(stored.condition());
  }

  @Test
  void where_whatJustOneValueMeets_isTaken() {
    for (String text :
        List.of(
            "f:a<=",
            "f:a>=5<=5",
            "f:a>5<=5\\x00",
            "f:a<5\\x00 f:a>=5",
            "f:a^=ab<=ab",
            "f:a^=ab<ac f:a>ab",
            "f:a=1|2 f:a=2|3",
            "f:a=1|>5<3",
            "f:a=2 f:b=1",
            "f:a f:a=")) {
      assertThat(IndexDefinition.on("f", "c").where(text).named("n").eager().condition())
          .hasToString(text);
    }
  }
}
