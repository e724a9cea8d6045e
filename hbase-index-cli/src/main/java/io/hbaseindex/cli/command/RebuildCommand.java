/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.command;

import io.hbaseindex.cli.exit.ExitCode;
import io.hbaseindex.cli.output.CommandAnswer;
import io.hbaseindex.cli.output.ProgressView;
import io.hbaseindex.client.admin.IndexAdmin;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.yetus.audience.InterfaceAudience;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Has all indexes of a table built anew. */
@Command(
    name = "rebuild",
    description =
        "Distrust all indexes of a table and build them anew; scans run plainly meanwhile.")
@InterfaceAudience.Private
public final class RebuildCommand extends ClusterCommand {
  @Parameters(index = "0", paramLabel = "TABLE", description = "The table.")
  private String table;

  @Mixin private WaitOptions wait;

  @Override
  void validate() {
    wait.validate();
  }

  @Override
  int run(Connection connection) throws Exception {
    TableName name = table(table);
    IndexAdmin admin = IndexAdmin.of(connection);
    CommandAnswer answer = new CommandAnswer();
    answer.json().addProperty("table", name.getNameAsString());
    boolean indexed = !admin.list(name).isEmpty();
    answer.json().addProperty("indexed", indexed);
    if (!indexed) {
      print(answer.line("Table %s has no index; there is nothing to rebuild.".formatted(name)));
      return ExitCode.OK;
    }
    try (ProgressView view = progress()) {
      admin.rebuild(name, view);
    }
    answer.line("The regions of table %s build their indexes anew.".formatted(name));
    wait.await(admin, name, answer, this);
    print(answer);
    return ExitCode.OK;
  }
}
