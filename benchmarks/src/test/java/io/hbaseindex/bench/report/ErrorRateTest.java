/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ErrorRateTest {
  @Test
  void toString_rates_areReadable() {
    assertThat(new ErrorRate(0, 1_000_000)).hasToString("0 of 1,000,000");
    assertThat(new ErrorRate(1, 2)).hasToString("50.0 %");
    assertThat(new ErrorRate(21, 10_000)).hasToString("0.0021");
    assertThat(new ErrorRate(3, 10_000_000)).hasToString("3.0e-07");
    assertThat(ErrorRate.format(0.00999)).isEqualTo("1.0 %");
  }
}
