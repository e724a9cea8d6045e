/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli;

import io.hbaseindex.cli.command.ClusterCommand;
import io.hbaseindex.cli.command.CommandRunner;
import io.hbaseindex.cli.command.CreateCommand;
import io.hbaseindex.cli.command.DoctorCommand;
import io.hbaseindex.cli.command.DropCommand;
import io.hbaseindex.cli.command.ExplainCommand;
import io.hbaseindex.cli.command.HoldersCommand;
import io.hbaseindex.cli.command.ListCommand;
import io.hbaseindex.cli.command.QueryCommand;
import io.hbaseindex.cli.command.RebuildCommand;
import io.hbaseindex.cli.command.RepairCommand;
import io.hbaseindex.cli.command.ShellCommand;
import io.hbaseindex.cli.command.StatusCommand;
import io.hbaseindex.cli.command.ValuesCommand;
import io.hbaseindex.cli.command.VerifyCommand;
import io.hbaseindex.cli.connect.Cluster;
import io.hbaseindex.cli.connect.ConnectionLease;
import io.hbaseindex.cli.exit.ExitCode;
import io.hbaseindex.cli.exit.Failure;
import io.hbaseindex.cli.exit.OutputLostException;
import io.hbaseindex.cli.output.PipeWriter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/**
 * The command line's entry. Sub-commands do the work; here errors become one line and an exit code.
 */
@Command(
    name = "hbase-index",
    mixinStandardHelpOptions = true,
    versionProvider = HbaseIndex.Version.class,
    usageHelpAutoWidth = true,
    description = "Secondary indexes for HBase.",
    footer = {
      "",
      "Exit codes: 0 done; 1 something was found (faults, index not ready, no such row);",
      "2 wrong usage; 3 cluster unreachable; 4 refused; 5 failure; 130 interrupted;",
      "141 nobody reads the output any more."
    },
    subcommands = {
      CreateCommand.class,
      DropCommand.class,
      ListCommand.class,
      StatusCommand.class,
      DoctorCommand.class,
      QueryCommand.class,
      ValuesCommand.class,
      ExplainCommand.class,
      VerifyCommand.class,
      RepairCommand.class,
      RebuildCommand.class,
      ShellCommand.class,
      HoldersCommand.class,
      AutoComplete.GenerateCompletion.class
    })
@InterfaceAudience.Private
public final class HbaseIndex implements Runnable, CommandRunner {
  private static final String LOG_CONFIGURATION = "log4j.configuration";

  /** What Java puts in place of bytes that it cannot decode; a query for it would find nothing. */
  private static final char UNREADABLE = '\uFFFD';

  private static final String LOG_LEVEL = "hbaseindex.cli.log-level";

  private final ConnectionLease.Source connections;

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  private HbaseIndex(ConnectionLease.Source connections) {
    this.connections = connections;
  }

  /** Runs one command and ends the process with its code. */
  public static void main(String[] args) {
    quietLogs(args);
    PrintWriter out = PipeWriter.to(new FileOutputStream(FileDescriptor.out));
    PrintWriter err =
        new PrintWriter(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
    quietOthers(args);
    int exitCode = ExitCode.FAILED;
    try {
      exitCode = run(out, err, args);
      out.flush();
      err.flush();
    } finally {
      // HBase's client leaves threads behind that are no daemons. And should even telling an error
      // have failed, Java itself would end with the code for findings.
      System.exit(exitCode);
    }
  }

  /** Runs one command; prints to these and returns what the process should end with. */
  public static int run(PrintWriter out, PrintWriter err, String... args) {
    return new HbaseIndex(options -> new ConnectionLease(Cluster.connect(options), true))
        .run(out, err, List.of(args));
  }

  @Override
  public ConnectionLease.Source connections() {
    return connections;
  }

  @Override
  public int run(ConnectionLease.Source others, PrintWriter out, PrintWriter err, String... args) {
    return new HbaseIndex(others).run(out, err, List.of(args));
  }

  private int run(PrintWriter out, PrintWriter err, List<String> args) {
    for (String argument : args) {
      if (argument.indexOf(UNREADABLE) >= 0) {
        err.println(
            "hbase-index: Cannot read the argument %s: it has characters that are not in the encoding of the locale; set LC_ALL=C.UTF-8, or write bytes as \\xHH"
                .formatted(argument));
        return ExitCode.USAGE;
      }
    }
    CommandLine line = new CommandLine(this);
    line.setOut(out);
    line.setErr(err);
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setParameterExceptionHandler((thrown, arguments) -> misused(thrown));
    line.setExecutionExceptionHandler((thrown, command, arguments) -> failed(thrown, command));
    int exitCode = execute(line, args.toArray(String[]::new));
    boolean done = exitCode == ExitCode.OK || exitCode == ExitCode.FINDINGS;
    return done && out.checkError() ? failed(new OutputLostException(), commandOf(line)) : exitCode;
  }

  private static int execute(CommandLine line, String... args) {
    try {
      return line.execute(args);
    } catch (Error e) {
      // Picocli handles exceptions only.
      return failed(e, commandOf(line));
    }
  }

  /** The command that was given, as far as the arguments have been read. */
  private static CommandLine commandOf(CommandLine line) {
    CommandLine.ParseResult arguments = line.getParseResult();
    return arguments != null && arguments.hasSubcommand()
        ? arguments.subcommand().commandSpec().commandLine()
        : line;
  }

  /** The error, and where to read on: the usage itself would push the error off the screen. */
  private static int misused(CommandLine.ParameterException thrown) {
    CommandLine line = thrown.getCommandLine();
    String command = line.getCommandSpec().qualifiedName();
    PrintWriter err = line.getErr();
    err.println(command + ": " + thrown.getMessage());
    if (!CommandLine.UnmatchedArgumentException.printSuggestions(thrown, err)) {
      err.println("See: " + command + " --help");
    }
    return ExitCode.USAGE;
  }

  private static int failed(Throwable thrown, CommandLine line) {
    if (line.getOut() instanceof PipeWriter pipe && pipe.isReaderGone()) {
      return ExitCode.READER_GONE;
    }
    Failure failure = Failure.of(thrown);
    line.getErr().println("hbase-index " + line.getCommandName() + ": " + failure.message());
    if (line.getCommand() instanceof ClusterCommand command && command.wantsStackTrace()) {
      thrown.printStackTrace(line.getErr());
    }
    return failure.exitCode();
  }

  /**
   * HBase's client prints the stack of a scan that fails before it throws it (2.6.1,
   * RpcRetryingCallerWithReadReplicas), whatever the logs are set to. What went wrong is told by
   * the command, in one line.
   */
  private static void quietOthers(String[] args) {
    if (!isVerbose(args)) {
      System.setErr(
          new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
    }
  }

  private static boolean isVerbose(String[] args) {
    return Arrays.stream(args).anyMatch(List.of("-v", "--verbose")::contains);
  }

  /** Must come before the first class that logs. */
  private static void quietLogs(String[] args) {
    System.setProperty(LOG_LEVEL, isVerbose(args) ? "INFO" : "OFF");
    if (System.getProperty(LOG_CONFIGURATION) == null) {
      System.setProperty(LOG_CONFIGURATION, "hbase-index-log4j.properties");
    }
  }

  /** Without a command: how to use it. */
  @Override
  public void run() {
    throw new CommandLine.ParameterException(spec.commandLine(), "Name a command");
  }

  /** The version in the jar's manifest. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = HbaseIndex.class.getPackage().getImplementationVersion();
      return new String[] {"hbase-index " + (version == null ? "unpackaged" : version)};
    }
  }
}
