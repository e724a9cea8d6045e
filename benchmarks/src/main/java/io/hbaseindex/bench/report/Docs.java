/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.report;

import java.nio.file.Path;
import org.knowm.xchart.internal.chartpart.Chart;

/** The documents that a run writes its results into. */
public final class Docs {
  private final Path directory;

  /**
   * @param directory the {@code docs} directory of the source tree
   */
  public Docs(Path directory) {
    this.directory = directory;
  }

  /** The generated sections of a document, for example {@code SEEDS.md}. */
  public GeneratedSections sectionsOf(String document) {
    return new GeneratedSections(directory.resolve(document));
  }

  /**
   * Draws the plot to {@code plots/NAME.svg}.
   *
   * @return a Markdown image that links the file from a document in this directory
   */
  public String plot(String name, Plot plot) {
    Chart<?, ?> chart = plot.chart();
    SvgFile.write(chart, directory.resolve("plots").resolve(name + ".svg"));
    return "![%s](plots/%s.svg)".formatted(chart.getTitle(), name);
  }
}
