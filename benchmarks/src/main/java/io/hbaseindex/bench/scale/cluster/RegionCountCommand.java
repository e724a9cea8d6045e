/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.scale.cluster;

import io.hbaseindex.bench.cluster.BenchCluster;
import io.hbaseindex.bench.cluster.RoutedValues;
import io.hbaseindex.bench.report.Docs;
import io.hbaseindex.bench.report.LinePlot;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Asks tables of few and of many regions the same questions, in rounds that rotate. */
@Command(
    name = "cluster",
    description =
        "Measures queries and puts against the number of regions, on a cluster in this process.")
public final class RegionCountCommand implements Callable<Integer> {
  /** A thousand memstores of chunks of two megabytes would not fit; rows are few and small. */
  static final Map<String, String> MANY_REGIONS =
      Map.of(
          "hbase.hregion.memstore.mslab.enabled", "false",
          "hbase.client.sync.wait.timeout.msec", "1800000",
          "hbase.rpc.timeout", "600000",
          "hbase.client.operation.timeout", "1200000");

  @Spec private CommandSpec spec;

  @Option(
      names = "--regions",
      split = ",",
      defaultValue = "12,120,1200",
      description = "Regions of each table; ${DEFAULT-VALUE}.")
  private List<Integer> regions;

  @Option(names = "--servers", defaultValue = "2", description = "Servers; ${DEFAULT-VALUE}.")
  private int servers;

  @Option(
      names = "--rows",
      defaultValue = "12000",
      description = "Rows of each table; ${DEFAULT-VALUE}.")
  private int rows;

  @Option(
      names = "--rounds",
      defaultValue = "5",
      description = "Rounds, and one before that warms up; ${DEFAULT-VALUE}.")
  private int rounds;

  @Option(
      names = "--questions",
      defaultValue = "200",
      description = "Questions of each kind to each table in a round; ${DEFAULT-VALUE}.")
  private int questions;

  @Option(
      names = "--section",
      paramLabel = "NAME",
      description =
          "Write the table into the section of that name of docs/SCALE.md, and a plot beside it.")
  private String section;

  @Option(
      names = "--docs",
      paramLabel = "DIR",
      required = true,
      defaultValue = "${sys:bench.docs}",
      description = "Where SCALE.md is; default: docs of this source tree.")
  private Path docs;

  private Map<String, Long> openBefore = Map.of();
  private String openTimes;

  @Override
  public Integer call() throws Exception {
    check();
    List<RegionCountRun> runs = new ArrayList<>();
    try (BenchCluster cluster = BenchCluster.startRouting(servers, MANY_REGIONS)) {
      for (int count : regions) {
        System.err.printf("creating a table of %,d regions%n", count);
        RoutedValues table = RoutedValues.create(cluster, "values" + count, rows, count);
        table.load(rows, 2);
        cluster.flush(table.name());
        runs.add(new RegionCountRun(cluster, table, count, rows));
      }
      for (RegionCountRun run : runs) {
        System.err.printf("waiting until %,d regions are precise%n", run.regions());
        run.table().awaitPrecise();
        run.warmUp();
      }
      for (int round = 0; round <= rounds; round++) {
        if (round == 1) {
          openBefore = OpenRegionTimes.now();
        }
        System.err.printf("round %d of %d%n", round, rounds);
        for (RegionQuestion question : RegionQuestion.values()) {
          ask(runs, question, round > 0);
        }
      }
      openTimes = OpenRegionTimes.since(openBefore);
      for (RegionCountRun run : runs) {
        run.close();
      }
    }
    report(runs);
    return 0;
  }

  /** One question to each table in turn, so that whatever else the machine does hits all alike. */
  private void ask(List<RegionCountRun> runs, RegionQuestion question, boolean counted)
      throws IOException {
    for (RegionCountRun run : runs) {
      run.begin();
    }
    for (int number = 0; number < questions; number++) {
      for (int i = 0; i < runs.size(); i++) {
        runs.get((i + number) % runs.size()).ask(question);
      }
    }
    for (RegionCountRun run : runs) {
      System.err.printf("  %s, %,d regions: %s%n", question.label(), run.regions(), run.counted());
      run.end(question, counted);
    }
  }

  private void check() {
    if (rows < 1 || rounds < 1 || questions < 1 || servers < 1) {
      throw new ParameterException(
          spec.commandLine(),
          "Cannot measure: --rows, --rounds, --questions and --servers must be positive");
    }
    for (int count : regions) {
      if (count < 1 || count > rows) {
        throw new ParameterException(
            spec.commandLine(),
            "Cannot measure: --regions was %d; it must lie between 1 and --rows, %d"
                .formatted(count, rows));
      }
    }
  }

  private void report(List<RegionCountRun> runs) {
    String text = RegionCountRun.table(runs) + "\n" + note();
    System.out.println(text);
    if (section != null) {
      Docs target = new Docs(docs);
      String plot = target.plot(section, plot(runs));
      target.sectionsOf("SCALE.md").replace(section, text + "\n\n" + plot);
    }
  }

  private static LinePlot plot(List<RegionCountRun> runs) {
    LinePlot plot =
        new LinePlot("Cost against the number of regions", "regions", "ms, p50").logarithmicX();
    double[] counts = runs.stream().mapToDouble(RegionCountRun::regions).toArray();
    Map<RegionQuestion, double[]> medians = new EnumMap<>(RegionQuestion.class);
    for (RegionQuestion question : RegionQuestion.values()) {
      medians.put(question, runs.stream().mapToDouble(run -> run.p50Millis(question)).toArray());
    }
    medians.forEach((question, values) -> plot.line(question.label(), counts, values));
    return plot;
  }

  private String note() {
    return ("%,d rows in each table, %d servers in one process, %d processors; medians of %d rounds"
            + " of %d questions each, one to each table in turn. Ratios are those to the first"
            + " table in the same round, in the median. Regions scanned and routes are the"
            + " servers' own counts. Meanwhile %s.")
        .formatted(
            rows,
            servers,
            Runtime.getRuntime().availableProcessors(),
            rounds,
            questions,
            openTimes);
  }
}
