/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.scale.cluster;

import io.hbaseindex.bench.cluster.BenchCluster;
import io.hbaseindex.bench.cluster.RoutedValues;
import io.hbaseindex.bench.report.MarkdownTable;
import io.hbaseindex.client.routing.RoutingSettings;
import io.hbaseindex.common.metrics.IndexRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.metrics.MetricRegistry;

/** One table of the comparison, and what its questions have cost so far. */
final class RegionCountRun {
  private static final String STALENESS_MS = "5000";

  /** What the questions of one kind have come to. */
  private static final class Cost {
    final List<Double> medians = new ArrayList<>();
    long asked;
    long regionsScanned;
    long routes;
  }

  private final BenchCluster cluster;
  private final RoutedValues table;
  private final int regions;
  private final int rows;
  private final Map<Question, Cost> costs = new EnumMap<>(Question.class);
  private long next;

  RegionCountRun(BenchCluster cluster, RoutedValues table, int regions, int rows) {
    this.cluster = cluster;
    this.table = table;
    this.regions = regions;
    this.rows = rows;
    for (Question question : Question.values()) {
      costs.put(question, new Cost());
    }
  }

  int regions() {
    return regions;
  }

  RoutedValues table() {
    return table;
  }

  void close() throws IOException {
    table.routed().close();
  }

  /** Asks so many questions one after another. */
  void ask(Question question, int count, boolean counted) throws IOException {
    Cost cost = costs.get(question);
    double[] millis = new double[count];
    long scannedBefore = regionsScanned();
    long routesBefore = routes();
    try (Table plain = cluster.connection().getTable(table.name());
        Table routed = table.routed().getTable(table.name())) {
      for (int i = 0; i < count; i++) {
        long number = Math.floorMod(++next * 7919L, rows);
        long began = System.nanoTime();
        if (question == Question.PUT) {
          table.putBeside(plain, number, next);
        } else {
          scan(routed, question, number);
        }
        millis[i] = (System.nanoTime() - began) / 1e6;
      }
    }
    if (counted) {
      cost.medians.add(median(millis));
      cost.asked += count;
      cost.regionsScanned += regionsScanned() - scannedBefore;
      cost.routes += routes() - routesBefore;
    }
  }

  private void scan(Table routed, Question question, long number) throws IOException {
    Scan scan = RoutedValues.where(question == Question.ABSENT ? -1 - next : number);
    if (question == Question.BOUNDED) {
      scan.setAttribute(
          RoutingSettings.STALENESS_MS, STALENESS_MS.getBytes(StandardCharsets.US_ASCII));
    }
    int found = 0;
    try (ResultScanner scanner = routed.getScanner(scan)) {
      while (scanner.next() != null) {
        found++;
      }
    }
    int expected = question == Question.ABSENT ? 0 : 1;
    if (found != expected) {
      throw new IllegalStateException(
          "Cannot trust the measurement: value %d was found in %d rows, not in %d"
              .formatted(number, found, expected));
    }
  }

  /** Scans that regions of this process have begun, with the index or without. */
  private static long regionsScanned() {
    MetricRegistry registry = IndexRegistry.ofRegionServer();
    return registry.counter("scansJumped").getCount() + registry.counter("scansPlain").getCount();
  }

  /** Routes that the master has answered. */
  private static long routes() {
    MetricRegistry registry = IndexRegistry.ofMaster();
    return registry.counter("routesPrecise").getCount() + registry.counter("routesOpen").getCount();
  }

  double p50Millis(Question question) {
    return median(toArray(costs.get(question).medians));
  }

  private static double[] toArray(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  /** All tables side by side; ratios are those to the first one, round by round. */
  static MarkdownTable table(List<RegionCountRun> runs) {
    MarkdownTable text =
        new MarkdownTable(
            "question", "regions", "p50 ms", "ratio", "regions scanned each", "routes each");
    RegionCountRun first = runs.get(0);
    for (Question question : Question.values()) {
      for (RegionCountRun run : runs) {
        Cost cost = run.costs.get(question);
        Cost base = first.costs.get(question);
        double[] ratios =
            IntStream.range(0, cost.medians.size())
                .mapToDouble(round -> cost.medians.get(round) / base.medians.get(round))
                .toArray();
        text.row(
            question.label(),
            format("%,d", run.regions),
            format("%.2f", run.p50Millis(question)),
            format("%.2f", median(ratios)),
            format("%.2f", (double) cost.regionsScanned / cost.asked),
            format("%.2f", (double) cost.routes / cost.asked));
      }
    }
    return text;
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
