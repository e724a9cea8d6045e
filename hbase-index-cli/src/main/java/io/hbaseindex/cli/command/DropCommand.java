/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.command;

import io.hbaseindex.cli.exit.ExitCode;
import io.hbaseindex.cli.exit.RefusedCommandException;
import io.hbaseindex.cli.output.CommandAnswer;
import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.core.definition.IndexDefinition;
import java.io.IOException;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.yetus.audience.InterfaceAudience;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Drops an index. */
@Command(
    name = "drop",
    description = "Drop an index. Its postings go with the next major compaction.")
@InterfaceAudience.Private
public final class DropCommand extends ClusterCommand {
  @Parameters(index = "0", paramLabel = "TABLE", description = "The table.")
  private String table;

  @Parameters(index = "1", paramLabel = "INDEX", description = "The index.")
  private String index;

  @Option(names = "--if-exists", description = "Be content if there is no such index.")
  private boolean ifExists;

  @Override
  int run(Connection connection) throws Exception {
    TableName name = table(table);
    IndexAdmin admin = IndexAdmin.of(connection);
    boolean dropped = admin.drop(name, index);
    if (!dropped && !ifExists) {
      throw unknownIndex(admin, name, index);
    }
    CommandAnswer answer =
        new CommandAnswer()
            .line(
                dropped
                    ? "Dropped index %s of table %s.".formatted(index, name)
                    : "Table %s has no index %s.".formatted(name, index));
    answer.json().addProperty("table", name.getNameAsString());
    answer.json().addProperty("index", index);
    answer.json().addProperty("dropped", dropped);
    print(answer);
    return ExitCode.OK;
  }

  private static RefusedCommandException unknownIndex(
      IndexAdmin admin, TableName table, String index) throws IOException {
    String known =
        admin.list(table).stream().map(IndexDefinition::name).collect(Collectors.joining(", "));
    return new RefusedCommandException(
        "Table %s has no index %s%s"
            .formatted(table, index, known.isEmpty() ? ", it has none" : ", only " + known));
  }
}
