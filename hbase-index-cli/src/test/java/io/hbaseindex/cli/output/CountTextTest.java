/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CountTextTest {
  @Test
  void of_one_isSingular_others_arePlural() {
    assertThat(CountText.of(0, "row")).isEqualTo("0 rows");
    assertThat(CountText.of(1, "row")).isEqualTo("1 row");
    assertThat(CountText.of(1_200, "row")).isEqualTo("1,200 rows");
  }
}
