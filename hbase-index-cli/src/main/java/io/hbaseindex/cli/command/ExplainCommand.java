/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.command;

import io.hbaseindex.cli.exit.ExitCode;
import io.hbaseindex.cli.input.ColumnText;
import io.hbaseindex.cli.input.TypedColumns;
import io.hbaseindex.cli.output.CommandAnswer;
import io.hbaseindex.cli.output.ExplanationText;
import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.admin.explain.Explanation;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.yetus.audience.InterfaceAudience;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs a query and tells what it did. */
@Command(
    name = "explain",
    description =
        "Run a query and tell which index and which regions it used, why not others, and what it cost.")
@InterfaceAudience.Private
public final class ExplainCommand extends ClusterCommand {
  @Mixin private QueryOptions options;

  @Option(names = "--all", description = "Read all rows, whatever --limit says.")
  private boolean all;

  @Override
  void validate() {
    try {
      options.check(table(options.table()));
    } catch (IllegalArgumentException e) {
      throw usage(e.getMessage());
    }
  }

  @Override
  int run(Connection connection) throws Exception {
    TableDescriptor table = describe(connection, table(options.table()));
    QueryOptions.Typed typed =
        options.read(table.getTableName(), TypedColumns.declaredIn(table), this);
    ColumnText.requireFamilies(table, typed.columns());
    Scan scan = all ? typed.query().toScan() : typed.query().limit(options.limit()).toScan();
    Explanation explanation = IndexAdmin.of(connection).explain(typed.query().table(), scan);
    CommandAnswer answer = new CommandAnswer().line("query:    " + typed.query());
    answer.json().addProperty("query", typed.query().toString());
    ExplanationText.describe(explanation, answer);
    print(answer);
    return ExitCode.OK;
  }
}
