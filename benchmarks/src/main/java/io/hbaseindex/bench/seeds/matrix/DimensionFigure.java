/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.seeds.matrix;

import io.hbaseindex.bench.jmh.BriefRun;
import io.hbaseindex.bench.report.Docs;
import io.hbaseindex.bench.report.LinePlot;
import io.hbaseindex.bench.report.MarkdownTable;
import io.hbaseindex.bench.tuple.MatrixDimensionBenchmark;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/** Figure 12: what a query of the cut matrix costs by number of attributes, in nanoseconds. */
final class DimensionFigure {
  /** By number of attributes, then by number of tuples. */
  private final SortedMap<Integer, SortedMap<Integer, Double>> times = new TreeMap<>();

  private DimensionFigure() {}

  static DimensionFigure measure() {
    DimensionFigure figure = new DimensionFigure();
    BriefRun.of(MatrixDimensionBenchmark.class, "lookup")
        .forEach(
            (params, time) ->
                figure
                    .times
                    .computeIfAbsent(
                        Integer.parseInt(params.getParam("attributes")), a -> new TreeMap<>())
                    .put(Integer.parseInt(params.getParam("elements")), time));
    return figure;
  }

  String section(Docs docs) {
    SortedMap<Integer, Double> firstRow = times.get(times.firstKey());
    String[] header = new String[1 + firstRow.size()];
    header[0] = "attributes";
    int column = 1;
    for (int elements : firstRow.keySet()) {
      header[column++] = String.format(Locale.ROOT, "%,d tuples, ns", elements);
    }
    MarkdownTable table = new MarkdownTable(header);
    times.forEach((attributes, row) -> table.row(cells(attributes, row)));

    LinePlot plot =
        new LinePlot(
            "Time of a query by number of attributes (axes of 16, k = 6)", "attributes", "ns");
    for (int elements : firstRow.keySet()) {
      plot.line(
          elements + " tuples",
          times.keySet().stream().mapToDouble(Integer::doubleValue).toArray(),
          times.values().stream().mapToDouble(row -> row.get(elements)).toArray());
    }
    return table + "\n" + docs.plot("000-figure-12", plot);
  }

  private static Object[] cells(int attributes, SortedMap<Integer, Double> row) {
    Object[] cells = new Object[1 + row.size()];
    cells[0] = attributes;
    int column = 1;
    for (double time : row.values()) {
      cells[column++] = String.format(Locale.ROOT, "%,.0f", time);
    }
    return cells;
  }
}
