/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.seeds.matrix;

import io.hbaseindex.bench.report.Docs;
import io.hbaseindex.bench.report.ErrorRate;
import io.hbaseindex.bench.report.LinePlot;
import io.hbaseindex.bench.report.MarkdownTable;
import io.hbaseindex.bench.tuple.ErrorMeter;
import io.hbaseindex.bench.tuple.IntegerTuples;
import io.hbaseindex.bench.tuple.Structure;
import io.hbaseindex.seeds.tuple.AttributeSet;
import io.hbaseindex.seeds.tuple.PartialMatchFilter;
import io.hbaseindex.seeds.tuple.TupleFilter;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

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

  /** 2 MiB, an eighth of the paper's memory: the curves move together, and the run is shorter. */
  private static final long BITS = 2L << 23;

  /** The element counts at which the error is measured, in steps of √2 from 64 to 2^21. */
  private static final int STEPS = 31;

  private final Map<Structure, Curve> full = new EnumMap<>(Structure.class);
  private final Map<Structure, Curve> pair = new EnumMap<>(Structure.class);

  private CapacityFigure() {}

  /** Fills every structure and measures its errors on the way. */
  static CapacityFigure measure() {
    CapacityFigure figure = new CapacityFigure();
    IntegerTuples tuples = new IntegerTuples(Structure.ATTRIBUTES);
    for (Structure structure : Structure.values()) {
      figure.fill(structure, tuples);
    }
    return figure;
  }

  private void fill(Structure structure, IntegerTuples tuples) {
    TupleFilter filter = structure.create(BITS, PaperSetting.HASHES);
    full.put(structure, new Curve(new TreeMap<>()));
    pair.put(structure, new Curve(new TreeMap<>()));
    int inserted = 0;
    for (int step = 0; step < STEPS; step++) {
      int elements = (int) Math.round(64 * Math.pow(2, step / 2.0));
      for (; inserted < elements; inserted++) {
        filter.insert(tuples.tuple(inserted));
      }
      full.get(structure).errors().put(elements, error(tuples, filter, Structure.ALL, elements));
      if (filter instanceof PartialMatchFilter) {
        pair.get(structure).errors().put(elements, error(tuples, filter, Structure.PAIR, elements));
      }
    }
  }

  private static ErrorRate error(
      IntegerTuples tuples, TupleFilter filter, AttributeSet given, int elements) {
    return new ErrorMeter(tuples).measure(filter, given, elements, 1, QUERIES);
  }

  /** Errors by number of elements; none for a structure that cannot be asked. */
  record Curve(SortedMap<Integer, ErrorRate> errors) {
    /** The most elements tried at which the error is tolerable; 0 if it never is. */
    int capacity() {
      return errors.entrySet().stream()
          .filter(point -> point.getValue().value() <= TOLERATED)
          .mapToInt(Map.Entry::getKey)
          .max()
          .orElse(0);
    }

    String bitsPerElement() {
      return capacity() == 0
          ? "never"
          : String.format(Locale.ROOT, "%,d", Math.round((double) BITS / capacity()));
    }

    String errorAtCapacity() {
      return capacity() == 0 ? ErrorRate.format(1) : errors.get(capacity()).toString();
    }

    private void draw(String name, LinePlot plot) {
      if (!errors.isEmpty()) {
        plot.line(
            name,
            errors.keySet().stream().mapToDouble(Integer::doubleValue).toArray(),
            errors.values().stream().mapToDouble(ErrorRate::value).toArray());
      }
    }
  }

  /** The curve for full tuples. */
  Curve full(Structure structure) {
    return full.get(structure);
  }

  /** The curve for {@link Structure#PAIR}. */
  Curve pair(Structure structure) {
    return pair.get(structure);
  }

  String section(Docs docs) {
    LinePlot fullPlot = plot("Full tuples recombined from stored values");
    LinePlot pairPlot = plot("Pairs recombined from stored values");
    MarkdownTable table =
        new MarkdownTable(
            "structure", "elements, full tuples", "bits each", "elements, pairs", "bits each");
    for (Structure structure : Structure.values()) {
      Curve fullCurve = full(structure);
      Curve pairCurve = pair(structure);
      fullCurve.draw(structure.name(), fullPlot);
      pairCurve.draw(structure.name(), pairPlot);
      table.row(
          structure,
          String.format(Locale.ROOT, "%,d", fullCurve.capacity()),
          fullCurve.bitsPerElement(),
          String.format(Locale.ROOT, "%,d", pairCurve.capacity()),
          pairCurve.bitsPerElement());
    }
    return table
        + "\n"
        + docs.plot("000-capacity-full", fullPlot)
        + "\n"
        + docs.plot("000-capacity-pair", pairPlot);
  }

  private static LinePlot plot(String what) {
    return new LinePlot(what + " (2 MiB, k = 6)", "elements", "error")
        .logarithmicX()
        .logarithmicY();
  }
}
