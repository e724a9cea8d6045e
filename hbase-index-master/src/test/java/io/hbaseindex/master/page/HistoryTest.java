/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.master.page.model.HistorySample;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HistoryTest {
  @Test
  void oldSamples_areForgotten() {
    History history = new History();
    for (int i = 0; i < History.SAMPLES + 5; i++) {
      history.add(new HistorySample(i, 0, 0, 0, 0, 0, Map.of()));
    }

    assertThat(history.samples())
        .hasSize(History.SAMPLES)
        .extracting(HistorySample::atMillis)
        .startsWith(5L)
        .endsWith(History.SAMPLES + 4L);
  }
}
