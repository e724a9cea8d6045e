/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.command;

import io.hbaseindex.cli.exit.ExitCode;
import io.hbaseindex.cli.output.CommandAnswer;
import io.hbaseindex.cli.output.ServerText;
import io.hbaseindex.cli.output.TextTable;
import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.admin.doctor.Diagnosis;
import io.hbaseindex.client.admin.doctor.ServerHealth;
import java.util.Locale;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.yetus.audience.InterfaceAudience;
import picocli.CommandLine.Command;

/** Looks whether every server has what indexes need. */
@Command(
    name = "doctor",
    description =
        "Look whether all servers have the jar, in one version, and the master its two classes; ends with 1 if not.")
@InterfaceAudience.Private
public final class DoctorCommand extends ClusterCommand {
  @Override
  int run(Connection connection) throws Exception {
    Diagnosis diagnosis = IndexAdmin.of(connection).diagnose();
    CommandAnswer answer = new CommandAnswer();
    answer.json().addProperty("healthy", diagnosis.isHealthy());
    JsonArray servers = new JsonArray();
    TextTable text = new TextTable("SERVER", "ROLE", "VERSION", "FINDING");
    for (ServerHealth server : diagnosis.servers()) {
      String role = server.role().name().toLowerCase(Locale.ROOT).replace('_', ' ');
      JsonObject one = new JsonObject();
      one.addProperty("server", server.server());
      one.addProperty("role", role);
      one.addProperty("version", server.version().orElse(null));
      one.addProperty("jarMissing", server.jarMissing());
      one.addProperty("fault", server.fault().orElse(null));
      one.addProperty("remark", server.remark().orElse(null));
      servers.add(one);
      text.row(
          ServerText.of(server.server()),
          role,
          server.version().orElse("?"),
          server.fault().or(server::remark).orElse("all right"));
    }
    answer.json().add("servers", servers);
    answer.table(text);
    answer.line(
        diagnosis.isHealthy()
            ? "Nothing was found that keeps indexes from working."
            : "Something is to be mended.");
    print(answer);
    return diagnosis.isHealthy() ? ExitCode.OK : ExitCode.FINDINGS;
  }
}
