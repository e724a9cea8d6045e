/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.seeds.stream;

import io.hbaseindex.bench.report.Docs;
import io.hbaseindex.bench.report.ErrorRate;
import io.hbaseindex.bench.report.LinePlot;
import io.hbaseindex.bench.report.MarkdownTable;
import io.hbaseindex.bench.seeds.stream.DistinctStream.Errors;
import io.hbaseindex.seeds.timecount.filter.MbfParameters;

/** The error formulas of the paper's section 3.3 against a single filter of ten windows. */
final class FormulaExperiment {
  private final MbfParameters parameters;
  private final MbfFormulas formulas;
  private final DistinctStream stream;

  FormulaExperiment(MbfParameters parameters) {
    this.parameters = parameters;
    this.formulas = new MbfFormulas(parameters);
    this.stream = new DistinctStream(parameters, 1);
  }

  String table() {
    int windowCapacity = parameters.windowCapacity();
    int windows = parameters.windowsPerFilter();
    double bits = formulas.bitError(parameters.filterCapacity());
    double any = formulas.anyWindowError(windowCapacity, windows);
    Errors one = stream.measure(history -> {}, windowCapacity);
    Errors all = stream.measure(history -> {});
    return new MarkdownTable("error", "paper", "formula", "measured")
        .row(
            "absent element passes the bit vector",
            "P_BF",
            ErrorRate.format(bits),
            all.passedBits())
        .row(
            "present element counted too often in its own window",
            "P_CBF",
            ErrorRate.format(formulas.windowError(windowCapacity)),
            one.presentAbove())
        .row(
            "present element counted too often in " + windows + " windows",
            "P_FF = 1 − (1 − P_CBF)^l",
            ErrorRate.format(any),
            all.presentAbove())
        .row(
            "absent element counted in " + windows + " windows",
            "P_BF · (1 − (1 − P_CBF)^l)",
            ErrorRate.format(bits * any),
            all.absentCounted())
        .row("present element counted too seldom", "\"Pr(f̂ < f)\"", "0", all.presentBelow())
        .toString();
  }

  String plot(Docs docs) {
    int windows = parameters.windowsPerFilter();
    double[] x = new double[windows];
    double[] formula = new double[windows];
    double[] measured = new double[windows];
    for (int i = 0; i < windows; i++) {
      x[i] = i + 1;
      formula[i] = formulas.anyWindowError(parameters.windowCapacity(), x[i]);
      measured[i] =
          stream
              .measure(history -> {}, (long) parameters.windowCapacity() * (i + 1))
              .presentAbove()
              .value();
    }
    return docs.plot(
        "seed-002-windows",
        new LinePlot("Present elements counted too often", "windows asked for", "share of elements")
            .line("1 − (1 − P)^l", x, formula)
            .line("measured", x, measured));
  }
}
