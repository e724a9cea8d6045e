/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class MarkdownTableTest {
  @Test
  void toString_rows_areEscaped() {
    assertThat(new MarkdownTable("a", "b").row("x|y", 1))
        .hasToString("| a | b |\n|---|---:|\n| x\\|y | 1 |\n");
  }

  @Test
  void ofText_columns_areLeftAligned() {
    assertThat(MarkdownTable.ofText("a", "b").row("x", "y"))
        .hasToString("| a | b |\n|---|---|\n| x | y |\n");
  }

  @Test
  void row_ofWrongWidth_isRefused() {
    MarkdownTable table = new MarkdownTable("a", "b");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> table.row(1))
        .withMessageContaining("1 cells, the header has 2");
  }
}
