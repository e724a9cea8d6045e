/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.write.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.definition.IndexDefinition;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What refusals say of the column that they are about. */
class IndexedColumnsTest {
  private final IndexedColumns columns =
      new IndexedColumns(
          List.of(
              IndexDefinition.on("f", "city")
                  .including("f:name", "f:email")
                  .where("f:status=open")
                  .named("open_by_city")
                  .eager(),
              IndexDefinition.on("f", "email").where("f:city=Graz").named("by_email").eager()));

  @Test
  void use_isTheClosestThatAnIndexMakesOfTheColumn() {
    assertThat(use("city")).isEqualTo("column f:city, which index open_by_city is on");
    assertThat(use("email")).isEqualTo("column f:email, which index by_email is on");
    assertThat(use("name")).isEqualTo("column f:name, which index open_by_city includes");
    assertThat(use("status")).isEqualTo("column f:status of the condition of index open_by_city");
  }

  private String use(String qualifier) {
    byte[] name = qualifier.getBytes(StandardCharsets.UTF_8);
    return columns.use(columns.columnNumber(0, name, 0, name.length));
  }
}
