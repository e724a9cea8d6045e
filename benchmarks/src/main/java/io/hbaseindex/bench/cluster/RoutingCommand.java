/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.cluster;

import io.hbaseindex.bench.report.MarkdownTable;
import io.hbaseindex.common.metrics.IndexRegistry;
import io.hbaseindex.core.filter.FilterChangeListener;
import io.hbaseindex.core.filter.FilterGeometry;
import io.hbaseindex.core.filter.ScalableSplitCountingBloomFilter;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * What filters at the master cost and give: writes with them and without, in rounds that rotate;
 * routes per second; how long all regions take to be precise again; bytes sent and held.
 */
@Command(name = "routing", description = "Measures filters at the master.")
public final class RoutingCommand implements Callable<Integer> {
  private static final String WRITES = "cluster-routing-writes";
  private static final String FIGURES = "cluster-routing";
  private static final int SINGLE_PUTS = 500;

  @Option(names = "--rows", defaultValue = "50000", description = "Rows; ${DEFAULT-VALUE}.")
  private int rows;

  @Option(
      names = "--postings",
      defaultValue = "1000000",
      description = "Postings of the table that is reopened; ${DEFAULT-VALUE}.")
  private int postings;

  @Option(names = "--route-seconds", defaultValue = "4", description = "${DEFAULT-VALUE}.")
  private int routeSeconds;

  @Mixin private ClusterShape shape;
  @Mixin private WriteRounds rounds;
  @Mixin private ClusterReport report;

  @Override
  public Integer call() throws Exception {
    try (BenchCluster cluster = BenchCluster.startRouting(shape.servers())) {
      report.publish(WRITES, measureWrites(cluster));
      report.publish(FIGURES, measureFigures(cluster));
    }
    return 0;
  }

  private String measureWrites(BenchCluster cluster) throws Exception {
    WriteRun run = new WriteRun(cluster, rows, shape.regions(), rounds.threads());
    WriteRounds.Results<RoutingVariant> results =
        rounds.run(
            RoutingVariant.class,
            (variant, round) ->
                run.run(
                    variant, round, name -> new RoutedPreparation(cluster, name).await(variant)));
    return results.table()
        + "\nRows per second relative to the local index only, median of %d rounds that rotate; more is better. %,d rows, %d writers, %s."
            .formatted(rounds.rounds(), rows, rounds.threads(), shape);
  }

  private String measureFigures(BenchCluster cluster) throws Exception {
    MarkdownTable table = new MarkdownTable("figure", "measured");
    try (RoutedValues values = RoutedValues.create(cluster, "values", postings, shape.regions())) {
      values.awaitPrecise();
      long bytesBefore = pushedBytes();
      values.load(postings, rounds.threads());
      table.row(
          "bytes pushed per novel value, in batches",
          "%.1f".formatted((double) (pushedBytes() - bytesBefore) / postings));
      values.awaitPrecise();

      long bytesBeforeSingles = pushedBytes();
      values.putOneByOne(postings, SINGLE_PUTS);
      table.row(
          "bytes pushed per novel value, one put at a time",
          "%.1f".formatted((double) (pushedBytes() - bytesBeforeSingles) / SINGLE_PUTS));

      for (int clients : new int[] {1, 8}) {
        table.row(
            "routes per second, " + clients + (clients == 1 ? " client" : " clients"),
            "%,.0f".formatted(RouteRate.measure(values, clients, routeSeconds, postings)));
      }

      cluster.flush(values.name());
      long began = System.nanoTime();
      cluster.reopen(values.name());
      values.awaitPrecise();
      table.row("all regions closed, opened and precise again", seconds(began));

      double distinct = postings + (double) SINGLE_PUTS;
      table.row(
          "heap per distinct value at the master",
          "%.1f bytes".formatted(masterBytes(values) / distinct));
      table.row(
          "heap per distinct value at the region server",
          "%.1f bytes".formatted(regionBytes((long) distinct / shape.regions())));

      cluster.replaceMaster();
      began = System.nanoTime();
      values.awaitPrecise();
      table.row("another master active, its filters precise", seconds(began));
    }
    return table + "\n%,d postings of distinct values, %s.".formatted(postings, shape);
  }

  private static String seconds(long began) {
    return "%.1f s".formatted((System.nanoTime() - began) / 1e9);
  }

  private static double masterBytes(RoutedValues values) throws Exception {
    return values.status().regions().stream().mapToLong(region -> region.size().bytes()).sum();
  }

  /** What the filter of a region that has just opened takes, by its own account. */
  private static double regionBytes(long distinct) {
    ScalableSplitCountingBloomFilter filter =
        new ScalableSplitCountingBloomFilter(
            FilterGeometry.standard(),
            FilterChangeListener.NONE,
            distinct,
            ScalableSplitCountingBloomFilter.DEFAULT_HEAVY_LIMIT);
    new SplittableRandom(1).longs(distinct).forEach(filter::insert);
    return (double) filter.bytes() / distinct;
  }

  /** The bytes that all region servers of this process have pushed to the master. */
  private static long pushedBytes() {
    return IndexRegistry.ofRegionServer().counter("publishSentBytes").getCount();
  }
}
