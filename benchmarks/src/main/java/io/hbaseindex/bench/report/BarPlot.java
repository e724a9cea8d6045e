/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.report;

import java.util.List;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;

/** Groups of bars, one group per category. */
public final class BarPlot implements Plot {
  private final CategoryChart chart;
  private double lowest = Double.MAX_VALUE;

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
    lowest = heights.stream().mapToDouble(Double::doubleValue).reduce(lowest, Math::min);
    return this;
  }

  /**
   * Bars begin at zero, which a logarithmic axis does not have, unless it is told where to begin.
   */
  @Override
  public CategoryChart chart() {
    if (chart.getStyler().isYAxisLogarithmic()) {
      chart.getStyler().setYAxisMin(Math.pow(10, Math.floor(Math.log10(lowest))));
    }
    return chart;
  }
}
