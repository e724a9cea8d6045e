/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.ValueType;
import java.util.List;
import org.junit.jupiter.api.Test;

class SourceSchemaTest {
  private static final IndexDefinition BY_TEAM =
      IndexDefinition.on("f", "team")
          .and("f", "age")
          .as(ValueType.LONG)
          .including("f:note", "g:team")
          .named("by_team")
          .eager();

  @Test
  void option_namesColumnsAndTypes() {
    SourceSchema schema =
        SourceSchema.parse(
            " id :key string,price f:price decimal(10, 2) , total f:total decimal, raw f:raw bytes",
            List.of());

    assertThat(schema.structType().simpleString())
        .isEqualTo("struct<id:string,price:decimal(10,2),total:decimal(38,18),raw:binary>");
    assertThat(schema.structType().apply("id").nullable()).isFalse();
    assertThat(schema.structType().apply("raw").nullable()).isTrue();
    assertThat(schema.column("id").orElseThrow().isKey()).isTrue();
    assertThat(schema.column("price").orElseThrow()).hasToString("f:price");
  }

  @Test
  void missingType_isThatOfAnIndex_orBytes() {
    SourceSchema schema = SourceSchema.parse("id :key, age f:age, team f:team", List.of(BY_TEAM));

    assertThat(schema.structType().simpleString())
        .isEqualTo("struct<id:binary,age:bigint,team:binary>");
  }

  @Test
  void withoutOption_columnsAreThoseOfIndexes_namedApart() {
    assertThat(SourceSchema.of(List.of(BY_TEAM)).structType().simpleString())
        .isEqualTo("struct<rowkey:binary,f:team:binary,age:bigint,note:binary,g:team:binary>");
  }

  @Test
  void whatMakesNoSense_isRefused() {
    assertRefused("id", "it was not of the form: name column [type]");
    assertRefused("a f:a text", "type was \"text\"");
    assertRefused("a f:a long(1,2)", "only decimals have a precision");
    assertRefused("a f:a decimal(39,2)", "1 to 38 digits");
    assertRefused("a f:a decimal(3,4)", "1 to 38 digits");
    assertRefused("a f", "Cannot read column \"a f\"");
    assertRefused("a f:a long, A f:b long", "both f:a and f:b were called A");
  }

  private static void assertRefused(String columns, String why) {
    assertThatThrownBy(() -> SourceSchema.parse(columns, List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(why);
  }
}
