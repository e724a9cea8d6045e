/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.cluster;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * What indexes cost writers: every round loads and updates one fresh table of each variant, in an
 * order that rotates, and is judged by its own plain table. The first rounds only warm up.
 */
@Command(name = "write", description = "Loads and updates tables with and without indexes.")
public final class WriteCostCommand implements Callable<Integer> {
  private static final String SECTION = "cluster-write";

  @Option(names = "--rows", defaultValue = "100000", description = "Rows; ${DEFAULT-VALUE}.")
  private int rows;

  @Mixin private ClusterShape shape;
  @Mixin private WriteRounds rounds;
  @Mixin private ClusterReport report;

  @Override
  public Integer call() throws Exception {
    try (BenchCluster cluster = BenchCluster.start(shape.servers())) {
      WriteRun run = new WriteRun(cluster, rows, shape.regions(), rounds.threads());
      report.publish(SECTION, table(rounds.run(WriteVariant.class, run::run)));
    }
    return 0;
  }

  private String table(WriteRounds.Results<WriteVariant> results) {
    WriteRun.Result plain = results.first();
    return results.table()
        + "\nRelative to the table without index of the same round, median of %d rounds. Rows per second: more is better; \"by CPU\" takes the processor time of the whole process, client included, instead of the clock. Without index: %,.0f rows/s loaded, %,.0f updated in batches, %,.0f one by one; %.0f bytes logged per row loaded. %,d rows, %d writers, %s."
            .formatted(
                rounds.rounds(),
                plain.load().perSecond(),
                plain.update().perSecond(),
                plain.single().perSecond(),
                plain.loadLogBytes(),
                rows,
                rounds.threads(),
                shape);
  }
}
