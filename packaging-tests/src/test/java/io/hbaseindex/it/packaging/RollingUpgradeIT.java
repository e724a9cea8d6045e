/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.client.admin.check.CheckReport;
import io.hbaseindex.it.cluster.Waits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * HBase is upgraded under a table in use, server by server as an operator does it: first the
 * masters, then the region servers. The index is the same jar all the time. Run by the module that
 * has both versions of HBase.
 */
@Tag("packaging")
@Tag("chaos")
class RollingUpgradeIT {
  private static final String OLD = "2.5.13";
  private static final String NEW = "2.6.4";
  private static final int LOADED = 1_200;

  @TempDir private Path directory;

  private int lookups;
  private long longestLookupNanos;

  @Test
  void serversChangeToANewerHBaseOneByOne_nothingAcknowledgedIsMissed_andRoutingStays()
      throws Exception {
    Path state = Files.createDirectory(directory.resolve("cluster"));
    ProcessCluster cluster = ProcessCluster.start(state, "--hbase", classPathOf("hbase-2.5"));
    try (cluster) {
      List<String> loaded = new ArrayList<>();
      for (int i = 0; i < LOADED; i++) {
        loaded.add("k%d-loaded-%05d".formatted(i % 6, i));
      }
      try (RemoteTable table = RemoteTable.create(cluster, loaded)) {
        table.requireRouted(loaded.get(17));
        assertThat(table.versions()).containsExactly(OLD);

        Writers writers = Writers.start(table);
        try (writers) {
          for (String master : List.of("master-2", "master-1")) {
            upgrade(cluster, table, writers, master);
          }
          assertThat(table.versions()).as("versions in the middle").containsExactly(OLD, NEW);
          table.requireRouted(loaded.get(3));
          for (int i = 1; i <= 3; i++) {
            upgrade(cluster, table, writers, "regionserver-" + i);
          }
        }
        assertThat(table.versions()).containsExactly(NEW);
        assertFound(table, loaded, writers);
        table.requireRouted(loaded.get(5));
        CheckReport report = table.verify();
        assertThat(report.missing()).isZero();
        assertThat(report.dangling()).isZero();
        System.out.printf(
            "Upgraded from %s to %s: %d rows loaded, %d written and acknowledged, %d given up, longest write %d ms; %d lookups, longest %d ms%n",
            OLD,
            NEW,
            LOADED,
            writers.count(),
            writers.uncertain().size(),
            writers.longest().toMillis(),
            lookups,
            TimeUnit.NANOSECONDS.toMillis(longestLookupNanos));
      }
    }
  }

  /** Ends one server as an operator does, and starts it again with the newer HBase. */
  private void upgrade(ProcessCluster cluster, RemoteTable table, Writers writers, String server)
      throws Exception {
    Waits.until("writers are at work").until(() -> writers.count() > 50);
    int servers = table.servers();
    cluster.script("end", server);
    // While it is away: what was acknowledged before and meanwhile.
    int atEnd = writers.count();
    Waits.until("writing goes on without " + server).until(() -> writers.count() > atEnd + 20);
    assertLatestFound(table, writers);
    cluster.script("--hbase", classPathOf("hbase-2.6.4"), "start", server);
    Waits.until(server + " is back")
        .ignoreExceptionsInstanceOf(IOException.class) // between two masters there is none
        .until(() -> table.servers() == servers);
    assertLatestFound(table, writers);
  }

  private List<String> find(RemoteTable table, String key) throws IOException {
    long begun = System.nanoTime();
    List<String> found = table.find(RemoteTable.codeOf(key));
    longestLookupNanos = Math.max(longestLookupNanos, System.nanoTime() - begun);
    lookups++;
    return found;
  }

  private void assertLatestFound(RemoteTable table, Writers writers) throws Exception {
    List<String> soFar = writers.acknowledged();
    for (String key : soFar.subList(soFar.size() - 20, soFar.size())) {
      assertThat(find(table, key)).containsExactly(key);
    }
  }

  private void assertFound(RemoteTable table, List<String> loaded, Writers writers)
      throws Exception {
    Set<String> everything = new TreeSet<>(table.everything());
    assertThat(everything).containsAll(loaded).containsAll(writers.acknowledged());
    for (String key : writers.acknowledged()) {
      assertThat(find(table, key)).containsExactly(key);
    }
    for (String key : writers.uncertain()) {
      assertThat(find(table, key)).isEqualTo(everything.contains(key) ? List.of(key) : List.of());
    }
  }

  private static String classPathOf(String version) {
    Path file =
        RepositoryRoot.path()
            .resolve("version-tests")
            .resolve(version)
            .resolve("target/cluster.classpath")
            .toAbsolutePath()
            .normalize();
    assertThat(file).as("class path that the module of the version has left").isNotEmptyFile();
    return file.toString();
  }
}
