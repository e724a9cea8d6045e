/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.command;

import io.hbaseindex.cli.exit.ExitCode;
import io.hbaseindex.cli.output.CommandAnswer;
import io.hbaseindex.cli.output.CountText;
import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.core.shard.HolderLayout;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.yetus.audience.InterfaceAudience;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows or changes where filters are kept. */
@Command(
    name = "holders",
    description =
        "Show where filters are kept, or move them: to the active master, or to regions of the"
            + " table hbaseindex:filters.")
@InterfaceAudience.Private
public final class HoldersCommand extends ClusterCommand {
  @Option(
      names = "--count",
      paramLabel = "N",
      description = "Keep filters at N regions; 0 for the active master.")
  private Integer count;

  @Option(
      names = "--shards",
      paramLabel = "N",
      description = "Share the values of each table among N of them. Default: as it is.")
  private Integer shards;

  @Option(
      names = "--table",
      paramLabel = "TABLE=N",
      description = "The same for one table; may be repeated. Tables that are not named stay.")
  private Map<String, Integer> tables = new LinkedHashMap<>();

  @Override
  int run(Connection connection) throws Exception {
    IndexAdmin admin = IndexAdmin.of(connection);
    HolderLayout layout = admin.holders();
    if (count != null || shards != null || !tables.isEmpty()) {
      Map<TableName, Integer> ofTables = new LinkedHashMap<>();
      layout.ofTables().forEach((name, number) -> ofTables.put(table(name), number));
      tables.forEach((name, number) -> ofTables.put(table(name), number));
      layout =
          admin.keepFilters(
              count == null ? layout.holders() : count,
              shards == null ? layout.shards() : shards,
              ofTables);
    }
    print(answer(layout));
    return ExitCode.OK;
  }

  private static CommandAnswer answer(HolderLayout layout) {
    CommandAnswer answer =
        new CommandAnswer()
            .line(
                layout.isMaster()
                    ? "The active master keeps all filters."
                    : layout.holders() == 1
                        ? "One holder keeps all filters."
                        : "%d holders keep filters, %d of them those of one table."
                            .formatted(
                                layout.holders(), Math.min(layout.holders(), layout.shards())));
    layout
        .ofTables()
        .forEach(
            (table, number) ->
                answer.line("Table %s has %s.".formatted(table, CountText.of(number, "shard"))));
    answer.json().addProperty("version", layout.version());
    answer.json().addProperty("holders", layout.holders());
    answer.json().addProperty("shards", layout.shards());
    return answer;
  }
}
