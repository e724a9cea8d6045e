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
import io.hbaseindex.seeds.tuple.CutBloomFilterMatrix;
import io.hbaseindex.seeds.tuple.MatrixLayout;
import io.hbaseindex.seeds.tuple.MemoryLimit;
import io.hbaseindex.seeds.tuple.TupleFilter;
import java.util.List;

/** Figure 9: what longer axes for two of the three attributes do at equal memory. */
final class WeightFigure {
  private static final int QUERIES = 1_000_000;

  /** Full tuples err so rarely that it takes more queries to see it. */
  private static final int FULL_QUERIES = 5_000_000;

  /** Queries hold unknown values only, as in the paper's first experiment at α = 0. */
  private static final double ALPHA = 0;

  private static final double[] WEIGHTS = {1, 2, 4, 8, 16};
  private static final List<AttributeSet> CUTS = List.of(AttributeSet.of(0, 2));
  private static final AttributeSet OTHER_PAIR = AttributeSet.of(0, 1);

  private final IntegerTuples tuples = new IntegerTuples(Structure.ATTRIBUTES);
  private final ErrorMeter meter = new ErrorMeter(tuples);

  String run(Docs docs) {
    MarkdownTable table =
        new MarkdownTable(
            "weights",
            "axes",
            "weighted pair: formula",
            "measured",
            "other kept pair: formula",
            "measured",
            "full: formula",
            "measured");
    double[] pair = new double[WEIGHTS.length];
    double[] otherPair = new double[WEIGHTS.length];
    double[] full = new double[WEIGHTS.length];
    for (int i = 0; i < WEIGHTS.length; i++) {
      double weight = WEIGHTS[i];
      MatrixLayout layout =
          MatrixLayout.within(PaperSetting.BITS, new double[] {1, weight, weight}, CUTS);
      TupleFilter filter = filled(layout);
      ErrorRate pairError = measure(filter, Structure.PAIR, QUERIES);
      ErrorRate otherError = measure(filter, OTHER_PAIR, QUERIES);
      ErrorRate fullError = measure(filter, Structure.ALL, FULL_QUERIES);
      pair[i] = pairError.value();
      otherPair[i] = otherError.value();
      full[i] = fullError.value();
      table.row(
          "1 : %.0f : %.0f".formatted(weight, weight),
          "%,d × %,d × %,d"
              .formatted(layout.axisLength(0), layout.axisLength(1), layout.axisLength(2)),
          expected(layout, Structure.PAIR),
          pairError,
          expected(layout, OTHER_PAIR),
          otherError,
          expected(layout, Structure.ALL),
          fullError);
    }
    LinePlot plot =
        new LinePlot(
                "Weighted axes (16 MiB, k = 6, n = 4.95 million)",
                "weight of the last two attributes against the first",
                "error")
            .logarithmicX()
            .logarithmicY()
            .line("weighted pair", WEIGHTS, pair)
            .line("other kept pair", WEIGHTS, otherPair)
            .line("full tuple", WEIGHTS, full);
    return table + "\n" + docs.plot("000-figure-9", plot);
  }

  private TupleFilter filled(MatrixLayout layout) {
    TupleFilter filter =
        new CutBloomFilterMatrix(layout, PaperSetting.HASHES, new MemoryLimit(PaperSetting.BITS));
    for (int i = 0; i < PaperSetting.ELEMENTS; i++) {
      filter.insert(tuples.tuple(i));
    }
    return filter;
  }

  private ErrorRate measure(TupleFilter filter, AttributeSet given, int queries) {
    return meter.measure(filter, given, PaperSetting.ELEMENTS, ALPHA, queries);
  }

  private static String expected(MatrixLayout layout, AttributeSet given) {
    Load load = new Load(PaperSetting.BITS, PaperSetting.HASHES, PaperSetting.ELEMENTS, ALPHA);
    return ErrorRate.format(load.errorOfMatrix(layout, given));
  }
}
