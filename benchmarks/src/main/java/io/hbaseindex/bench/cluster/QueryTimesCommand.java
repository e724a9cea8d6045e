/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.cluster;

import io.hbaseindex.bench.report.MarkdownTable;
import io.hbaseindex.client.IndexedConnection;
import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.admin.status.Progress;
import io.hbaseindex.client.routing.RoutingCounter;
import io.hbaseindex.client.routing.RoutingSettings;
import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.IndexDefinition;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How long queries take: routed, with the index of every region, and by plain scan. */
@Command(name = "query", description = "Asks one table for rows in several ways.")
public final class QueryTimesCommand implements Callable<Integer> {
  private static final String SECTION = "cluster-query";
  private static final long PRECISE_SECONDS = 120;

  @Option(names = "--rows", defaultValue = "200000", description = "Rows; ${DEFAULT-VALUE}.")
  private int rows;

  @Option(
      names = "--threads",
      defaultValue = "1,8",
      split = ",",
      description = "Askers; ${DEFAULT-VALUE}.")
  private List<Integer> threads;

  @Option(
      names = "--millis",
      defaultValue = "4000",
      description = "How long each way is asked for; ${DEFAULT-VALUE}.")
  private long millis;

  @Mixin private ClusterShape shape;
  @Mixin private ClusterReport report;

  @Override
  public Integer call() throws Exception {
    TableName name = TableName.valueOf("customers");
    MarkdownTable table =
        new MarkdownTable("query", "askers", "way", "p50 ms", "p99 ms", "times faster", "rows");
    try (BenchCluster cluster = BenchCluster.startRouting(shape.servers());
        IndexedConnection routed =
            IndexedConnection.wrap(ConnectionFactory.createConnection(cluster.configuration()));
        IndexedConnection guessing = guessing(cluster)) {
      prepare(cluster, routed, name);
      QueryRun run =
          new QueryRun(
              Map.of(
                  QueryWay.Asker.HBASE,
                  cluster.connection(),
                  QueryWay.Asker.ROUTED,
                  routed,
                  QueryWay.Asker.GUESSING,
                  guessing),
              name,
              rows);
      for (QueryKind kind : QueryKind.values()) {
        for (QueryWay way : QueryWay.values()) {
          run.run(kind, way, 2, millis / 2);
        }
      }
      for (QueryKind kind : QueryKind.values()) {
        for (int askers : threads) {
          addRows(table, kind, askers, measure(run, kind, askers));
        }
      }
      System.out.println("routed: " + routed.routing().counters());
      System.out.println("guessing: " + guessing.routing().counters());
    }
    report.publish(SECTION, table + "\n" + note());
    return 0;
  }

  private static IndexedConnection guessing(BenchCluster cluster) throws IOException {
    Configuration conf = new Configuration(cluster.configuration());
    conf.setLong(RoutingSettings.GUESS_MS, TimeUnit.MINUTES.toMillis(1));
    return IndexedConnection.wrap(ConnectionFactory.createConnection(conf));
  }

  private Map<QueryWay, QueryRun.Outcome> measure(QueryRun run, QueryKind kind, int askers)
      throws Exception {
    Map<QueryWay, QueryRun.Outcome> outcomes = new EnumMap<>(QueryWay.class);
    for (QueryWay way : QueryWay.values()) {
      outcomes.put(way, run.run(kind, way, askers, millis));
    }
    return outcomes;
  }

  private static void addRows(
      MarkdownTable table, QueryKind kind, int askers, Map<QueryWay, QueryRun.Outcome> outcomes) {
    double plain = outcomes.get(QueryWay.PLAIN).p50Millis();
    outcomes.forEach(
        (way, outcome) ->
            table.row(
                kind.label(),
                askers,
                way.label(),
                "%.3f".formatted(outcome.p50Millis()),
                "%.3f".formatted(outcome.p99Millis()),
                "%.1f".formatted(plain / outcome.p50Millis()),
                "%.1f".formatted(outcome.rows())));
  }

  private void prepare(BenchCluster cluster, IndexedConnection routed, TableName name)
      throws Exception {
    CustomerRows customers = new CustomerRows(rows);
    cluster.create(
        IndexedTableDescriptor.with(
            TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(CustomerRows.FAMILY))
                .build(),
            IndexDefinition.on(CustomerRows.FAMILY, CustomerRows.EMAIL).named("by_email").eager(),
            IndexDefinition.on(CustomerRows.FAMILY, CustomerRows.CITY).named("by_city").eager()),
        customers.splitKeys(shape.regions()));
    try (Table table = cluster.connection().getTable(name)) {
      List<Put> puts = new ArrayList<>();
      for (long number = 0; number < rows; number++) {
        puts.add(customers.load(number));
        if (puts.size() == WriteRun.BATCH || number == rows - 1) {
          table.put(puts);
          puts.clear();
        }
      }
    }
    cluster.flush(name);
    IndexAdmin.of(cluster.connection())
        .awaitReady(name, Duration.ofSeconds(PRECISE_SECONDS), Progress.NONE);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PRECISE_SECONDS);
    while (routed.routing().plan(name, QueryKind.ABSENT.scan(-1, rows)).get().skippedRegions()
        < shape.regions()) {
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException(
            "Cannot measure routed queries: regions were still open after %d s; %s"
                .formatted(PRECISE_SECONDS, routed.routing().counters()));
      }
      TimeUnit.MILLISECONDS.sleep(100);
    }
    if (routed.routing().counters().get(RoutingCounter.FALLBACKS) > 0) {
      System.out.println("Before the measurement: " + routed.routing().counters());
    }
  }

  private String note() {
    return "%,d rows, %s. \"Times faster\" compares the medians with the plain scan of the same row group; every question has another value. All figures of one run."
        .formatted(rows, shape);
  }
}
