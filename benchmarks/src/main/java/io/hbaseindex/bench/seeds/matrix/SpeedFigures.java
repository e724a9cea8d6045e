package io.hbaseindex.bench.seeds.matrix;

import io.hbaseindex.bench.jmh.BriefRun;
import io.hbaseindex.bench.jmh.MatrixDimensionBenchmark;
import io.hbaseindex.bench.jmh.PartialMatchBenchmark;
import io.hbaseindex.bench.jmh.TupleFilterBenchmark;
import io.hbaseindex.bench.report.BarPlot;
import io.hbaseindex.bench.report.Docs;
import io.hbaseindex.bench.report.LinePlot;
import io.hbaseindex.bench.report.MarkdownTable;
import io.hbaseindex.bench.tuple.Structure;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Figures 10 and 12: what queries cost by structure, and by number of attributes. */
final class SpeedFigures {
  private final Map<Structure, Double> inserts = new EnumMap<>(Structure.class);
  private final Map<Structure, Double> lookups = new EnumMap<>(Structure.class);
  private final Map<Structure, Double> pairLookups = new EnumMap<>(Structure.class);

  String figure10(Docs docs) {
    collect(TupleFilterBenchmark.class, "insert", inserts);
    collect(TupleFilterBenchmark.class, "lookup", lookups);
    collect(PartialMatchBenchmark.class, "lookupPair", pairLookups);
    MarkdownTable table =
        new MarkdownTable(
            "structure", "insert, ns", "full lookup, ns", "÷ BFM", "pair lookup, ns", "÷ BFM");
    for (Structure structure : Structure.values()) {
      boolean partial = pairLookups.containsKey(structure);
      table.row(
          structure,
          nanoseconds(inserts.get(structure)),
          nanoseconds(lookups.get(structure)),
          ratio(lookups, structure),
          partial ? nanoseconds(pairLookups.get(structure)) : "–",
          partial ? ratio(pairLookups, structure) : "–");
    }
    List<String> names = pairLookups.keySet().stream().map(Structure::name).toList();
    List<Double> full = pairLookups.keySet().stream().map(lookups::get).toList();
    BarPlot plot =
        new BarPlot("Time of a query for a stored tuple (16 MiB, k = 6)", "structure", "ns")
            .bars("full tuple", names, full)
            .bars("two attributes", names, List.copyOf(pairLookups.values()));
    return table + "\n" + docs.plot("000-figure-10", plot);
  }

  /** The cost of an insert and of a full lookup, once Figure 10 has been measured. */
  String cost(Structure structure) {
    return "insert %s ns, lookup %s ns"
        .formatted(nanoseconds(inserts.get(structure)), nanoseconds(lookups.get(structure)));
  }

  private static void collect(Class<?> benchmark, String method, Map<Structure, Double> times) {
    BriefRun.of(benchmark, method)
        .forEach(
            (params, time) -> times.put(Structure.valueOf(params.getParam("structure")), time));
  }

  String figure12(Docs docs) {
    SortedMap<Integer, SortedMap<Integer, Double>> timesByElements = new TreeMap<>();
    BriefRun.of(MatrixDimensionBenchmark.class, "lookup")
        .forEach(
            (params, time) ->
                timesByElements
                    .computeIfAbsent(
                        Integer.parseInt(params.getParam("elements")), e -> new TreeMap<>())
                    .put(Integer.parseInt(params.getParam("attributes")), time));
    LinePlot plot =
        new LinePlot(
            "Time of a query by number of attributes (axes of 16, k = 6)", "attributes", "ns");
    timesByElements.forEach(
        (elements, times) ->
            plot.line(
                elements + " tuples",
                times.keySet().stream().mapToDouble(Integer::doubleValue).toArray(),
                times.values().stream().mapToDouble(Double::doubleValue).toArray()));
    return dimensionTable(timesByElements) + "\n" + docs.plot("000-figure-12", plot);
  }

  private static MarkdownTable dimensionTable(
      SortedMap<Integer, SortedMap<Integer, Double>> timesByElements) {
    MarkdownTable table =
        new MarkdownTable("attributes", "100 tuples, ns", "1,000 tuples, ns", "10,000 tuples, ns");
    for (int attributes : timesByElements.get(100).keySet()) {
      table.row(
          attributes,
          nanoseconds(timesByElements.get(100).get(attributes)),
          nanoseconds(timesByElements.get(1_000).get(attributes)),
          nanoseconds(timesByElements.get(10_000).get(attributes)));
    }
    return table;
  }

  private static String ratio(Map<Structure, Double> times, Structure structure) {
    return String.format(Locale.ROOT, "%.2f", times.get(structure) / times.get(Structure.BFM));
  }

  private static String nanoseconds(double time) {
    return String.format(Locale.ROOT, "%,.0f", time);
  }
}
