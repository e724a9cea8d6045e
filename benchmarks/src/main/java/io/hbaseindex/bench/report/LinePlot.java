/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.report;

import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;

/**
 * Lines over a common x axis.
 *
 * <p>A logarithmic axis has no place for zero: such points are left out of the line, since an error
 * of "none seen" is not a small number but the absence of one.
 */
public final class LinePlot implements Plot {
  private final XYChart chart;
  private boolean logarithmicY;

  public LinePlot(String title, String xTitle, String yTitle) {
    chart =
        new XYChartBuilder()
            .width(PlotStyle.WIDTH)
            .height(PlotStyle.HEIGHT)
            .title(title)
            .xAxisTitle(xTitle)
            .yAxisTitle(yTitle)
            .build();
    PlotStyle.apply(chart.getStyler());
    chart.getStyler().setMarkerSize(6);
  }

  /** Makes the y axis logarithmic. Call before adding lines. */
  public LinePlot logarithmicY() {
    chart.getStyler().setYAxisLogarithmic(true);
    logarithmicY = true;
    return this;
  }

  /** Makes the x axis logarithmic. */
  public LinePlot logarithmicX() {
    chart.getStyler().setXAxisLogarithmic(true);
    return this;
  }

  /** Adds a line through the given points. */
  public LinePlot line(String name, double[] x, double[] y) {
    if (x.length != y.length) {
      throw new IllegalArgumentException(
          "Cannot draw line %s: it has %d x and %d y values".formatted(name, x.length, y.length));
    }
    double[] drawn = y.clone();
    if (logarithmicY) {
      for (int i = 0; i < drawn.length; i++) {
        drawn[i] = drawn[i] > 0 ? drawn[i] : Double.NaN;
      }
    }
    chart.addSeries(name, x.clone(), drawn);
    return this;
  }

  @Override
  public XYChart chart() {
    return chart;
  }
}
