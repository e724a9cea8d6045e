/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.jmh;

import io.hbaseindex.bench.report.MarkdownTable;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.util.Statistics;

/**
 * Writes JMH results as a Markdown table with a ratio beside each absolute number, since absolute
 * numbers do not travel from one machine to another.
 *
 * <p>The best iteration stands beside the mean, and the ratios are between best ones: whatever else
 * the machine does can only slow an iteration down. Where mean and best are far apart, the machine
 * was busy.
 *
 * <p>The ratio compares a row with the first one of its group. A group is a benchmark method; if it
 * has a parameter {@code structure}, the method with all its other parameters; if it has none, all
 * the methods of its class.
 */
final class JmhTable {
  private static final String COMPARED = "structure";

  private JmhTable() {}

  static String of(Collection<RunResult> results) {
    MarkdownTable table =
        new MarkdownTable("benchmark", "mean", "± 99.9 %", "best", "unit", "ratio of best");
    Map<String, Double> baselines = new LinkedHashMap<>();
    String environment = "";
    for (RunResult result : results) {
      BenchmarkParams params = result.getParams();
      Result<?> score = result.getPrimaryResult();
      double best = best(result);
      double baseline = baselines.computeIfAbsent(group(params), group -> best);
      table.row(
          label(params),
          number(score.getScore()),
          Double.isNaN(score.getScoreError()) ? "–" : number(score.getScoreError()),
          number(best),
          score.getScoreUnit(),
          String.format(Locale.ROOT, "%.2f", best / baseline));
      environment = environment(params);
    }
    return table + environment;
  }

  /** The best iteration: the highest throughput, or the lowest time. */
  static double best(RunResult result) {
    Statistics iterations = result.getPrimaryResult().getStatistics();
    return result.getParams().getMode() == Mode.Throughput
        ? iterations.getMax()
        : iterations.getMin();
  }

  private static String group(BenchmarkParams params) {
    String benchmark = params.getBenchmark();
    String owner = benchmark.substring(0, benchmark.lastIndexOf('.'));
    StringBuilder group = new StringBuilder(params.getMode().toString());
    group.append(params.getParamsKeys().isEmpty() ? owner : benchmark);
    if (params.getParamsKeys().contains(COMPARED)) {
      for (String key : params.getParamsKeys()) {
        group.append(key.equals(COMPARED) ? "" : params.getParam(key));
      }
    }
    return group.toString();
  }

  private static String label(BenchmarkParams params) {
    String[] path = params.getBenchmark().split("\\.");
    StringBuilder label =
        new StringBuilder(path[path.length - 2]).append('.').append(path[path.length - 1]);
    for (String key : params.getParamsKeys()) {
      label.append(' ').append(key).append('=').append(params.getParam(key));
    }
    return label.toString();
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value < 10 ? "%.3f" : value < 1000 ? "%.1f" : "%.0f", value);
  }

  private static String environment(BenchmarkParams params) {
    return String.format(
        Locale.ROOT,
        "%n%s %s, %d processors; %d forks, %d × %s warm-up, %d × %s measured.%n",
        params.getVmName(),
        params.getVmVersion(),
        Runtime.getRuntime().availableProcessors(),
        params.getForks(),
        params.getWarmup().getCount(),
        params.getWarmup().getTime(),
        params.getMeasurement().getCount(),
        params.getMeasurement().getTime());
  }
}
