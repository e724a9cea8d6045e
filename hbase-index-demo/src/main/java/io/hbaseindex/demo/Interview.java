/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.demo;

import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.core.route.HoldingServers;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** Asks one question in both ways and takes down what the servers counted meanwhile. */
final class Interview {
  private static final int TIMES = 5;

  private final DemoCluster cluster;
  private final Table plain;
  private final Table indexed;

  /**
   * @param plain the table as HBase's own client knows it
   * @param indexed the same table through an indexed connection
   */
  Interview(DemoCluster cluster, Table plain, Table indexed) {
    this.cluster = cluster;
    this.plain = plain;
    this.indexed = indexed;
  }

  /** One way to ask. */
  private interface Asking {
    ResultScanner ask() throws IOException;
  }

  /** By a scan that HBase runs as if there were no index. */
  TimedAnswer withoutIndex(Question question) throws IOException {
    return answer(() -> plain.getScanner(question.plainScan()));
  }

  /** Where rows may be, jumping from one to the next. */
  TimedAnswer withIndex(Question question) throws IOException {
    return answer(() -> indexed.getScanner(question.scan()));
  }

  /** Whether the master knows every region well enough to exclude them all for this question. */
  boolean isExcludedEverywhere(Question question) throws IOException {
    return IndexAdmin.of(cluster.connection())
        .serversThatMayHold(PeopleTable.NAME, question.scan())
        .filter(holding -> holding.unannounced() == 0)
        .map(HoldingServers::servers)
        .filter(servers -> servers.stream().noneMatch(HoldingServers.ServerAnswer::mayHold))
        .isPresent();
  }

  private TimedAnswer answer(Asking asking) throws IOException {
    keys(asking); // the first time warms caches that both ways share
    Reads before = Reads.of(cluster.servers(), PeopleTable.NAME);
    List<String> keys = keys(asking);
    Reads.Cost cost = Reads.of(cluster.servers(), PeopleTable.NAME).since(before);
    long[] nanos = new long[TIMES];
    for (int i = 0; i < TIMES; i++) {
      long started = System.nanoTime();
      keys(asking);
      nanos[i] = System.nanoTime() - started;
    }
    Arrays.sort(nanos);
    return new TimedAnswer(keys, Duration.ofNanos(nanos[TIMES / 2]), cost);
  }

  private static List<String> keys(Asking asking) throws IOException {
    List<String> keys = new ArrayList<>();
    try (ResultScanner scanner = asking.ask()) {
      for (Result row : scanner) {
        keys.add(Bytes.toString(row.getRow()));
      }
    }
    return keys;
  }
}
