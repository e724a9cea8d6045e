/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.demo;

import io.hbaseindex.client.IndexedConnection;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Table;

/** The demo from the start of the cluster to the last question. */
final class Demo {
  private static final long POLL_MILLIS = 100;

  /** Far above any good run; a demo must not hang. */
  private static final Duration PUBLISH_LIMIT = Duration.ofMinutes(3);

  private final Console console;
  private final Workspace workspace;
  private final Path log;

  Demo(Console console, Workspace workspace, Path log) {
    this.console = console;
    this.workspace = workspace;
    this.log = log;
  }

  /**
   * @param keep whether to stay, when the tour is over, until the process is ended from outside
   */
  void run(Population people, boolean keep) throws Exception {
    ProgressBar starting = console.progress("Starting HBase");
    DemoCluster cluster = DemoCluster.start(workspace);
    starting.done("3 region servers, HDFS, ZooKeeper");
    PeopleTable table = new PeopleTable(cluster.connection());
    table.load(people, console.progress("Loading people"));
    table.index(people, console.progress("Indexing the loaded table"));
    try (Table plain = cluster.connection().getTable(PeopleTable.NAME);
        Connection indexing = IndexedConnection.wrap(cluster.connect());
        Table indexed = indexing.getTable(PeopleTable.NAME)) {
      Interview interview = new Interview(cluster, plain, indexed);
      awaitFilters(interview, console.progress("Publishing filters to the master"));
      Showcase showcase = new Showcase(cluster, plain, indexing, console);
      new Tour(cluster, table, new Census(people), interview, showcase, console).run();
    }
    console.say("");
    console.say("Regions, servers and rows read are HBase's own counters at the region servers;");
    console.say("time is the median of five, from 6 on a single one. The servers' log: " + log);
    if (keep) {
      stay(cluster);
    }
  }

  private void awaitFilters(Interview interview, ProgressBar progress) throws Exception {
    Question absent = Question.about("", "email", "nobody@nowhere.example");
    long started = System.nanoTime();
    while (!interview.isExcludedEverywhere(absent)) {
      if (System.nanoTime() - started > PUBLISH_LIMIT.toNanos()) {
        throw new TimeoutException("the master did not trust all filters after 3 minutes");
      }
      Thread.sleep(POLL_MILLIS);
    }
    progress.done("all %d regions".formatted(PeopleTable.REGIONS));
  }

  private void stay(DemoCluster cluster) throws InterruptedException {
    console.say("");
    console.say("The cluster stays up until Ctrl-C. From another terminal:");
    console.say("");
    String command = "   bin/hbase-index %s --zookeeper " + cluster.zookeeper() + " people%s";
    console.say(command.formatted("status", ""));
    console.say(command.formatted("verify", ""));
    console.say(command.formatted("query", " --where \"p:city = 'Fulda'\" --limit 5"));
    new CountDownLatch(1).await();
  }
}
