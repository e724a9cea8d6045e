/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.cluster;

import io.hbaseindex.bench.report.MarkdownTable;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Option;

/**
 * Writes to one fresh table of each variant in every round, in an order that rotates, and judges
 * each round by its own first variant. The first rounds only warm up.
 */
final class WriteRounds {
  @Option(names = "--threads", defaultValue = "4", description = "Writers; ${DEFAULT-VALUE}.")
  private int threads;

  @Option(names = "--warm-up", defaultValue = "1", description = "Rounds; ${DEFAULT-VALUE}.")
  private int warmUpRounds;

  @Option(names = "--rounds", defaultValue = "3", description = "Rounds; ${DEFAULT-VALUE}.")
  private int rounds;

  /** Measures one variant in one round. */
  interface Measurement<V> {
    WriteRun.Result run(V variant, int round) throws Exception;
  }

  /** The results of the rounds that count, variant by variant. */
  record Results<V extends Enum<V> & BenchTable>(Map<V, List<WriteRun.Result>> byVariant, V base) {
    /** Every variant relative to the first one. */
    MarkdownTable table() {
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
      for (V variant : byVariant.keySet()) {
        table.row(
            variant.label(),
            ratio(variant, r -> r.load().perSecond()),
            ratio(variant, r -> r.load().perCpuSecond()),
            ratio(variant, r -> r.update().perSecond()),
            ratio(variant, r -> r.update().perCpuSecond()),
            ratio(variant, r -> r.single().perSecond()),
            ratio(variant, r -> r.single().perCpuSecond()),
            ratio(variant, WriteRun.Result::loadLogBytes));
      }
      return table;
    }

    /** The median ratio of a figure to that of the first variant in the same round. */
    private String ratio(V variant, ToDoubleFunction<WriteRun.Result> figure) {
      List<Double> ratios = new ArrayList<>();
      for (int round = 0; round < byVariant.get(base).size(); round++) {
        ratios.add(
            figure.applyAsDouble(byVariant.get(variant).get(round))
                / figure.applyAsDouble(byVariant.get(base).get(round)));
      }
      ratios.sort(null);
      return "%.2f".formatted(ratios.get(ratios.size() / 2));
    }

    /** The first result of the first variant, for absolute figures. */
    WriteRun.Result first() {
      return byVariant.get(base).get(0);
    }
  }

  <V extends Enum<V> & BenchTable> Results<V> run(Class<V> type, Measurement<V> measurement)
      throws Exception {
    V[] variants = type.getEnumConstants();
    Map<V, List<WriteRun.Result>> results = new EnumMap<>(type);
    for (int round = 0; round < warmUpRounds + rounds; round++) {
      for (int i = 0; i < variants.length; i++) {
        V variant = variants[(i + round) % variants.length];
        WriteRun.Result result = measurement.run(variant, round);
        System.out.printf("round %d, %s: %s%n", round, variant.label(), result);
        if (round >= warmUpRounds) {
          results.computeIfAbsent(variant, v -> new ArrayList<>()).add(result);
        }
      }
    }
    return new Results<>(results, variants[0]);
  }

  int threads() {
    return threads;
  }

  int rounds() {
    return rounds;
  }
}
