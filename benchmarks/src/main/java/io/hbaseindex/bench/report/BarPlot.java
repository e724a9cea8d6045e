/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.report;

import java.util.List;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;

/** Groups of bars, one group per category. */
public final class BarPlot implements Plot {
  private final CategoryChart chart;

  public BarPlot(String title, String xTitle, String yTitle) {
    chart =
        new CategoryChartBuilder()
            .width(PlotStyle.WIDTH)
            .height(PlotStyle.HEIGHT)
            .title(title)
            .xAxisTitle(xTitle)
            .yAxisTitle(yTitle)
            .build();
    PlotStyle.apply(chart.getStyler());
    // Slanted, so that long names of neighbouring categories do not run into each other.
    chart.getStyler().setXAxisLabelRotation(20);
  }

  /** For heights of which some are many times others. */
  public BarPlot logarithmicY() {
    chart.getStyler().setYAxisLogarithmic(true);
    return this;
  }

  /** Adds one bar per category; all calls name the same categories. */
  public BarPlot bars(String name, List<String> categories, List<Double> heights) {
    chart.addSeries(name, categories, heights);
    return this;
  }

  @Override
  public CategoryChart chart() {
    return chart;
  }
}
