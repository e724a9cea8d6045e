/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExplanationTest {
  private static final TimedAnswer PLAIN = answer(12, 99_999);

  @Test
  void noRegionAsked_saysSo() {
    assertThat(SparedWork.of(answer(0, -1), PLAIN, 12))
        .isEqualTo(
            "The filters at the master rule out all 12 regions: no region server was asked at all.");
  }

  @Test
  void someRegionsAsked_tellsWhatWasSkipped() {
    assertThat(SparedWork.of(answer(2, 0), PLAIN, 12))
        .isEqualTo(
            "The filters at the master rule out 10 of 12 regions; in the remaining 2 the scan jumped straight to the rows that match. 99,999 rows were never read.");
  }

  @Test
  void allRegionsAsked_claimsNoneSkipped() {
    assertThat(SparedWork.of(answer(12, 5), PLAIN, 12))
        .startsWith("Any of the 12 regions may hold such a row;")
        .endsWith("99,994 rows were never read.");
  }

  private static TimedAnswer answer(int regions, long rowsFiltered) {
    return new TimedAnswer(List.of("key"), Duration.ZERO, new Reads.Cost(regions, 1, rowsFiltered));
  }
}
