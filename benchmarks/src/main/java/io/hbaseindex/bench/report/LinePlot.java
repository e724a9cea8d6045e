package io.hbaseindex.bench.report;

import java.awt.Dimension;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.batik.dom.GenericDOMImplementation;
import org.apache.batik.svggen.SVGGraphics2D;
import org.apache.batik.util.SVGConstants;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler.ChartTheme;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.w3c.dom.Document;

/**
 * Lines over a common x axis, drawn as SVG.
 *
 * <p>A logarithmic axis has no place for zero: such points are left out of the line, since an error
 * of "none seen" is not a small number but the absence of one.
 */
public final class LinePlot {
  private final XYChart chart;
  private boolean logarithmicY;

  public LinePlot(String title, String xTitle, String yTitle) {
    chart =
        new XYChartBuilder()
            .width(760)
            .height(420)
            .theme(ChartTheme.XChart)
            .title(title)
            .xAxisTitle(xTitle)
            .yAxisTitle(yTitle)
            .build();
    chart.getStyler().setLegendPosition(LegendPosition.OutsideE);
    chart.getStyler().setChartTitleBoxVisible(false);
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

  String title() {
    return chart.getTitle();
  }

  void writeSvg(Path file) {
    try {
      Files.createDirectories(file.getParent());
      try (Writer out = Files.newBufferedWriter(file)) {
        SVGGraphics2D graphics = new SVGGraphics2D(emptySvg());
        chart.paint(graphics, chart.getWidth(), chart.getHeight());
        graphics.setSVGCanvasSize(new Dimension(chart.getWidth(), chart.getHeight()));
        graphics.stream(out, true);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot write the plot " + file, e);
    }
  }

  private static Document emptySvg() {
    return GenericDOMImplementation.getDOMImplementation()
        .createDocument(SVGConstants.SVG_NAMESPACE_URI, SVGConstants.SVG_SVG_TAG, null);
  }
}
