/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.phoenix;

import io.hbaseindex.bench.cluster.ClusterShape;
import io.hbaseindex.bench.report.BarPlot;
import io.hbaseindex.bench.report.MarkdownTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What was measured, as tables: a column for each contender. */
final class ComparisonTables {
  private final Samples samples;
  private final Comparison.Extent extent;

  ComparisonTables(Samples samples, Comparison.Extent extent) {
    this.samples = samples;
    this.extent = extent;
  }

  String text(ClusterShape shape) {
    return ratios()
        + "\nTimes as fast as plain HBase in the same round, %s askers; the column of plain HBase has questions or rows per second. Log and disk bytes are relative too: less is better. Median of %d rounds of %d ms, contenders in turn, after a round that does not count. %,d rows, %s. %d writers; an update moves a customer to another city; mixed: %d threads, pairs per second.\n\n"
            .formatted(
                numbers(extent.askers()),
                extent.rounds(),
                extent.millis(),
                extent.rows(),
                shape,
                Comparison.WRITERS,
                Comparison.MIXED_THREADS)
        + details()
        + "\nCPU is that of the whole process, cluster and askers, for one question; scans are calls that region servers got for one question, without those of ours to the master, and with one for each region that a gathering call of ours has read.\n";
  }

  /** How many times as fast as the first contender the others are; empty if nothing was asked. */
  Optional<BarPlot> plot(int askers) {
    List<CustomerQuestion> asked =
        Stream.of(CustomerQuestion.values())
            .filter(question -> samples.has(Samples.nameOf(question, askers)))
            .toList();
    if (asked.isEmpty()) {
      return Optional.empty();
    }
    BarPlot plot =
        new BarPlot(
                "Questions beside Phoenix, %s".formatted(Samples.askers(askers)),
                "",
                "times as fast as plain HBase")
            .logarithmicY();
    for (Contender contender : samples.contenders()) {
      if (!isBase(contender)) {
        plot.bars(
            contender.label(),
            asked.stream().map(CustomerQuestion::label).toList(),
            asked.stream()
                .map(question -> samples.ratio(Samples.nameOf(question, askers), contender))
                .toList());
      }
    }
    return Optional.of(plot);
  }

  private static String numbers(List<Integer> some) {
    return some.stream().map(String::valueOf).collect(Collectors.joining(" / "));
  }

  private MarkdownTable ratios() {
    List<String> header = new ArrayList<>(List.of(""));
    samples.contenders().forEach(contender -> header.add(contender.label()));
    MarkdownTable table = new MarkdownTable(header.toArray(String[]::new));
    for (CustomerQuestion question : CustomerQuestion.values()) {
      List<String> names =
          extent.askers().stream()
              .map(askers -> Samples.nameOf(question, askers))
              .filter(samples::has)
              .toList();
      if (!names.isEmpty()) {
        row(table, question.label(), contender -> speeds(names, contender));
      }
    }
    for (String write :
        List.of(Comparison.LOAD, Comparison.UPDATE, Comparison.UPDATE_BATCHES, Comparison.MIXED)) {
      if (samples.has(write)) {
        row(table, write, contender -> writes(write, contender));
      }
    }
    row(table, "log bytes", contender -> relative(contender, samples::logBytes));
    row(table, "disk bytes after the load", contender -> relative(contender, samples::diskBytes));
    row(
        table,
        "filters at the master, bytes per row",
        contender -> "%.1f".formatted(samples.filterBytes(contender)));
    row(
        table,
        "settled after the load, s",
        contender -> "%.1f".formatted(samples.settled(contender)));
    row(
        table,
        "turns that failed and were repeated",
        contender -> String.valueOf(samples.failures(contender)));
    return table;
  }

  private boolean isBase(Contender contender) {
    return contender == samples.contenders().get(0);
  }

  private String speeds(List<String> names, Contender contender) {
    return names.stream()
        .map(
            name ->
                isBase(contender)
                    ? "%.3g/s".formatted(samples.of(name, contender, Sample::perSecond))
                    : "%.3gx".formatted(samples.ratio(name, contender)))
        .collect(Collectors.joining(" / "));
  }

  private String writes(String name, Contender contender) {
    int each =
        name.equals(Comparison.LOAD) || name.equals(Comparison.UPDATE_BATCHES)
            ? Comparison.BATCH
            : 1;
    return isBase(contender) || name.equals(Comparison.MIXED)
        ? "%,.0f/s".formatted(each * samples.of(name, contender, Sample::perSecond))
        : "%.2fx".formatted(samples.ratio(name, contender));
  }

  private String relative(Contender contender, Function<Contender, Double> figure) {
    double own = figure.apply(contender);
    return isBase(contender)
        ? "%.0f per row".formatted(own)
        : "%.2fx".formatted(own / figure.apply(samples.contenders().get(0)));
  }

  private void row(MarkdownTable table, String label, Function<Contender, String> cell) {
    List<Object> cells = new ArrayList<>(List.of(label));
    samples.contenders().forEach(contender -> cells.add(cell.apply(contender)));
    table.row(cells.toArray());
  }

  private MarkdownTable details() {
    MarkdownTable table =
        new MarkdownTable("question", "by", "rows", "p50 ms", "p99 ms", "CPU ms", "scans");
    for (CustomerQuestion question : CustomerQuestion.values()) {
      for (int askers : extent.askers()) {
        String name = Samples.nameOf(question, askers);
        for (Contender contender :
            samples.has(name) ? samples.contenders() : List.<Contender>of()) {
          table.row(
              name,
              contender.label(),
              "%.1f".formatted(samples.of(name, contender, Sample::rowsEach)),
              "%.3f".formatted(samples.of(name, contender, sample -> sample.millis(50))),
              "%.3f".formatted(samples.of(name, contender, sample -> sample.millis(99))),
              "%.3f".formatted(samples.of(name, contender, Sample::cpuMillis)),
              "%.1f".formatted(samples.of(name, contender, Sample::callsEach)));
        }
      }
    }
    return table;
  }
}
