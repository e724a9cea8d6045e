/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.report;

import java.awt.BasicStroke;
import java.awt.Color;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler.LegendPosition;

/** What all plots have in common. */
final class PlotStyle {
  static final int WIDTH = 760;
  static final int HEIGHT = 420;

  private PlotStyle() {}

  static void apply(AxesChartStyler styler) {
    styler.setChartBackgroundColor(Color.WHITE);
    styler.setLegendPosition(LegendPosition.OutsideE);
    styler.setLegendBorderColor(Color.WHITE);
    styler.setPlotGridLinesColor(new Color(0xE4E4E4));
    // A dashed grid line is written as the outline of its dashes: hundreds of kilobytes a plot.
    styler.setPlotGridLinesStroke(new BasicStroke(0.5f));
  }
}
