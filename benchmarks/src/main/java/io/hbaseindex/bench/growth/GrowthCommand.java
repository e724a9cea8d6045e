/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.growth;

import io.hbaseindex.bench.cluster.BenchCluster;
import io.hbaseindex.bench.cluster.ClusterReport;
import io.hbaseindex.bench.cluster.ClusterShape;
import io.hbaseindex.bench.report.MarkdownTable;
import io.hbaseindex.client.IndexedConnection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What grows with the number of indexes, the size of rows, and the size of a table. */
@Command(
    name = "growth",
    description = {
      "Writes rows of several sizes to tables with more and more indexes, and asks a table that is",
      "many times the block cache. All answers are compared with plain scans."
    })
public final class GrowthCommand implements Callable<Integer> {
  private static final String FLUSH_SIZE = String.valueOf(32L << 20);

  @Option(
      names = "--indexes",
      split = ",",
      defaultValue = "1,3,10,30",
      description = "Indexes of the tables, up to " + WideRows.COLUMNS + "; ${DEFAULT-VALUE}.")
  private List<Integer> indexes;

  @Option(
      names = "--rows",
      defaultValue = "20000",
      description = "Rows of 200 bytes; ${DEFAULT-VALUE}.")
  private int rows;

  @Option(
      names = "--large-rows",
      defaultValue = "4000",
      description = "Rows of 10 KB; ${DEFAULT-VALUE}.")
  private int largeRows;

  @Option(
      names = "--rounds",
      defaultValue = "2",
      description = "Rounds, after one that does not count; ${DEFAULT-VALUE}.")
  private int rounds;

  @Option(names = "--threads", defaultValue = "4", description = "Writers; ${DEFAULT-VALUE}.")
  private int threads;

  @Option(
      names = "--cold-rows",
      defaultValue = "5000000",
      description = "Rows of the table that is read cold, 0 for none; ${DEFAULT-VALUE}.")
  private int coldRows;

  @Option(
      names = "--cache-mb",
      defaultValue = "4",
      description = "Block cache of each server for that table; ${DEFAULT-VALUE}.")
  private int cacheMegabytes;

  @Option(
      names = "--questions",
      defaultValue = "200",
      description = "Questions of each kind to that table; ${DEFAULT-VALUE}.")
  private int questions;

  @Mixin private ClusterShape shape;
  @Mixin private ClusterReport report;

  @Override
  public Integer call() throws Exception {
    measureIndexes();
    if (coldRows > 0) {
      measureCold();
    }
    return 0;
  }

  private void measureIndexes() throws Exception {
    MarkdownTable table = IndexGrowth.header();
    try (BenchCluster cluster = BenchCluster.startRouting(shape.servers(), Map.of());
        IndexedConnection indexed =
            IndexedConnection.wrap(ConnectionFactory.createConnection(cluster.configuration()))) {
      IndexGrowth growth = new IndexGrowth(cluster, indexed, shape.regions(), threads);
      growth.run(table, indexes, rows, 200, rounds);
      growth.run(table, indexes, largeRows, 10 << 10, rounds);
    }
    report.publish(
        "growth-indexes",
        table
            + "\nRelative to the table without index of the same round, median of %d rounds. %,d rows of 200 bytes and %,d of 10 KB, in %d columns and a payload; ten rows have a value in the mean. %d writers, batches of 1,000 rows but in the last column of writes, %s."
                .formatted(rounds, rows, largeRows, WideRows.COLUMNS, threads, shape));
  }

  private void measureCold() throws Exception {
    double share = (double) (cacheMegabytes << 20) / Runtime.getRuntime().maxMemory();
    Map<String, String> settings =
        Map.of(
            HConstants.HFILE_BLOCK_CACHE_SIZE_KEY,
            String.valueOf(share),
            HConstants.HREGION_MEMSTORE_FLUSH_SIZE,
            FLUSH_SIZE);
    try (BenchCluster cluster = BenchCluster.startRouting(shape.servers(), settings);
        IndexedConnection indexed =
            IndexedConnection.wrap(ConnectionFactory.createConnection(cluster.configuration()))) {
      ColdTable cold = new ColdTable(cluster, indexed, coldRows);
      cold.load(shape.regions(), threads);
      MarkdownTable table = cold.ask(questions);
      report.publish(
          "growth-cold",
          table
              + "\n%,d rows in %s; files of %,d MB, up to %d to a store, and block caches of %d MB in all. Medians of %d questions by one asker, each asked once and at once again. Blocks read are those that the region servers' caches did not have; the last figure of bytes is Linux's for this process, the rest of the blocks came out of its page cache."
                  .formatted(
                      coldRows,
                      shape,
                      cold.fileBytes() >> 20,
                      cold.mostFiles(),
                      cacheMegabytes * shape.servers(),
                      questions));
    }
  }
}
