/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.scale;

import picocli.CommandLine.Option;

/** The simulated cluster: its size, what is written to it, its network and its faults. */
final class ScaleSettings {
  @Option(
      names = "--servers",
      defaultValue = "20",
      description = "Region servers; ${DEFAULT-VALUE}.")
  int servers;

  @Option(
      names = "--regions",
      defaultValue = "5",
      description = "Regions of each server; ${DEFAULT-VALUE}.")
  int regions;

  @Option(
      names = "--values",
      defaultValue = "20000",
      description = "Distinct values of each region; ${DEFAULT-VALUE}.")
  int values;

  @Option(
      names = "--batches",
      defaultValue = "50",
      description = "Write batches per second and server, at random moments; ${DEFAULT-VALUE}.")
  double batches;

  @Option(
      names = "--batch-values",
      defaultValue = "10",
      description =
          "Values that a batch replaces by ones its region has not held; ${DEFAULT-VALUE}.")
  int batchValues;

  @Option(
      names = "--rows-per-value",
      defaultValue = "1",
      description = "Rows of a region that hold the same value; ${DEFAULT-VALUE}.")
  int rowsPerValue;

  @Option(
      names = "--no-ranges",
      description = "The index keeps no bounds of values, by which ranges are routed.")
  boolean noRanges;

  @Option(
      names = "--settle",
      paramLabel = "SECONDS",
      defaultValue = "10",
      description = "Virtual time before anything counts, with all writes; ${DEFAULT-VALUE}.")
  double settle;

  @Option(
      names = "--seconds",
      defaultValue = "20",
      description = "Virtual time that counts; ${DEFAULT-VALUE}.")
  double seconds;

  @Option(
      names = "--delay-ms",
      defaultValue = "0.2",
      description = "Median time of a message on its way; ${DEFAULT-VALUE}.")
  double delayMillis;

  @Option(
      names = "--delay-p99-ms",
      defaultValue = "1.0",
      description =
          "99th percentile of that; between them a lognormal distribution; ${DEFAULT-VALUE}.")
  double delayP99Millis;

  @Option(
      names = "--rpc-us",
      defaultValue = "50",
      description =
          "Processor time that HBase takes for a call at the holder, beside ours;"
              + " ${DEFAULT-VALUE}.")
  double rpcMicros;

  @Option(
      names = "--cores",
      defaultValue = "4",
      description = "Cores of a holder; ${DEFAULT-VALUE}.")
  int cores;

  @Option(
      names = "--push-places",
      defaultValue = "7",
      description = "Pushes that a holder answers at the same time; ${DEFAULT-VALUE}.")
  int pushPlaces;

  @Option(
      names = "--gate-queue",
      defaultValue = "3",
      description = "Pushes that may wait for such a place at the same time; ${DEFAULT-VALUE}.")
  int gateQueue;

  @Option(
      names = "--gate-wait-ms",
      defaultValue = "31.25",
      description = "How long a push waits for it before it is refused; ${DEFAULT-VALUE}.")
  double gateWaitMillis;

  @Option(
      names = "--parallel-pushes",
      negatable = true,
      defaultValue = "false",
      description =
          "Whether a holder applies pushes of several servers at a time; ${DEFAULT-VALUE}.")
  boolean parallelPushes;

  @Option(
      names = "--cpu-scale",
      defaultValue = "1",
      description = "What measured processor time is multiplied with; ${DEFAULT-VALUE}.")
  double cpuScale;

  @Option(
      names = "--holders",
      defaultValue = "1",
      description = "Holders that share the values by their hash; ${DEFAULT-VALUE}.")
  int holders;

  @Option(
      names = "--simulated-holders",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Simulate so many of the holders, with their share of values and pushes; 0 for all.")
  int simulatedHolders;

  @Option(
      names = "--holder-change",
      paramLabel = "SECONDS",
      defaultValue = "-1",
      description = "When another, empty holder takes the place of each; negative for never.")
  double holderChange;

  @Option(
      names = "--holder-gap-ms",
      defaultValue = "500",
      description = "How long there is none then; ${DEFAULT-VALUE}.")
  double holderGapMillis;

  @Option(
      names = "--restarts",
      paramLabel = "N",
      defaultValue = "0",
      description = "Servers that restart in the middle of what counts; ${DEFAULT-VALUE}.")
  int restarts;

  @Option(
      names = "--rebuild-rate",
      paramLabel = "VALUES",
      defaultValue = "500000",
      description =
          "Values per second that a restarted server reads to build filters; ${DEFAULT-VALUE}.")
  double rebuildRate;

  @Option(names = "--seed", defaultValue = "1", description = "${DEFAULT-VALUE}.")
  long seed;

  /** How many of the holders are really there. */
  int simulated() {
    return simulatedHolders == 0 ? holders : simulatedHolders;
  }

  int allRegions() {
    return servers * regions;
  }

  /** Refuses what cannot be simulated. */
  void check() {
    requirePositive("--servers", servers);
    requirePositive("--regions", regions);
    requirePositive("--values", values);
    requirePositive("--batch-values", batchValues);
    requirePositive("--rows-per-value", rowsPerValue);
    requirePositive("--seconds", seconds);
    requirePositive("--delay-ms", delayMillis);
    requirePositive("--cores", cores);
    requirePositive("--push-places", pushPlaces);
    requirePositive("--cpu-scale", cpuScale);
    requirePositive("--holders", holders);
    requirePositive("--rebuild-rate", rebuildRate);
    requireNotNegative("--batches", batches);
    requireNotNegative("--settle", settle);
    requireNotNegative("--rpc-us", rpcMicros);
    requireNotNegative("--gate-queue", gateQueue);
    requireNotNegative("--gate-wait-ms", gateWaitMillis);
    requireNotNegative("--holder-gap-ms", holderGapMillis);
    requireAtMost("--batch-values", batchValues, "--values", values);
    requireAtMost("--simulated-holders", simulatedHolders, "--holders", holders);
    requireAtMost("--restarts", restarts, "--servers", servers);
    requireAtMost("--delay-ms", delayMillis, "--delay-p99-ms", delayP99Millis);
    requireNotNegative("--simulated-holders", simulatedHolders);
    requireNotNegative("--restarts", restarts);
    requireAtMost("--holder-change", holderChange, "--seconds", seconds);
  }

  private static void requirePositive(String option, double value) {
    if (!(value > 0)) {
      throw refused(option, value, "it must be positive");
    }
  }

  private static void requireNotNegative(String option, double value) {
    if (!(value >= 0)) {
      throw refused(option, value, "it must not be negative");
    }
  }

  private static void requireAtMost(String option, double value, String other, double most) {
    if (!(value <= most)) {
      throw refused(option, value, "it must be at most " + other + ", which was " + number(most));
    }
  }

  private static IllegalArgumentException refused(String option, double value, String rule) {
    return new IllegalArgumentException(
        "Cannot simulate: %s was %s; %s".formatted(option, number(value), rule));
  }

  private static String number(double value) {
    return value == (long) value ? String.valueOf((long) value) : String.valueOf(value);
  }
}
