/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.client.admin.check.CheckReport;
import io.hbaseindex.it.cluster.Waits;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The product as it is installed: the packaged server jar in ZooKeeper, HDFS, two masters and three
 * region servers, each a process of its own, that are killed while they work.
 */
@Tag("packaging")
@Tag("chaos")
class SeparateProcessesIT {
  private static final int LOADED = 3_000;

  @TempDir private Path directory;

  @Test
  void serverAndMasterKilledUnderLoad_nothingAcknowledgedIsMissed_andRoutingComesBack()
      throws Exception {
    Path state = Files.createDirectory(directory.resolve("cluster"));
    ProcessCluster cluster = ProcessCluster.start(state);
    try (cluster) {
      List<String> loaded = new ArrayList<>();
      for (int i = 0; i < LOADED; i++) {
        loaded.add("k%d-loaded-%05d".formatted(i % 6, i));
      }
      try (RemoteTable table = RemoteTable.create(cluster, loaded)) {
        Set<String> known = new TreeSet<>(loaded);
        table.requireRouted(loaded.get(17));

        known.addAll(writeWhileKilling(cluster, table, table.serverOf("k3"), known));
        table.requireRouted(loaded.get(3));

        ServerName active = table.activeMaster();
        known.addAll(writeWhileKilling(cluster, table, active, known));
        assertThat(table.activeMaster()).isNotEqualTo(active);
        table.requireRouted(loaded.get(5));

        CheckReport report = table.verify();
        assertThat(report.missing()).isZero();
        assertThat(report.dangling()).isZero();
        assertThat(report.rows()).isGreaterThanOrEqualTo(known.size());

        assertUninstalled(table, known);
      }
      cluster.stop();
      assertThat(cluster.processes()).isEmpty();
      assertThat(state.resolve("data")).doesNotExist();
    }
  }

  /**
   * Kills a server while rows are written.
   *
   * @return the rows that are there and were not known before
   */
  private static Set<String> writeWhileKilling(
      ProcessCluster cluster, RemoteTable table, ServerName victim, Set<String> known)
      throws Exception {
    Writers writers = Writers.start(table);
    try (writers) {
      Waits.until("writers are at work").until(() -> writers.count() > 50);
      cluster.kill(victim);
      // At once: what was acknowledged before and after the kill, while nothing has recovered yet.
      List<String> soFar = writers.acknowledged();
      for (String key : soFar.subList(soFar.size() - 10, soFar.size())) {
        assertThat(table.find(RemoteTable.codeOf(key))).containsExactly(key);
      }
      int atKill = writers.count();
      Waits.until("writing goes on").until(() -> writers.count() > atKill + 300);
    }
    Set<String> everything = new TreeSet<>(table.everything());
    assertThat(everything).containsAll(known).containsAll(writers.acknowledged());
    for (String key : writers.acknowledged()) {
      assertThat(table.find(RemoteTable.codeOf(key))).containsExactly(key);
    }
    for (String key : writers.uncertain()) {
      assertThat(table.find(RemoteTable.codeOf(key)))
          .isEqualTo(everything.contains(key) ? List.of(key) : List.of());
    }
    everything.removeAll(known);
    return everything;
  }

  /** What is left is a plain table with all its rows, and can be indexed again. */
  private static void assertUninstalled(RemoteTable table, Set<String> rows) throws Exception {
    TableDescriptor plain = table.uninstall();

    assertThat(plain.getColumnFamilyNames()).hasSize(1);
    assertThat(plain.getCoprocessorDescriptors()).isEmpty();
    assertThat(plain.getRegionSplitPolicyClassName()).isNull();
    table.put("k0-after");
    assertThat(table.everything()).hasSize(rows.size() + 1).containsAll(rows).contains("k0-after");
    assertThat(table.find(RemoteTable.codeOf("k0-after"))).containsExactly("k0-after");

    table.index();
    table.requireRouted("k0-after");
    assertThat(table.verify().missing()).isZero();
  }
}
