/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BarPlotTest {
  @TempDir private Path directory;

  @Test
  void bars_onALogarithmicAxis_areDrawn() {
    BarPlot plot =
        new BarPlot("Ratios", "", "times")
            .logarithmicY()
            .bars("slow", List.of("a", "b"), List.of(0.6, 20.0))
            .bars("fast", List.of("a", "b"), List.of(12.0, 900.0));

    assertThat(new Docs(directory).plot("ratios", plot)).isEqualTo("![Ratios](plots/ratios.svg)");
    assertThat(directory.resolve("plots/ratios.svg")).content().contains("<svg", "</svg");
  }
}
