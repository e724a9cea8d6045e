/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.simulation;

import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;

/** Runs the simulation for very many seeds: {@code bin/bench simulate}. */
public final class SimulationMain {
  private static final String HELP =
      """
      Usage: bench simulate [--first SEED] [--seeds N] [--steps N]
      Simulates clusters under random faults and checks that no route excludes an acknowledged
      write, that no write waits for longer than a lease, and that all regions become precise
      again. Prints the share of time spent precise, and the seeds that broke the law.
        --first SEED   the first seed; default a fresh one at each run, which is printed
        --seeds N      how many seeds to run; default 100000
        --steps N      steps with faults in each run; default 2000
      To see what happens in one run:
        BENCH_JVM_FLAGS=-Dhbaseindex.simulation.trace=true bin/bench simulate --first SEED --seeds 1
      """;

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

  private SimulationMain() {}

  /** Exits with 0 if the law held, 1 if not, 2 for wrong usage. */
  public static void main(String[] arguments) {
    Map<String, Long> options =
        new TreeMap<>(Map.of("--first", freshSeed(), "--seeds", 100_000L, "--steps", 2_000L));
    if (!read(arguments, options)) {
      System.out.print(HELP);
      System.exit(arguments.length == 1 && arguments[0].endsWith("-help") ? 0 : 2);
    }
    long first = options.get("--first");
    long seeds = options.get("--seeds");
    int steps = Math.toIntExact(options.get("--steps"));
    System.out.println("seeds from " + first + " on");
    Total total =
        LongStream.range(first, first + seeds)
            .parallel()
            .mapToObj(seed -> run(seed, steps))
            .reduce(Total.NOTHING, Total::plus);
    print(total, steps);
    System.exit(total.violations == 0 ? 0 : 1);
  }

  /** Far from the seeds of the build, and from those of other runs. */
  private static long freshSeed() {
    return new SplittableRandom().nextLong(1_000_000_000L, 1_000_000_000_000L);
  }

  private static boolean read(String[] arguments, Map<String, Long> options) {
    if (arguments.length % 2 != 0) {
      return false;
    }
    for (int at = 0; at < arguments.length; at += 2) {
      if (!options.containsKey(arguments[at]) || !arguments[at + 1].matches("\\d{1,18}")) {
        return false;
      }
      options.put(arguments[at], Long.parseLong(arguments[at + 1]));
    }
    return true;
  }

  private static Total run(long seed, int steps) {
    try {
      return Total.of(Simulation.run(seed, steps));
    } catch (AssertionError violation) {
      System.out.println("seed " + seed + ": " + violation.getMessage());
      return new Total(0, 1, 0, 0, 0, 0);
    }
  }

  private static void print(Total total, int steps) {
    System.out.printf(
        "%,d runs of %,d steps, %s simulated, %,d violations%n",
        total.runs + total.violations,
        steps,
        Duration.ofSeconds((long) total.simulatedSeconds),
        total.violations);
    if (total.runs > 0) {
      System.out.printf(
          "share of time spent precise, under faults: %.3f%n"
              + "precise again after the last fault: %.1f s on average, %.1f s at most%n",
          total.precise / total.runs,
          total.recoverySeconds / total.runs,
          total.longestRecoverySeconds);
    }
  }
}
