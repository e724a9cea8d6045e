package io.hbaseindex.bench.seeds.matrix;

import io.hbaseindex.bench.report.Docs;
import io.hbaseindex.bench.report.ErrorRate;
import io.hbaseindex.bench.report.LinePlot;
import io.hbaseindex.bench.report.MarkdownTable;
import io.hbaseindex.bench.tuple.ErrorMeter;
import io.hbaseindex.bench.tuple.IntegerTuples;
import io.hbaseindex.bench.tuple.Structure;
import io.hbaseindex.core.tuple.AttributeSet;
import io.hbaseindex.core.tuple.TupleFilter;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/**
 * What the paper's comparison lacks: error against the number of elements at equal memory, and so
 * how many elements each structure holds before it errs too often.
 *
 * <p>All queries are recombined from stored values (α = 1), the hardest case and the one for which
 * one would build a matrix at all.
 */
final class CapacityFigure {
  private static final int QUERIES = 50_000;
  private static final double TOLERATED = 0.01;

  /** 2 MiB, an eighth of the paper's memory: no conclusion changes, and more fits into an hour. */
  private static final long BITS = 2L << 23;

  /** The element counts at which the error is measured, from 64 to 2^21. */
  private static final int STEPS = 31;

  private final IntegerTuples tuples = new IntegerTuples(Structure.ATTRIBUTES);
  private final ErrorMeter meter = new ErrorMeter(tuples);
  private final Map<Structure, Capacity> capacities = new EnumMap<>(Structure.class);

  /** The most elements, of those tried, at which a structure erred at most at 1 %; 0 if never. */
  record Capacity(Point full, Point pair) {}

  record Point(int elements, ErrorRate error) {
    static final Point NEVER = new Point(0, new ErrorRate(1, 1));

    String bitsPerElement() {
      return elements == 0
          ? "never"
          : String.format(Locale.ROOT, "%,d", Math.round((double) BITS / elements));
    }
  }

  String run(Docs docs) {
    LinePlot fullPlot = plot("Full tuples recombined from stored values");
    LinePlot pairPlot = plot("Pairs recombined from stored values");
    MarkdownTable table =
        new MarkdownTable(
            "structure", "elements, full tuples", "bits each", "elements, pairs", "bits each");
    for (Structure structure : Structure.values()) {
      fill(structure, fullPlot, pairPlot);
      Capacity capacity = capacities.get(structure);
      table.row(
          structure,
          String.format(Locale.ROOT, "%,d", capacity.full().elements()),
          capacity.full().bitsPerElement(),
          String.format(Locale.ROOT, "%,d", capacity.pair().elements()),
          capacity.pair().bitsPerElement());
    }
    return table
        + "\n"
        + docs.plot("000-capacity-full", fullPlot)
        + "\n"
        + docs.plot("000-capacity-pair", pairPlot);
  }

  Capacity capacity(Structure structure) {
    return capacities.get(structure);
  }

  private void fill(Structure structure, LinePlot fullPlot, LinePlot pairPlot) {
    TupleFilter filter = structure.create(BITS, PaperSetting.HASHES);
    double[] counts = new double[STEPS];
    double[] fullErrors = new double[STEPS];
    double[] pairErrors = new double[STEPS];
    Point full = Point.NEVER;
    Point pair = Point.NEVER;
    int inserted = 0;
    for (int step = 0; step < STEPS; step++) {
      int elements = (int) Math.round(64 * Math.pow(2, step / 2.0));
      for (; inserted < elements; inserted++) {
        filter.insert(tuples.tuple(inserted));
      }
      ErrorRate fullError = measure(filter, Structure.ALL, elements);
      ErrorRate pairError = measure(filter, Structure.PAIR, elements);
      full = fullError.value() <= TOLERATED ? new Point(elements, fullError) : full;
      pair = pairError.value() <= TOLERATED ? new Point(elements, pairError) : pair;
      counts[step] = elements;
      fullErrors[step] = fullError.value();
      pairErrors[step] = pairError.value();
    }
    capacities.put(structure, new Capacity(full, pair));
    fullPlot.line(structure.name(), counts, fullErrors);
    if (structure != Structure.SBF && structure != Structure.VECTOR) {
      pairPlot.line(structure.name(), counts, pairErrors);
    }
  }

  private ErrorRate measure(TupleFilter filter, AttributeSet given, int elements) {
    return meter.measure(filter, given, elements, 1, QUERIES);
  }

  private static LinePlot plot(String what) {
    return new LinePlot(what + " (2 MiB, k = 6)", "elements", "error")
        .logarithmicX()
        .logarithmicY();
  }
}
