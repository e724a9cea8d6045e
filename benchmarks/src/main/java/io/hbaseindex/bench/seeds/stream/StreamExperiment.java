/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.seeds.stream;

import io.hbaseindex.bench.report.Docs;
import io.hbaseindex.bench.report.GeneratedSections;
import io.hbaseindex.bench.seeds.SeedExperiment;
import io.hbaseindex.bench.seeds.StructureTable;
import io.hbaseindex.seeds.timecount.filter.MbfParameters;
import java.util.List;
import java.util.Locale;

/**
 * Paper 002. It has formulas and no experiment; its example cuts the stream into windows of ten
 * thousand elements and groups of ten windows, which is what is run here. Errors it leaves open.
 */
public final class StreamExperiment implements SeedExperiment {
  private static final int WINDOW = 10_000;
  private static final int WINDOWS = 10;

  /** Six hashes on both levels: errors large enough to be measured well. */
  private static final double LARGE_ERROR = 1.0 / 64;

  private static final double SMALL_ERROR = 0.01;

  @Override
  public String seed() {
    return "002";
  }

  @Override
  public void run(Docs docs) {
    GeneratedSections sections = docs.sectionsOf("SEEDS.md");
    MbfParameters large = MbfParameters.forErrors(WINDOW, WINDOWS, LARGE_ERROR, LARGE_ERROR);
    FormulaExperiment formulas = new FormulaExperiment(large);
    sections.replace(
        "mbf-formulas", describe(large) + formulas.table() + "\n" + formulas.plot(docs));
    CompressionExperiment compression = new CompressionExperiment(large);
    sections.replace("mbf-merged-windows", compression.windows(docs));
    sections.replace("mbf-joined-filters", compression.filters(docs));
    MbfParameters small = MbfParameters.forErrors(WINDOW, WINDOWS, SMALL_ERROR, SMALL_ERROR);
    SkewedStreamExperiment skewed = new SkewedStreamExperiment(small);
    List<SkewedStreamExperiment.Row> rows = skewed.run();
    sections.replace(
        "mbf-skewed",
        describe(small)
            + describe(skewed)
            + SkewedStreamExperiment.table(rows)
            + exactLists(small, skewed.distinctPerWindow()));
    sections.replace("summary-002", summary(small, rows.get(0)));
  }

  private static String summary(MbfParameters p, SkewedStreamExperiment.Row row) {
    return new StructureTable()
        .row(
            "MBF",
            "how often an element occurred within any span of the past; cannot delete",
            String.format(Locale.ROOT, "%.0f per event", row.bitsPerEvent()),
            row.inexact() + " of counts too high, none too low",
            "%d bits per group of %d windows, then %d counters per window"
                .formatted(p.bitHashes(), p.windowsPerFilter(), p.counterHashes()))
        .toString();
  }

  private static String describe(MbfParameters p) {
    return String.format(
        Locale.ROOT,
        "n₂ = %,d, l = %d; k₂ = %d, m₂ = %,d counters of %d bits; k₁ = %d, m₁ = %,d bits.%n%n",
        p.windowCapacity(),
        p.windowsPerFilter(),
        p.counterHashes(),
        p.counters(),
        p.counterWidth(),
        p.bitHashes(),
        p.bits());
  }

  /** What the exact counts themselves would take, which the paper does not ask. */
  private static String exactLists(MbfParameters p, double distinctPerWindow) {
    return String.format(
        Locale.ROOT,
        "%nAn exact list per window of 64-bit hashes with %d-bit counts: %.0f bits per event.%n",
        p.counterWidth(),
        (Long.SIZE + p.counterWidth()) * distinctPerWindow / p.windowCapacity());
  }

  private static String describe(SkewedStreamExperiment skewed) {
    return String.format(
        Locale.ROOT,
        "%,d events of %,d elements, Zipf with exponent %.1f: %,.0f different ones in a window.%n%n",
        SkewedStreamExperiment.EVENTS,
        SkewedStreamExperiment.ELEMENTS,
        SkewedStreamExperiment.EXPONENT,
        skewed.distinctPerWindow());
  }
}
