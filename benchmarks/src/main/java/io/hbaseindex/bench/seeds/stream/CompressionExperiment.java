/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.seeds.stream;

import io.hbaseindex.bench.report.Docs;
import io.hbaseindex.bench.report.ErrorRate;
import io.hbaseindex.bench.report.LinePlot;
import io.hbaseindex.bench.report.MarkdownTable;
import io.hbaseindex.bench.seeds.stream.DistinctStream.Errors;
import io.hbaseindex.seeds.timecount.filter.MbfParameters;
import java.util.Locale;

/** The paper's section 5: what the two ways to save room do to the errors. */
final class CompressionExperiment {
  private static final int MERGES = 4;

  private final MbfParameters parameters;
  private final MbfFormulas formulas;

  CompressionExperiment(MbfParameters parameters) {
    this.parameters = parameters;
    this.formulas = new MbfFormulas(parameters);
  }

  /** Adds up neighbouring windows again and again, down to one. */
  String windows(Docs docs) {
    MarkdownTable table =
        new MarkdownTable(
            "windows", "counted too often: paper", "formula", "measured", "bytes per event");
    double[] left = new double[MERGES + 1];
    double[] paper = new double[MERGES + 1];
    double[] formula = new double[MERGES + 1];
    double[] measured = new double[MERGES + 1];
    DistinctStream stream = new DistinctStream(parameters, 1);
    double claimed =
        formulas.anyWindowError(parameters.windowCapacity(), parameters.windowsPerFilter());
    for (int merges = 0; merges <= MERGES; merges++) {
      int times = merges;
      Errors errors = stream.measure(history -> repeat(times, history::mergeWindows));
      left[merges] = (parameters.windowsPerFilter() + (1 << merges) - 1) >> merges;
      paper[merges] = claimed;
      formula[merges] = mergedError(1 << merges);
      measured[merges] = errors.presentAbove().value();
      table.row(
          (int) left[merges],
          ErrorRate.format(claimed),
          ErrorRate.format(formula[merges]),
          errors.presentAbove(),
          bytesPerEvent(errors, 1));
    }
    return table
        + "\n"
        + docs.plot(
            "seed-002-merged-windows",
            new LinePlot(
                    "Merging neighbouring windows of one filter",
                    "windows left of ten",
                    "share counted too often")
                .line("paper: unchanged", left, paper)
                .line("formula with the fuller windows", left, formula)
                .line("measured", left, measured));
  }

  /**
   * The error with {@code merged} windows in one, and a last, shorter one where they do not fit.
   */
  private double mergedError(int merged) {
    int windows = parameters.windowsPerFilter();
    double right = 1;
    for (int from = 0; from < windows; from += merged) {
      int together = Math.min(merged, windows - from);
      right *= 1 - formulas.windowError((double) together * parameters.windowCapacity());
    }
    return 1 - right;
  }

  /** Joins eight filters to four, two and one. */
  String filters(Docs docs) {
    int filters = 8;
    int steps = 3;
    MarkdownTable table =
        new MarkdownTable(
            "filters joined",
            "bit vector passes absent: formula",
            "measured",
            "absent counted: formula",
            "measured",
            "present counted too often",
            "bytes per event");
    double[] joined = new double[steps + 1];
    double[] formula = new double[steps + 1];
    double[] measured = new double[steps + 1];
    DistinctStream stream = new DistinctStream(parameters, filters);
    for (int step = 0; step <= steps; step++) {
      int times = step;
      // The time of the first filter, so that every row asks for the same windows.
      Errors errors =
          stream.measure(
              history -> repeat(times, history::mergeFilters), parameters.filterCapacity());
      joined[step] = 1 << step;
      double bits = formulas.bitError(joined[step] * parameters.filterCapacity());
      formula[step] =
          bits
              * formulas.anyWindowError(parameters.windowCapacity(), parameters.windowsPerFilter());
      measured[step] = errors.absentCounted().value();
      table.row(
          1 << step,
          ErrorRate.format(bits),
          errors.passedBits(),
          ErrorRate.format(formula[step]),
          errors.absentCounted(),
          errors.presentAbove(),
          bytesPerEvent(errors, filters));
    }
    return table
        + "\n"
        + docs.plot(
            "seed-002-joined-filters",
            new LinePlot(
                    "Joining filters below one bit vector",
                    "filters joined",
                    "share of absent elements counted")
                .logarithmicY()
                .line("formula", joined, formula)
                .line("measured", joined, measured));
  }

  private String bytesPerEvent(Errors errors, int filters) {
    double events = (double) parameters.filterCapacity() * filters;
    return String.format(Locale.ROOT, "%.1f", errors.storedBytes() / events);
  }

  private static void repeat(int times, Runnable step) {
    for (int i = 0; i < times; i++) {
      step.run();
    }
  }
}
