package io.hbaseindex.bench.cluster;

import io.hbaseindex.bench.report.Docs;
import io.hbaseindex.bench.report.MarkdownTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * What indexes cost writers: every round loads and updates one fresh table of each variant, in an
 * order that rotates, and is judged by its own plain table. The first rounds only warm up.
 */
@Command(name = "write", description = "Loads and updates tables with and without indexes.")
public final class WriteCostCommand implements Callable<Integer> {
  private static final String SECTION = "cluster-write";

  @Option(names = "--rows", defaultValue = "100000", description = "Rows; ${DEFAULT-VALUE}.")
  private int rows;

  @Option(names = "--regions", defaultValue = "12", description = "Regions; ${DEFAULT-VALUE}.")
  private int regions;

  @Option(names = "--servers", defaultValue = "3", description = "Servers; ${DEFAULT-VALUE}.")
  private int servers;

  @Option(names = "--threads", defaultValue = "4", description = "Writers; ${DEFAULT-VALUE}.")
  private int threads;

  @Option(names = "--warm-up", defaultValue = "1", description = "Rounds; ${DEFAULT-VALUE}.")
  private int warmUpRounds;

  @Option(names = "--rounds", defaultValue = "3", description = "Rounds; ${DEFAULT-VALUE}.")
  private int rounds;

  @Option(names = "--write-docs", description = "Write the table into docs/BENCHMARKS.md.")
  private boolean writeDocs;

  @Option(
      names = "--docs",
      paramLabel = "DIR",
      required = true,
      defaultValue = "${sys:bench.docs}",
      description = "Where BENCHMARKS.md is; default: docs of this source tree.")
  private Path docs;

  @Override
  public Integer call() throws Exception {
    Map<WriteVariant, List<WriteRun.Result>> results = new EnumMap<>(WriteVariant.class);
    try (BenchCluster cluster = BenchCluster.start(servers)) {
      WriteRun run = new WriteRun(cluster, rows, regions, threads);
      WriteVariant[] variants = WriteVariant.values();
      for (int round = 0; round < warmUpRounds + rounds; round++) {
        for (int i = 0; i < variants.length; i++) {
          WriteVariant variant = variants[(i + round) % variants.length];
          WriteRun.Result result = run.run(variant, round);
          System.out.printf("round %d, %s: %s%n", round, variant.label(), result);
          if (round >= warmUpRounds) {
            results.computeIfAbsent(variant, v -> new ArrayList<>()).add(result);
          }
        }
      }
    }
    String report = report(results);
    System.out.println(report);
    if (writeDocs) {
      new Docs(docs).sectionsOf("BENCHMARKS.md").replace(SECTION, report);
    }
    return 0;
  }

  private String report(Map<WriteVariant, List<WriteRun.Result>> results) {
    MarkdownTable table =
        new MarkdownTable(
            "table",
            "load",
            "load, by CPU",
            "update",
            "update, by CPU",
            "single puts",
            "single puts, by CPU",
            "log bytes");
    for (WriteVariant variant : WriteVariant.values()) {
      table.row(
          variant.label(),
          ratio(results, variant, r -> r.load().perSecond()),
          ratio(results, variant, r -> r.load().perCpuSecond()),
          ratio(results, variant, r -> r.update().perSecond()),
          ratio(results, variant, r -> r.update().perCpuSecond()),
          ratio(results, variant, r -> r.single().perSecond()),
          ratio(results, variant, r -> r.single().perCpuSecond()),
          ratio(results, variant, WriteRun.Result::loadLogBytes));
    }
    WriteRun.Result plain = results.get(WriteVariant.PLAIN).get(0);
    return table
        + "\nRelative to the table without index of the same round, median of %d rounds. Rows per second: more is better; \"by CPU\" takes the processor time of the whole process, client included, instead of the clock. Without index: %,.0f rows/s loaded, %,.0f updated in batches, %,.0f one by one; %.0f bytes logged per row loaded. %,d rows, %d regions, %d servers in one process, %d writers, %d processors."
            .formatted(
                rounds,
                plain.load().perSecond(),
                plain.update().perSecond(),
                plain.single().perSecond(),
                plain.loadLogBytes(),
                rows,
                regions,
                servers,
                threads,
                Runtime.getRuntime().availableProcessors());
  }

  private static String ratio(
      Map<WriteVariant, List<WriteRun.Result>> results,
      WriteVariant variant,
      ToDoubleFunction<WriteRun.Result> figure) {
    List<WriteRun.Result> plain = results.get(WriteVariant.PLAIN);
    List<Double> ratios = new ArrayList<>();
    for (int round = 0; round < plain.size(); round++) {
      ratios.add(
          figure.applyAsDouble(results.get(variant).get(round))
              / figure.applyAsDouble(plain.get(round)));
    }
    ratios.sort(null);
    return "%.2f".formatted(ratios.get(ratios.size() / 2));
  }
}
