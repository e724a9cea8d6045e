/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.seeds.splitcounting;

import io.hbaseindex.bench.report.Docs;
import io.hbaseindex.bench.report.GeneratedSections;
import io.hbaseindex.bench.report.MarkdownTable;
import io.hbaseindex.bench.seeds.SeedExperiment;
import io.hbaseindex.core.filter.FilterChangeListener;
import io.hbaseindex.core.filter.FilterGeometry;
import io.hbaseindex.core.filter.MembershipFilter;
import io.hbaseindex.core.filter.ScalableSplitCountingBloomFilter;
import io.hbaseindex.core.filter.SizeClass;
import io.hbaseindex.core.filter.SplitCountingBloomFilter;
import java.util.Locale;
import java.util.SplittableRandom;

/** Reruns Tables 1 to 4 of the split counting filter's paper, and what it leaves open: growth. */
public final class SplitCountingExperiment implements SeedExperiment {
  private static final double LN2 = Math.log(2);
  private static final long PUBLISHED_CELLS = 45 * 1024 * 8;
  private static final int OVERFLOW_FILTERS = 300;
  private static final int ENOUGH_FALSE_POSITIVES = 2000;
  private static final int[] OVERFLOWS = {2, 4, 8, 16, 32};
  private static final double[] PUBLISHED_SPLIT = {0.03388, 1.80e-4, 4.48e-10, 1.54e-23, 3.89e-55};
  private static final double[] PUBLISHED_COUNTING = {0.1534, 5.56e-3, 7.15e-7, 2.22e-16};

  @Override
  public String seed() {
    return "004";
  }

  @Override
  public void run(Docs docs) {
    GeneratedSections sections = docs.sectionsOf("SEEDS.md");
    sections.replace("004-table-1", parameters());
    sections.replace("004-table-2", overflow(true, PUBLISHED_SPLIT));
    sections.replace("004-table-4", overflow(false, PUBLISHED_COUNTING));
    sections.replace("004-growth", growth());
  }

  private static String parameters() {
    double[] errors = {1e-3, 1e-4, 1e-5, 1e-6};
    String[] published = {
      "10 / 36,864 / 25,639", "14 / 26,331 / 19,229", "17 / 21,684 / 15,383", "20 / 18,432 / 12,819"
    };
    MarkdownTable table =
        new MarkdownTable(
            "error",
            "paper: k / m / n",
            "n by M(ln 2)²/ln(1/P)",
            "n = m ln 2",
            "n measured",
            "error measured");
    for (int at = 0; at < errors.length; at++) {
      double error = errors[at];
      int slices = (int) Math.ceil(-Math.log(error) / LN2);
      SplitCountingBloomFilter filter = SplitCountingBloomFilter.forBits(PUBLISHED_CELLS, slices);
      SplittableRandom random = new SplittableRandom(at);
      long inserted = 0;
      while (filter.fill() < 0.5) {
        filter.insert(random.nextLong());
        inserted++;
      }
      double byErrorRate = PUBLISHED_CELLS * LN2 * LN2 / -Math.log(error);
      table.row(
          percent(error),
          published[at],
          whole(byErrorRate),
          whole(filter.sizeClass().slots() * LN2),
          whole(inserted),
          percent(measuredError(filter, random)));
    }
    return table.toString();
  }

  /** The published example: an error of 0.1 %, k = 10, 36,864 slots a slice, half full. */
  private static String overflow(boolean split, double[] published) {
    SizeClass shape = SizeClass.forBits(PUBLISHED_CELLS, 10);
    long elements = shape.capacity();
    double[] measured =
        CounterOverflow.measured(shape, elements, split, OVERFLOW_FILTERS, OVERFLOWS);
    MarkdownTable table =
        new MarkdownTable(
            "counter bits",
            "overflows at",
            "paper",
            "(ln 2/j)^j/√2πj",
            "(e ln 2/j)^j/√2πj",
            "exact",
            "Poisson tail",
            "measured");
    for (int at = 0; at < published.length; at++) {
      int j = OVERFLOWS[at];
      double exact =
          split
              ? CounterOverflow.binomialTail(elements, 1.0 / shape.slots(), j)
              : CounterOverflow.binomialTail(elements * shape.slices(), 1.0 / shape.cells(), j);
      table.row(
          at + 1,
          j,
          scientific(published[at]),
          scientific(CounterOverflow.boundWithoutE(j)),
          scientific(CounterOverflow.bound(j)),
          scientific(exact),
          scientific(CounterOverflow.poissonTail(LN2, j)),
          measured[at] == 0 ? "none seen" : scientific(measured[at]));
    }
    return table
        + String.format(
            Locale.ROOT, "%nMeasured over %,d cells.%n", OVERFLOW_FILTERS * shape.cells());
  }

  private static String growth() {
    MarkdownTable table =
        new MarkdownTable(
            "chain",
            "elements / first capacity",
            "segments",
            "error by formula",
            "error measured",
            "bits per element",
            "right after growing");
    long first = 1000;
    for (int times : new int[] {1, 4, 16, 64}) {
      growthRow(table, "equal segments of 0.1 %", FilterGeometry.equalSegments(first, 1e-3), times);
    }
    for (int times : new int[] {1, 7, 31, 127}) {
      growthRow(table, "doubling, 0.1 % in all", FilterGeometry.doubling(first, 1e-3), times);
    }
    for (int times : new int[] {1, 7, 31, 127}) {
      growthRow(table, "doubling, 0.01 % in all", FilterGeometry.doubling(first, 1e-4), times);
    }
    return table.toString();
  }

  /** Fills the chain to the brim of its last segment, measures, and lets it grow once more. */
  private static void growthRow(
      MarkdownTable table, String name, FilterGeometry geometry, int times) {
    ScalableSplitCountingBloomFilter filter =
        new ScalableSplitCountingBloomFilter(geometry, FilterChangeListener.NONE);
    SplittableRandom random = new SplittableRandom(times);
    long inserted = 0;
    while (inserted < 0.9 * times * geometry.firstCapacity()) {
      filter.insert(random.nextLong());
      inserted++;
    }
    int segments = filter.segmentCount();
    long cells = filter.cells();
    double formula = filter.currentError();
    while (filter.segmentCount() == segments) {
      formula = filter.currentError();
      filter.insert(random.nextLong());
      inserted++;
    }
    // The one element in the new segment adds nothing to the error.
    double measured = measuredError(filter, random);
    table.row(
        name,
        String.format(Locale.ROOT, "%.1f", (double) (inserted - 1) / geometry.firstCapacity()),
        segments,
        percent(formula),
        percent(measured),
        String.format(Locale.ROOT, "%.1f", (double) cells / (inserted - 1)),
        String.format(Locale.ROOT, "%.1f", (double) filter.cells() / inserted));
  }

  private static double measuredError(MembershipFilter filter, SplittableRandom random) {
    long asked = 0;
    for (int found = 0; found < ENOUGH_FALSE_POSITIVES; asked++) {
      if (filter.mightContain(random.nextLong())) {
        found++;
      }
    }
    return (double) ENOUGH_FALSE_POSITIVES / asked;
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.4g %%", 100 * share);
  }

  private static String whole(double value) {
    return String.format(Locale.ROOT, "%,.0f", value);
  }

  private static String scientific(double value) {
    return String.format(Locale.ROOT, "%.2e", value);
  }
}
