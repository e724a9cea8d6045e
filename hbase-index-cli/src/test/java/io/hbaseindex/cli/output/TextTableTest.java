/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TextTableTest {
  @Test
  void columns_areAsWideAsNeeded_numbersToTheRight() {
    assertThat(new TextTable("NAME", "ROWS").row("a", 7).row("longer", "1,200"))
        .hasToString(
            """
            NAME     ROWS
            a           7
            longer  1,200""");
  }

  @Test
  void lineBreaks_doNotTearTheTable() {
    assertThat(new TextTable("A").row("x\ny")).hasToString("A\nx y");
  }

  @Test
  void noRows_headerAlone() {
    assertThat(new TextTable("A", "B")).hasToString("A  B");
  }

  @Test
  void wrongNumberOfCells_isRefused() {
    assertThatThrownBy(() -> new TextTable("A", "B").row("x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("it had 1 cells, the table has 2 columns");
  }
}
