/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.jmh;

import java.util.Collection;
import java.util.function.ObjDoubleConsumer;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs microbenchmarks for about a second each, so that an experiment can show the shape of a curve
 * without taking an hour. For numbers to quote, run {@code bin/bench jmh}.
 *
 * <p>A score is the best of many short iterations: whatever else the machine does meanwhile can
 * only slow the others down.
 */
public final class BriefRun {
  private static final int WARMUPS = 10;
  private static final TimeValue WARMUP = TimeValue.milliseconds(50);
  private static final int ITERATIONS = 50;
  private static final TimeValue ITERATION = TimeValue.milliseconds(20);

  private final Collection<RunResult> results;

  private BriefRun(Collection<RunResult> results) {
    this.results = results;
  }

  /** Runs one benchmark method with all its parameter values. */
  public static BriefRun of(Class<?> benchmark, String method) {
    OptionsBuilder options = new OptionsBuilder();
    options
        .include("^" + benchmark.getName().replace(".", "\\.") + "\\." + method + "$")
        .forks(1)
        .warmupIterations(WARMUPS)
        .warmupTime(WARMUP)
        .measurementIterations(ITERATIONS)
        .measurementTime(ITERATION)
        .verbosity(VerboseMode.SILENT)
        .shouldFailOnError(true);
    try {
      return new BriefRun(new Runner(options.build()).run());
    } catch (RunnerException e) {
      throw new IllegalStateException("Cannot run benchmark " + benchmark.getName(), e);
    }
  }

  /** Calls back with the parameters and the score of each run, in the benchmark's unit. */
  public void forEach(ObjDoubleConsumer<BenchmarkParams> action) {
    results.forEach(
        result ->
            action.accept(result.getParams(), result.getPrimaryResult().getStatistics().getMin()));
  }
}
