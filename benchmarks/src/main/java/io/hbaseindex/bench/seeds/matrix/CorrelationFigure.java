/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.seeds.matrix;

import io.hbaseindex.bench.report.Docs;
import io.hbaseindex.bench.report.ErrorRate;
import io.hbaseindex.bench.report.LinePlot;
import io.hbaseindex.bench.report.MarkdownTable;
import io.hbaseindex.bench.tuple.ErrorMeter;
import io.hbaseindex.bench.tuple.IntegerTuples;
import io.hbaseindex.bench.tuple.Load;
import io.hbaseindex.bench.tuple.Structure;
import io.hbaseindex.seeds.tuple.AttributeSet;
import io.hbaseindex.seeds.tuple.TupleFilter;
import java.util.List;
import java.util.Map;

/** Figure 7: error against the share of query values that are stored ones, at equal memory. */
final class CorrelationFigure {
  private static final int QUERIES = 1_000_000;
  private static final double[] ALPHAS = {0, 0.25, 0.5, 0.75, 1};

  /** Asked for with unknown values only: one attribute cannot be recombined. */
  private static final AttributeSet SINGLE = AttributeSet.of(2);

  private static final List<Structure> STRUCTURES =
      List.of(
          Structure.SBF,
          Structure.MDBF,
          Structure.CMDBF,
          Structure.CBF,
          Structure.BFM,
          Structure.CBFM,
          Structure.CBFM_2_CUTS,
          Structure.SEVEN_SBF);

  /** What the text of the paper says of the two-attribute curves; the curves have no numbers. */
  private static final Map<Structure, String> PAIR_CLAIMS =
      Map.of(
          Structure.MDBF, "to 100 %",
          Structure.CBF, "100 %",
          Structure.BFM, "100 %",
          Structure.CBFM, "0.21 %");

  private static final Map<Structure, String> FULL_CLAIMS =
      Map.of(
          Structure.SBF, "low",
          Structure.MDBF, "to 100 %",
          Structure.CMDBF, "rising",
          Structure.CBF, "low",
          Structure.BFM, "low",
          Structure.CBFM, "low");

  private final IntegerTuples tuples = new IntegerTuples(Structure.ATTRIBUTES);
  private final ErrorMeter meter = new ErrorMeter(tuples);

  String run(Docs docs) {
    MarkdownTable full = table();
    MarkdownTable pair = table();
    MarkdownTable single = new MarkdownTable("structure", "α = 0: formula", "measured");
    LinePlot fullPlot = plot("Full tuples asked for");
    LinePlot pairPlot = plot("Two attributes asked for");
    for (Structure structure : STRUCTURES) {
      TupleFilter filter = structure.create(PaperSetting.BITS, PaperSetting.HASHES);
      for (int i = 0; i < PaperSetting.ELEMENTS; i++) {
        filter.insert(tuples.tuple(i));
      }
      measure(structure, filter, Structure.ALL, FULL_CLAIMS, full, fullPlot);
      if (structure != Structure.SBF) {
        measure(structure, filter, Structure.PAIR, PAIR_CLAIMS, pair, pairPlot);
        single.row(
            structure,
            expected(structure, SINGLE, 0),
            meter.measure(filter, SINGLE, PaperSetting.ELEMENTS, 0, QUERIES));
      }
    }
    return "Full tuples:\n\n"
        + full
        + "\nTwo attributes, the last two:\n\n"
        + pair
        + "\nOne attribute, the last:\n\n"
        + single
        + "\n"
        + docs.plot("000-figure-7-full", fullPlot)
        + "\n"
        + docs.plot("000-figure-7-pair", pairPlot);
  }

  private void measure(
      Structure structure,
      TupleFilter filter,
      AttributeSet given,
      Map<Structure, String> claims,
      MarkdownTable table,
      LinePlot plot) {
    ErrorRate[] measured = new ErrorRate[ALPHAS.length];
    double[] errors = new double[ALPHAS.length];
    for (int i = 0; i < ALPHAS.length; i++) {
      measured[i] = meter.measure(filter, given, PaperSetting.ELEMENTS, ALPHAS[i], QUERIES);
      errors[i] = measured[i].value();
    }
    table.row(
        structure,
        claims.getOrDefault(structure, "–"),
        expected(structure, given, 0),
        measured[0],
        expected(structure, given, 0.5),
        measured[2],
        expected(structure, given, 1),
        measured[4]);
    plot.line(structure.name(), ALPHAS, errors);
  }

  private static String expected(Structure structure, AttributeSet given, double alpha) {
    Load load = new Load(PaperSetting.BITS, PaperSetting.HASHES, PaperSetting.ELEMENTS, alpha);
    return ErrorRate.format(structure.expectedError(given, load));
  }

  private static MarkdownTable table() {
    return new MarkdownTable(
        "structure",
        "claim",
        "α = 0: formula",
        "measured",
        "α = 0.5: formula",
        "measured",
        "α = 1: formula",
        "measured");
  }

  private static LinePlot plot(String what) {
    return new LinePlot(
            what + " (16 MiB, k = 6, n = 4.95 million)", "α, share of stored values", "error")
        .logarithmicY();
  }
}
