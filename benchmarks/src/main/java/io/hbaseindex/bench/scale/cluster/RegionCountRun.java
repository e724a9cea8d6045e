/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.scale.cluster;

import io.hbaseindex.bench.cluster.BenchCluster;
import io.hbaseindex.bench.cluster.RoutedValues;
import io.hbaseindex.bench.report.MarkdownTable;
import io.hbaseindex.client.routing.RoutingSettings;
import io.hbaseindex.common.metrics.IndexRegistry;
import io.hbaseindex.common.metrics.MetricName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/** One table of the comparison, and what its questions have cost so far. */
final class RegionCountRun {
  private static final String STALENESS_MS = "5000";

  /** What the questions of one kind have come to. */
  private static final class Cost {
    final List<Double> medians = new ArrayList<>();
    final List<Double> tenths = new ArrayList<>();
    long asked;
    long regionsScanned;
    long routes;
  }

  private final RoutedValues table;
  private final int regions;
  private final int rows;
  private final Table plain;
  private final Table routed;
  private final Map<RegionQuestion, Cost> costs = new EnumMap<>(RegionQuestion.class);
  private final List<Double> millis = new ArrayList<>();
  private long scannedBefore;
  private long routes;
  private long open;
  private long next;

  RegionCountRun(BenchCluster cluster, RoutedValues table, int regions, int rows)
      throws IOException {
    this.table = table;
    this.regions = regions;
    this.rows = rows;
    this.plain = cluster.connection().getTable(table.name());
    this.routed = table.routed().getTable(table.name());
    for (RegionQuestion question : RegionQuestion.values()) {
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
    plain.close();
    routed.close();
    table.routed().close();
  }

  /** Asks each region once, so that both clients know where it is and its files are open. */
  void warmUp() throws IOException {
    for (int region = 0; region < regions; region++) {
      long number = ((long) region * rows + rows / 2) / regions;
      scan(RegionQuestion.STRONG, number);
      RoutedValues.get(plain, number);
    }
  }

  /** Questions of one kind begin. */
  void begin() {
    millis.clear();
    routes = 0;
    open = 0;
    scannedBefore = regionsScanned();
  }

  /** Asks one question. */
  void ask(RegionQuestion question) throws IOException {
    long number = Math.floorMod(++next * 7919L, rows);
    long routesBefore = routes();
    long openBefore = routesOpen();
    long began = System.nanoTime();
    switch (question) {
      case PUT -> table.putBeside(plain, number, next);
      case GET -> RoutedValues.get(plain, number);
      case STRONG, BOUNDED, ABSENT -> scan(question, number);
    }
    millis.add((System.nanoTime() - began) / 1e6);
    routes += routes() - routesBefore;
    open += routesOpen() - openBefore;
  }

  /** The questions are through. */
  void end(RegionQuestion question, boolean counted) {
    if (counted) {
      Cost cost = costs.get(question);
      cost.medians.add(share(toArray(millis), 0.5));
      cost.tenths.add(share(toArray(millis), 0.1));
      cost.asked += millis.size();
      cost.regionsScanned += regionsScanned() - scannedBefore;
      cost.routes += routes;
    }
  }

  private void scan(RegionQuestion question, long number) throws IOException {
    Scan scan = RoutedValues.where(question == RegionQuestion.ABSENT ? -1 - next : number);
    if (question == RegionQuestion.BOUNDED) {
      scan.setAttribute(
          RoutingSettings.STALENESS_MS, STALENESS_MS.getBytes(StandardCharsets.US_ASCII));
    }
    int found = 0;
    try (ResultScanner scanner = routed.getScanner(scan)) {
      while (scanner.next() != null) {
        found++;
      }
    }
    int expected = question == RegionQuestion.ABSENT ? 0 : 1;
    if (found != expected) {
      throw new IllegalStateException(
          "Cannot trust the measurement: value %d was found in %d rows, not in %d"
              .formatted(number, found, expected));
    }
  }

  /** What the questions so far have come to, to be told while the run goes on. */
  String counted() {
    return "%,d questions, %,d regions scanned, %,d routes, %,d of them with open regions"
        .formatted(millis.size(), regionsScanned() - scannedBefore, routes, open);
  }

  /** Scans that regions of the table have begun, with the index or without. */
  private long regionsScanned() {
    return counted("scansJumped") + counted("scansPlain");
  }

  private long counted(String name) {
    TableName of = table.name();
    return IndexRegistry.ofRegionServer()
        .counter(MetricName.ofTable(of.getNamespaceAsString(), of.getQualifierAsString(), name))
        .getCount();
  }

  /** Routes that the master has answered. */
  private static long routes() {
    return IndexRegistry.ofMaster().counter("routesPrecise").getCount() + routesOpen();
  }

  /** Those of them in which some region's filter could not be asked. */
  private static long routesOpen() {
    return IndexRegistry.ofMaster().counter("routesOpen").getCount();
  }

  double p50Millis(RegionQuestion question) {
    return share(toArray(costs.get(question).medians), 0.5);
  }

  private static double[] toArray(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }

  /** The value that a share of all lie below. */
  private static double share(double[] values, double share) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[(int) (share * sorted.length)];
  }

  /** All tables side by side; ratios are those to the first one, round by round. */
  static MarkdownTable table(List<RegionCountRun> runs) {
    MarkdownTable text =
        new MarkdownTable(
            "question",
            "regions",
            "p50 ms",
            "ratio",
            "p10 ms",
            "ratio",
            "regions scanned each",
            "routes each");
    RegionCountRun first = runs.get(0);
    for (RegionQuestion question : RegionQuestion.values()) {
      for (RegionCountRun run : runs) {
        Cost cost = run.costs.get(question);
        Cost base = first.costs.get(question);
        text.row(
            question.label(),
            format("%,d", run.regions),
            format("%.2f", run.p50Millis(question)),
            format("%.2f", ratio(cost.medians, base.medians)),
            format("%.2f", share(toArray(cost.tenths), 0.5)),
            format("%.2f", ratio(cost.tenths, base.tenths)),
            format("%.2f", (double) cost.regionsScanned / cost.asked),
            format("%.2f", (double) cost.routes / cost.asked));
      }
    }
    return text;
  }

  private static double ratio(List<Double> values, List<Double> base) {
    return share(
        IntStream.range(0, values.size())
            .mapToDouble(round -> values.get(round) / base.get(round))
            .toArray(),
        0.5);
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
