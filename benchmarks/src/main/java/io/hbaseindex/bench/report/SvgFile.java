/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
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
import org.knowm.xchart.internal.chartpart.Chart;
import org.w3c.dom.Document;

/** Writes a chart as SVG; equal charts give equal files. */
final class SvgFile {
  private SvgFile() {}

  static void write(Chart<?, ?> chart, Path file) {
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
