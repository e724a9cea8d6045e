/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.seeds.matrix;

import io.hbaseindex.bench.jmh.BriefRun;
import io.hbaseindex.bench.report.BarPlot;
import io.hbaseindex.bench.report.Docs;
import io.hbaseindex.bench.report.MarkdownTable;
import io.hbaseindex.bench.tuple.PartialMatchBenchmark;
import io.hbaseindex.bench.tuple.Structure;
import io.hbaseindex.bench.tuple.TupleFilterBenchmark;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Figure 10: what inserts and queries cost by structure, in nanoseconds. */
final class SpeedFigure {
  private final Map<Structure, Double> inserts;
  private final Map<Structure, Double> lookups;
  private final Map<Structure, Double> pairLookups;

  private SpeedFigure(
      Map<Structure, Double> inserts,
      Map<Structure, Double> lookups,
      Map<Structure, Double> pairLookups) {
    this.inserts = inserts;
    this.lookups = lookups;
    this.pairLookups = pairLookups;
  }

  static SpeedFigure measure() {
    return new SpeedFigure(
        times(TupleFilterBenchmark.class, "insert"),
        times(TupleFilterBenchmark.class, "lookup"),
        times(PartialMatchBenchmark.class, "lookupPair"));
  }

  private static Map<Structure, Double> times(Class<?> benchmark, String method) {
    Map<Structure, Double> times = new EnumMap<>(Structure.class);
    BriefRun.of(benchmark, method)
        .forEach(
            (params, time) -> times.put(Structure.valueOf(params.getParam("structure")), time));
    return times;
  }

  /** The cost of an insert and of a lookup of a full tuple. */
  String cost(Structure structure) {
    return "insert %s ns, lookup %s ns"
        .formatted(nanoseconds(inserts.get(structure)), nanoseconds(lookups.get(structure)));
  }

  String section(Docs docs) {
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
    return table + "\n" + docs.plot("000-figure-10", plot());
  }

  /** The Cartesian filter's enumeration takes so long that no other bar could be seen beside it. */
  private BarPlot plot() {
    List<Structure> shown =
        pairLookups.keySet().stream().filter(structure -> structure != Structure.CBF).toList();
    List<String> names = shown.stream().map(Structure::name).toList();
    return new BarPlot("Time of a query for a stored tuple (16 MiB, k = 6)", "structure", "ns")
        .bars("full tuple", names, shown.stream().map(lookups::get).toList())
        .bars("two attributes", names, shown.stream().map(pairLookups::get).toList());
  }

  private static String ratio(Map<Structure, Double> times, Structure structure) {
    return String.format(Locale.ROOT, "%.2f", times.get(structure) / times.get(Structure.BFM));
  }

  private static String nanoseconds(double time) {
    return String.format(Locale.ROOT, "%,.0f", time);
  }
}
