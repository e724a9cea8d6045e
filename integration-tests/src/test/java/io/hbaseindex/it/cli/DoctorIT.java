/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.client.admin.doctor.ClusterDoctor;
import io.hbaseindex.client.admin.doctor.Diagnosis;
import io.hbaseindex.client.admin.doctor.ServerHealth;
import io.hbaseindex.common.version.VersionProbe;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.index.IndexedTable;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.ToolProvider;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the doctor finds on a real cluster, whose master lacks one of the two classes. */
@OnSharedCluster
class DoctorIT {
  private static final int FINDINGS = 1;

  @Test
  void doctor_findsTheMastersMissingClass_andTheVersionOfEveryServer(TestCluster cluster)
      throws Exception {
    try (IndexedTable spread = IndexedTable.loaded(cluster, "spread", 9, "r0003", "r0006")) {
      Shell shell = new Shell(cluster);
      JsonObject json = shell.run("doctor", "--json").json();
      assertThat(json.get("healthy").getAsBoolean()).isFalse();
      JsonArray servers = json.getAsJsonArray("servers");
      assertThat(servers).hasSize(1 + cluster.servers().live().size());
      JsonObject master = servers.get(0).getAsJsonObject();
      assertThat(master.get("version").getAsString()).isEqualTo(VersionProbe.version());
      assertThat(master.get("fault").getAsString())
          .startsWith("does not load io.hbaseindex.master.IndexMasterObserver")
          .doesNotContain("IndexMasterEndpoint");
      for (int i = 1; i < servers.size(); i++) {
        JsonObject server = servers.get(i).getAsJsonObject();
        assertThat(server.get("fault").isJsonNull()).as(server.toString()).isTrue();
        assertThat(server.get("version").getAsString()).isEqualTo(VersionProbe.version());
      }

      Shell.Outcome text = shell.run("doctor");
      assertThat(text.exitCode()).isEqualTo(FINDINGS);
      assertThat(text.out()).contains("region server", "all right", "Something is to be mended.");
      Shell.Outcome created =
          shell.run("create", spread.name().getNameAsString(), "by_city", "-c", "f:city");
      assertThat(created.exitCode()).isZero();
      assertThat(created.err()).contains("does not load io.hbaseindex.master.IndexMasterObserver");
    }
  }

  /** The class of the filter is here and not on the servers, as if they lacked the jar. */
  @Test
  void serversThatLackTheClass_areFoundWithoutJar(TestCluster cluster, @TempDir Path classes)
      throws Exception {
    try (IndexedTable spread = IndexedTable.loaded(cluster, "bare", 9, "r0003", "r0006");
        URLClassLoader loader = classLoader(classes)) {
      Filter absent =
          (Filter) loader.loadClass("AbsentProbe").getDeclaredConstructor().newInstance();

      Diagnosis diagnosis = new ClusterDoctor(cluster.connection(), absent).examine();

      assertThat(diagnosis.withoutJar())
          .hasSize(cluster.servers().live().size())
          .allMatch(server -> server.role() == ServerHealth.Role.REGION_SERVER)
          .allMatch(server -> server.fault().orElseThrow().contains("copy the server jar"));
    }
  }

  private static URLClassLoader classLoader(Path directory) throws Exception {
    Path source = directory.resolve("AbsentProbe.java");
    Files.writeString(
        source,
        """
        public class AbsentProbe extends org.apache.hadoop.hbase.filter.FilterBase {
          @Override
          public byte[] toByteArray() {
            return new byte[0];
          }
        }
        """);
    int failed =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                List.of("-cp", System.getProperty("java.class.path"), source.toString())
                    .toArray(String[]::new));
    assertThat(failed).isZero();
    return new URLClassLoader(
        new URL[] {directory.toUri().toURL()}, DoctorIT.class.getClassLoader());
  }
}
