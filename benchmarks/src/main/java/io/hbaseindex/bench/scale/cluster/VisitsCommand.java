/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.scale.cluster;

import io.hbaseindex.bench.cluster.BenchCluster;
import io.hbaseindex.bench.cluster.ClusterReport;
import io.hbaseindex.bench.report.MarkdownTable;
import io.hbaseindex.client.IndexedConnection;
import io.hbaseindex.client.query.FoundRow;
import io.hbaseindex.client.query.FoundRows;
import io.hbaseindex.client.query.IndexQuery;
import io.hbaseindex.client.query.QueryClient;
import io.hbaseindex.common.metrics.IndexRegistry;
import io.hbaseindex.common.metrics.MetricName;
import java.io.IOException;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.TableName;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Counts the regions that questions of several kinds visit, beside those that have a row that is
 * asked for.
 */
@Command(
    name = "visits",
    description =
        "Counts the regions that questions visit, by the servers' own counters, beside those that"
            + " have a matching row. Fails if an answer is not the rows that were written.")
public final class VisitsCommand implements Callable<Integer> {
  private static final String SECTION = "visits";
  private static final long SEED = 1;

  @Option(names = "--regions", defaultValue = "1200", description = "Regions; ${DEFAULT-VALUE}.")
  private int regions;

  @Option(names = "--servers", defaultValue = "2", description = "Servers; ${DEFAULT-VALUE}.")
  private int servers;

  @Option(
      names = "--rows",
      defaultValue = "50",
      description = "Rows of each region; ${DEFAULT-VALUE}.")
  private int rows;

  @Option(
      names = "--questions",
      defaultValue = "200",
      description = "Questions of each kind; ${DEFAULT-VALUE}.")
  private int questions;

  @Mixin private ClusterReport report;

  @Override
  public Integer call() throws Exception {
    try (BenchCluster cluster =
        BenchCluster.startRouting(servers, RegionCountCommand.MANY_REGIONS)) {
      System.err.printf("creating a table of %,d regions%n", regions);
      VisitedTable table = VisitedTable.create(cluster, regions, rows, new SplittableRandom(SEED));
      System.err.printf("waiting until %,d regions are precise%n", regions);
      table.awaitPrecise();
      MarkdownTable text =
          new MarkdownTable("question", "rows", "regions with such a row", "visited", "ratio");
      try (IndexedConnection routed =
          IndexedConnection.wrap(table.connect(cluster.configuration()))) {
        for (VisitedTable.Question question : VisitedTable.Question.values()) {
          System.err.println(question.label());
          ask(routed, table, question, text);
        }
      }
      report.publish(SECTION, text + "\n" + note());
    }
    return 0;
  }

  private void ask(
      IndexedConnection routed,
      VisitedTable table,
      VisitedTable.Question question,
      MarkdownTable text)
      throws IOException {
    QueryClient client = QueryClient.of(routed);
    SplittableRandom random = new SplittableRandom(SEED);
    long found = 0;
    long holding = 0;
    long before = visited(table.name());
    for (int number = 0; number < questions; number++) {
      VisitedTable.Asked asked = table.ask(question, random);
      long count = 0;
      IndexQuery query = IndexQuery.from(table.name()).where(asked.condition());
      try (FoundRows all = client.rows(query)) {
        for (FoundRow ignored : all) {
          count++;
        }
      }
      if (count != asked.rows()) {
        throw new IllegalStateException(
            "Cannot trust the measurement: %s gave %d rows, not %d"
                .formatted(asked.condition(), count, asked.rows()));
      }
      found += count;
      holding += asked.regions();
    }
    long visited = visited(table.name()) - before;
    text.row(
        question.label(),
        format("%.1f", (double) found / questions),
        format("%.2f", (double) holding / questions),
        format("%.2f", (double) visited / questions),
        holding == 0 ? "" : format("%.2f", (double) visited / holding));
  }

  /** Scans that regions of the table have begun, with the index or without. */
  private static long visited(TableName table) {
    return counted(table, "scansJumped") + counted(table, "scansPlain");
  }

  private static long counted(TableName of, String name) {
    return IndexRegistry.ofRegionServer()
        .counter(MetricName.ofTable(of.getNamespaceAsString(), of.getQualifierAsString(), name))
        .getCount();
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }

  private String note() {
    return ("Of one question, in the mean of %,d of each kind. %,d regions of %,d rows each, %d"
            + " servers in one process; regions visited are the servers' own counts, and every"
            + " answer was compared with what had been written.")
        .formatted(questions, regions, rows, servers);
  }
}
