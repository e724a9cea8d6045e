/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.master.page.model.HistorySample;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class HistoryTest {
  @Test
  void oldSamples_areForgotten() {
    AtomicLong clock = new AtomicLong();
    History history =
        new History(() -> new HistorySample(clock.getAndIncrement(), 0, 0, 0, 0, 0, Map.of()));
    for (int i = 0; i < History.SAMPLES + 5; i++) {
      history.take();
    }

    assertThat(history.samples())
        .hasSize(History.SAMPLES)
        .extracting(HistorySample::atMillis)
        .startsWith(5L)
        .endsWith(History.SAMPLES + 4L);
  }
}
