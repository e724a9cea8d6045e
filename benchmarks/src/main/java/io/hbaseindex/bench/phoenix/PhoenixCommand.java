/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.phoenix;

import io.hbaseindex.bench.cluster.BenchCluster;
import io.hbaseindex.bench.cluster.ClusterReport;
import io.hbaseindex.bench.cluster.ClusterShape;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.HConstants;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The same tables and questions for HBase, our indexes and those of Apache Phoenix. */
@Command(
    name = "phoenix",
    description = "Compares our indexes with those of Apache Phoenix, on one cluster, in one run.")
public final class PhoenixCommand implements Callable<Integer> {
  private static final String SECTION = "phoenix";

  @Option(names = "--rows", defaultValue = "200000", description = "Rows; ${DEFAULT-VALUE}.")
  private int rows;

  @Option(
      names = "--askers",
      defaultValue = "1,8",
      split = ",",
      description = "Threads that ask; ${DEFAULT-VALUE}.")
  private List<Integer> askers;

  @Option(
      names = "--rounds",
      defaultValue = "3",
      description = "Rounds that count, after one that does not; ${DEFAULT-VALUE}.")
  private int rounds;

  @Option(
      names = "--millis",
      defaultValue = "1500",
      description = "How long each is asked in a round; ${DEFAULT-VALUE}.")
  private long millis;

  @Option(
      names = "--only",
      split = ",",
      description = "Parts of the names of questions and writes to measure; all of them.")
  private List<String> only = List.of();

  @Option(
      names = "--contenders",
      split = ",",
      description = "Parts of the names of contenders beside plain HBase; all of them.")
  private List<String> chosen = List.of();

  @Mixin private ClusterShape shape;
  @Mixin private ClusterReport report;

  @Override
  public Integer call() throws Exception {
    Comparison.Extent extent =
        new Comparison.Extent(rows, shape.regions(), rounds, millis, askers, only);
    try (BenchCluster cluster =
        BenchCluster.startRouting(shape.servers(), PhoenixContender.SERVER_SETTINGS)) {
      List<Contender> contenders = contenders(cluster);
      try {
        Samples samples = new Comparison(cluster, contenders, extent).run();
        ComparisonTables tables = new ComparisonTables(samples, extent);
        StringBuilder text = new StringBuilder(tables.text(shape));
        for (int number : askers) {
          tables
              .plot(number)
              .ifPresent(
                  plot -> text.append(report.plot("%s-%d".formatted(SECTION, number), plot)));
        }
        report.publish(SECTION, text.toString());
      } finally {
        for (Contender contender : contenders) {
          contender.close();
        }
      }
    }
    return 0;
  }

  /** The first one is what all are measured against. */
  private List<Contender> contenders(BenchCluster cluster) throws Exception {
    String url =
        "jdbc:phoenix:localhost:%s:%s"
            .formatted(
                cluster.configuration().get(HConstants.ZOOKEEPER_CLIENT_PORT),
                cluster.configuration().get(HConstants.ZOOKEEPER_ZNODE_PARENT, "/hbase"));
    List<Contender> contenders = new ArrayList<>();
    for (HBaseContender.Kind kind : HBaseContender.Kind.values()) {
      if (contenders.isEmpty() || isChosen(kind.label())) {
        contenders.add(new HBaseContender(kind, cluster, rows));
      }
    }
    for (PhoenixContender.Kind kind : PhoenixContender.Kind.values()) {
      if (isChosen(kind.label())) {
        contenders.add(new PhoenixContender(kind, url, rows));
      }
    }
    return contenders;
  }

  private boolean isChosen(String label) {
    return chosen.isEmpty() || chosen.stream().anyMatch(label::contains);
  }
}
