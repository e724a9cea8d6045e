package io.hbaseindex.bench.simulation;

import io.hbaseindex.core.publish.Simulation;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs the simulation of the publishing protocol for very many seeds. */
@Command(
    name = "simulate",
    description = {
      "Simulates clusters under random faults and checks that no route excludes an acknowledged",
      "write, that no write waits for longer than a lease, and that all regions become precise",
      "again. Prints the share of time spent precise. To see what happens in one run, use",
      "BENCH_JVM_FLAGS=-Dhbaseindex.simulation.trace=true bin/bench simulate --first SEED --seeds 1"
    })
public final class SimulateCommand implements Callable<Integer> {
  @Option(
      names = "--first",
      paramLabel = "SEED",
      defaultValue = "0",
      description = "The first seed; default: ${DEFAULT-VALUE}.")
  private long first;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      defaultValue = "100000",
      description = "How many seeds to run; default: ${DEFAULT-VALUE}.")
  private long seeds;

  @Option(
      names = "--steps",
      paramLabel = "N",
      defaultValue = "2000",
      description = "Steps with faults in each run; default: ${DEFAULT-VALUE}.")
  private int steps;

  /** What some runs have shown together; a failed run counts as a violation only. */
  private record Total(
      long runs,
      long violations,
      double precise,
      double simulatedSeconds,
      double recoverySeconds,
      double longestRecoverySeconds) {
    static final Total NOTHING = new Total(0, 0, 0, 0, 0, 0);

    static Total of(Simulation.Result result) {
      double recovery = result.recoveryNanos() / 1e9;
      return new Total(
          1, 0, result.preciseShare(), result.simulatedNanos() / 1e9, recovery, recovery);
    }

    Total plus(Total other) {
      return new Total(
          runs + other.runs,
          violations + other.violations,
          precise + other.precise,
          simulatedSeconds + other.simulatedSeconds,
          recoverySeconds + other.recoverySeconds,
          Math.max(longestRecoverySeconds, other.longestRecoverySeconds));
    }
  }

  @Override
  public Integer call() {
    Total total =
        LongStream.range(first, first + seeds)
            .parallel()
            .mapToObj(this::run)
            .reduce(Total.NOTHING, Total::plus);
    System.out.printf(
        "%,d runs of %,d steps, %s simulated, %,d violations%n",
        seeds, steps, Duration.ofSeconds((long) total.simulatedSeconds), total.violations);
    if (total.runs > 0) {
      System.out.printf(
          "share of time spent precise, under faults: %.3f%n"
              + "precise again after the last fault: %.1f s on average, %.1f s at most%n",
          total.precise / total.runs,
          total.recoverySeconds / total.runs,
          total.longestRecoverySeconds);
    }
    return total.violations == 0 ? 0 : 1;
  }

  private Total run(long seed) {
    try {
      return Total.of(Simulation.run(seed, steps));
    } catch (AssertionError violation) {
      System.out.println("seed " + seed + ": " + violation.getMessage());
      return new Total(0, 1, 0, 0, 0, 0);
    }
  }
}
