/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.seeds.directory;

import io.hbaseindex.bench.report.Docs;
import io.hbaseindex.bench.report.ErrorRate;
import io.hbaseindex.bench.report.GeneratedSections;
import io.hbaseindex.bench.report.LinePlot;
import io.hbaseindex.bench.report.MarkdownTable;
import io.hbaseindex.bench.seeds.SeedExperiment;
import io.hbaseindex.bench.seeds.StructureTable;
import io.hbaseindex.core.filter.BloomShape;
import io.hbaseindex.core.filter.InsertableFilter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;

/** Paper 003: 2,048 bits, five hash functions, 1,000 keys; Table 1 and Figures 4 to 11. */
public final class DirectoryExperiment implements SeedExperiment {
  private static final BloomShape SHAPE = new BloomShape(2048, 5);
  private static final int KEYS = 1_000;

  /** The number of keys at which the Bloom filter errs as often as the paper prints. */
  private static final int FITTING_KEYS = 727;

  private static final int GROUPS = 10;

  @Override
  public String seed() {
    return "003";
  }

  @Override
  public void run(Docs docs) {
    GeneratedSections sections = docs.sectionsOf("SEEDS.md");
    List<PaperRun> groups = new ArrayList<>();
    for (int group = 0; group < GROUPS; group++) {
      groups.add(PaperRun.of(SHAPE, KEYS, group));
    }
    sections.replace("search-table-1", tableOne(groups) + "\n" + ratePlot(docs, groups));
    Map<SearchFilterKind, ErrorRate> measured = new EnumMap<>(SearchFilterKind.class);
    for (SearchFilterKind kind : SearchFilterKind.values()) {
      measured.put(kind, measure(kind, KEYS));
    }
    sections.replace("search-errors", errorTable(measured) + "\n" + sweepPlot(docs));
    sections.replace("search-cost", costTable(groups) + "\n" + costPlots(docs, groups));
    sections.replace("summary-003", summary(measured));
  }

  private static String tableOne(List<PaperRun> groups) {
    MarkdownTable table =
        new MarkdownTable(
            "group",
            "new: paper",
            "measured",
            "random: paper",
            "measured",
            "Bloom: paper",
            "measured");
    for (int i = 0; i < GROUPS; i++) {
      PaperRun run = groups.get(i);
      table.row(
          i + 1,
          PublishedTable.NEW.group(i) + " %",
          run.newPassed() + " %",
          PublishedTable.RANDOM.group(i) + " %",
          run.randomPassed() + " %",
          PublishedTable.BLOOM.group(i) + " %",
          run.bloomPassed() + " %");
    }
    table.row(
        "average",
        PublishedTable.NEW.average() + " %",
        percent(average(groups, PaperRun::newPassed)),
        PublishedTable.RANDOM.average() + " %",
        percent(average(groups, PaperRun::randomPassed)),
        PublishedTable.BLOOM.average() + " %",
        percent(average(groups, PaperRun::bloomPassed)));
    return table.toString();
  }

  /** Figures 4 to 7: the rates of Table 1, group by group. */
  private static String ratePlot(Docs docs, List<PaperRun> groups) {
    double[] x = groupNumbers();
    return docs.plot(
        "seed-003-figures-4-7",
        new LinePlot("Figures 4 to 7: false positives by group", "group", "per cent")
            .line("new, paper", x, PublishedTable.NEW.groups())
            .line("random, paper", x, PublishedTable.RANDOM.groups())
            .line("Bloom, paper", x, PublishedTable.BLOOM.groups())
            .line("new, measured", x, values(groups, PaperRun::newPassed))
            .line("random, measured", x, values(groups, PaperRun::randomPassed))
            .line("Bloom, measured", x, values(groups, PaperRun::bloomPassed)));
  }

  private static String errorTable(Map<SearchFilterKind, ErrorRate> measured) {
    MarkdownTable table =
        new MarkdownTable(
            "filter",
            "bits",
            "paper",
            "formula",
            "measured",
            FITTING_KEYS + " keys: formula",
            "measured");
    Map<SearchFilterKind, Double> published = new EnumMap<>(SearchFilterKind.class);
    published.put(SearchFilterKind.MINIMUM_HASH, PublishedTable.NEW.average());
    published.put(SearchFilterKind.RANDOM, PublishedTable.RANDOM.average());
    published.put(SearchFilterKind.BLOOM, PublishedTable.BLOOM.average());
    measured.forEach(
        (kind, rate) ->
            table.row(
                kind.title(),
                kind.bits(SHAPE),
                published.containsKey(kind) ? published.get(kind) + " %" : "–",
                ErrorRate.format(kind.formula(SHAPE, KEYS)),
                rate,
                ErrorRate.format(kind.formula(SHAPE, FITTING_KEYS)),
                measure(kind, FITTING_KEYS)));
    return table.toString();
  }

  private static String sweepPlot(Docs docs) {
    int points = 20;
    double[] keys = new double[points];
    for (int i = 0; i < points; i++) {
      keys[i] = 100 * (i + 1);
    }
    LinePlot plot =
        new LinePlot("False positives against keys in 2,048 bits", "keys", "share of absent keys");
    for (SearchFilterKind kind :
        List.of(
            SearchFilterKind.BLOOM,
            SearchFilterKind.MINIMUM_HASH,
            SearchFilterKind.BLOOM_SAME_MEMORY)) {
      double[] rates = new double[points];
      double[] formula = new double[points];
      for (int i = 0; i < points; i++) {
        rates[i] = measure(kind, (int) keys[i]).value();
        formula[i] = kind.formula(SHAPE, (int) keys[i]);
      }
      plot.line(kind.title() + ", formula", keys, formula);
      plot.line(kind.title() + ", measured", keys, rates);
    }
    return docs.plot("seed-003-keys", plot);
  }

  private static String costTable(List<PaperRun> groups) {
    double passed = average(groups, PaperRun::newPassed);
    double compared = average(groups, PaperRun::comparisonsPerPassed);
    SearchFormulas formulas = new SearchFormulas(SHAPE, KEYS);
    return new MarkdownTable("per search", "paper", "formula", "measured")
        .row(
            "Figure 8: keys the directory compares for a false positive",
            "–",
            number(formulas.comparisons()),
            number(compared))
        .row(
            "Figures 9 and 10: as a share of the keys, new filter",
            "below 1 %",
            percent(100 * formulas.comparisons() / KEYS),
            percent(100 * compared / KEYS))
        .row("Figure 10: random and Bloom filter", "100 %", "100 %", "100 %")
        .row(
            "Figure 11: false positives times cost, new filter",
            "–",
            percent(100 * formulas.minimumHash() * formulas.comparisons() / KEYS),
            percent(passed * compared / KEYS))
        .row(
            "Figure 11: random filter",
            PublishedTable.RANDOM.average() + " %",
            percent(100 * formulas.repeatable()),
            percent(average(groups, PaperRun::randomPassed)))
        .row(
            "Figure 11: Bloom filter",
            PublishedTable.BLOOM.average() + " %",
            percent(100 * formulas.distinct()),
            percent(average(groups, PaperRun::bloomPassed)))
        .toString();
  }

  private static String costPlots(Docs docs, List<PaperRun> groups) {
    double[] x = groupNumbers();
    double[] everyKey = new double[GROUPS];
    Arrays.fill(everyKey, 100);
    String searches =
        docs.plot(
            "seed-003-figure-8",
            new LinePlot("Figure 8: keys compared for a false positive", "group", "keys")
                .line("new", x, values(groups, PaperRun::comparisonsPerPassed)));
    String cost =
        docs.plot(
            "seed-003-figures-9-10",
            new LinePlot("Figures 9 and 10: search cost", "group", "per cent of the keys")
                .logarithmicY()
                .line("new", x, values(groups, run -> 100 * run.comparisonsPerPassed() / KEYS))
                .line("random and Bloom", x, everyKey));
    String total =
        docs.plot(
            "seed-003-figure-11",
            new LinePlot("Figure 11: total search cost", "group", "per cent of the keys")
                .logarithmicY()
                .line("new", x, values(groups, run -> (double) run.comparisons() / KEYS))
                .line("random", x, values(groups, PaperRun::randomPassed))
                .line("Bloom", x, values(groups, PaperRun::bloomPassed)));
    return String.join("\n\n", searches, cost, total);
  }

  private static String summary(Map<SearchFilterKind, ErrorRate> measured) {
    StructureTable table = new StructureTable();
    String setting = " at 1,000 keys";
    Map<SearchFilterKind, String> purposes = new EnumMap<>(SearchFilterKind.class);
    purposes.put(SearchFilterKind.RANDOM, "membership; the standard Bloom filter");
    purposes.put(
        SearchFilterKind.BLOOM,
        "membership, positions of a key distinct; no better than the standard one");
    purposes.put(SearchFilterKind.RR, "membership in a square of bits; a standard one reworded");
    purposes.put(SearchFilterKind.BB, "as RR, rows and columns distinct");
    purposes.put(SearchFilterKind.BR, "as RR, rows distinct");
    purposes.put(
        SearchFilterKind.MINIMUM_HASH, "membership and an address; worse than Bloom as a filter");
    purposes.forEach(
        (kind, purpose) ->
            table.row(
                kind.title(),
                purpose,
                number((double) kind.bits(SHAPE) / KEYS),
                measured.get(kind) + setting,
                kind == SearchFilterKind.MINIMUM_HASH ? "5 bits, then 1" : "5 bits"));
    table.row(
        "minimum-hash directory",
        "exact map that turns most absent keys away unseen; cannot delete",
        number(34.0 * SHAPE.bits() / KEYS) + " + 32, two references and the key",
        "none: exact",
        number(new SearchFormulas(SHAPE, KEYS).comparisons())
            + " keys compared per false positive");
    return table.toString();
  }

  /** The rate over a hundred key sets. */
  private static ErrorRate measure(SearchFilterKind kind, int keys) {
    int sets = 100;
    int searches = 2_000;
    long wrong = 0;
    for (int set = 0; set < sets; set++) {
      SplittableRandom random = new SplittableRandom(set);
      InsertableFilter filter = kind.create(SHAPE);
      random.longs(keys).forEach(filter::insert);
      wrong += random.longs(searches).filter(filter::mightContain).count();
    }
    return new ErrorRate(wrong, (long) sets * searches);
  }

  private static double[] groupNumbers() {
    double[] numbers = new double[GROUPS];
    for (int i = 0; i < GROUPS; i++) {
      numbers[i] = i + 1;
    }
    return numbers;
  }

  private static double[] values(List<PaperRun> groups, ToDoubleFunction<PaperRun> value) {
    return groups.stream().mapToDouble(value).toArray();
  }

  private static double average(List<PaperRun> groups, ToDoubleFunction<PaperRun> value) {
    return groups.stream().mapToDouble(value).average().orElseThrow();
  }

  private static String percent(double value) {
    return String.format(Locale.ROOT, value < 1 ? "%.3f %%" : "%.1f %%", value);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }
}
