/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.command;

import io.hbaseindex.cli.connect.Cluster;
import io.hbaseindex.cli.connect.ClusterOptions;
import io.hbaseindex.cli.exit.ExitCode;
import io.hbaseindex.cli.output.CommandAnswer;
import io.hbaseindex.cli.output.ProgressView;
import io.hbaseindex.cli.output.RowPrinter;
import io.hbaseindex.cli.output.RowStyle;
import io.hbaseindex.client.admin.call.RegionCalls;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.yetus.audience.InterfaceAudience;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What all commands have in common: a cluster to talk to and two ways to print. */
@Command(
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    synopsisSubcommandLabel = "COMMAND")
@InterfaceAudience.Private
public abstract class ClusterCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private ClusterOptions cluster;

  @Option(names = "--json", description = "Print JSON instead of tables.")
  private boolean json;

  @Option(
      names = {"-v", "--verbose"},
      description = "Show what HBase's client logs, on stderr.")
  private boolean verbose;

  @Option(names = "--stacktrace", description = "Show where an error came from.")
  private boolean stacktrace;

  @Override
  public final Integer call() throws Exception {
    validate();
    try (Connection connection = Cluster.connect(cluster)) {
      return run(connection);
    }
  }

  /** Looks at the options before anything else is done. */
  void validate() {}

  /** Does the work and says what to end with; a code of {@link ExitCode}. */
  abstract int run(Connection connection) throws Exception;

  /** Prints the answer, in the way that was asked for. */
  final void print(CommandAnswer answer) {
    String text = json ? answer.toJson() : answer.toText();
    spec.commandLine().getOut().print(text.endsWith("\n") ? text : text + "\n");
    spec.commandLine().getOut().flush();
  }

  /** Prints rows one by one, in the way that was asked for. */
  final RowPrinter rowPrinter(RowStyle style) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    return json ? RowPrinter.json(out) : RowPrinter.text(out, style);
  }

  /** Says something beside the answer. */
  final void note(String text) {
    spec.commandLine().getErr().println(text);
    spec.commandLine().getErr().flush();
  }

  /** Shows the progress of long work on stderr; to be closed. */
  final ProgressView progress() {
    return ProgressView.on(spec.commandLine().getErr());
  }

  public final boolean wantsStackTrace() {
    return stacktrace || verbose;
  }

  final TableName table(String name) {
    try {
      return TableName.valueOf(name);
    } catch (IllegalArgumentException e) {
      throw usage("\"" + name + "\" is no table name: " + e.getMessage());
    }
  }

  /** The table as this user may see it. */
  final TableDescriptor describe(Connection connection, TableName table) throws IOException {
    return new RegionCalls(connection).readableDescriptorOf(table);
  }

  final ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
