/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LinePlotTest {
  @TempDir private Path directory;

  @Test
  void plot_withZeroOnLogarithmicAxis_isDrawnAndLinked() {
    LinePlot plot =
        new LinePlot("Error", "n", "rate")
            .logarithmicY()
            .line("a", new double[] {1, 2, 3}, new double[] {0, 0.1, 1});

    String link = new Docs(directory).plot("error", plot);

    assertThat(link).isEqualTo("![Error](plots/error.svg)");
    assertThat(directory.resolve("plots/error.svg")).content().contains("<svg", "</svg");
  }

  @Test
  void plot_drawnTwice_givesTheSameBytes() {
    for (String name : new String[] {"one", "two"}) {
      LinePlot plot =
          new LinePlot("t", "x", "y").line("a", new double[] {1, 2}, new double[] {3, 4});
      new Docs(directory).plot(name, plot);
    }

    assertThat(directory.resolve("plots/one.svg"))
        .hasSameBinaryContentAs(directory.resolve("plots/two.svg"));
  }
}
