/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench;

import io.hbaseindex.bench.report.Docs;
import io.hbaseindex.bench.seeds.SeedExperiment;
import io.hbaseindex.bench.seeds.directory.DirectoryExperiment;
import io.hbaseindex.bench.seeds.matrix.MatrixExperiment;
import io.hbaseindex.bench.seeds.splitcounting.SplitCountingExperiment;
import io.hbaseindex.bench.seeds.stream.StreamExperiment;
import io.hbaseindex.bench.seeds.vector.VectorExperiment;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs the experiments of the named papers, or of all. */
@Command(
    name = "seeds",
    description = "Reruns the experiments of the seed papers and updates docs/SEEDS.md.")
public final class SeedsCommand implements Callable<Integer> {
  private final Map<String, SeedExperiment> experiments = new TreeMap<>();

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "SEED",
      arity = "0..*",
      description = "Papers to rerun, for example 000 001; all if none is named.")
  private List<String> seeds = List.of();

  @Option(
      names = "--docs",
      paramLabel = "DIR",
      required = true,
      defaultValue = "${sys:bench.docs}",
      description = "Where SEEDS.md and plots/ are; default: docs of this source tree.")
  private Path docs;

  public SeedsCommand() {
    for (SeedExperiment experiment : all()) {
      experiments.put(experiment.seed(), experiment);
    }
  }

  /** Every experiment there is; a new one is added here. */
  private static List<SeedExperiment> all() {
    return List.of(
        new MatrixExperiment(),
        new VectorExperiment(),
        new StreamExperiment(),
        new DirectoryExperiment(),
        new SplitCountingExperiment());
  }

  @Override
  public Integer call() {
    for (String seed : seeds) {
      if (!experiments.containsKey(seed)) {
        throw new ParameterException(
            spec.commandLine(),
            "Cannot rerun seed %s: known are %s".formatted(seed, experiments.keySet()));
      }
    }
    Docs target = new Docs(docs);
    for (String seed : seeds.isEmpty() ? experiments.keySet() : seeds) {
      System.err.println("seed " + seed);
      experiments.get(seed).run(target);
    }
    return 0;
  }
}
