/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.demo;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.apache.yetus.audience.InterfaceAudience;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code hbase-index demo}. */
@Command(
    name = "hbase-index demo",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    description = {
      "Starts a real HBase with three region servers in one process, fills a table, indexes it,"
          + " and asks it questions with the index and without. Leaves nothing behind.",
    },
    footer = {"", "Exit code: 0 good, 1 failed, 2 wrong options, 130 interrupted."})
@InterfaceAudience.Private
public final class DemoMain implements Callable<Integer> {
  private static final int FEWEST_ROWS = 1_000;
  private static final int MOST_ROWS = 2_000_000;
  private static final String LOG_PROPERTY = "hbaseindex.demo.log";

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "100000",
      description = "How many people, ${DEFAULT-VALUE} unless told otherwise.")
  private int rows;

  @Option(
      names = "--keep",
      description = "Leave the cluster up after the tour, until Ctrl-C, for other commands to use.")
  private boolean keep;

  @Spec private CommandSpec spec;

  private DemoMain() {}

  public static void main(String[] arguments) {
    Locale.setDefault(Locale.ROOT);
    System.exit(new CommandLine(new DemoMain()).execute(arguments));
  }

  @Override
  public Integer call() throws Exception {
    if (rows < FEWEST_ROWS || rows > MOST_ROWS) {
      throw new ParameterException(
          spec.commandLine(),
          "Cannot show %,d rows: the demo takes %,d to %,d; choose --rows in between"
              .formatted(rows, FEWEST_ROWS, MOST_ROWS));
    }
    Path log = Path.of(System.getProperty(LOG_PROPERTY, "hbase-index-demo.log")).toAbsolutePath();
    Files.createDirectories(log.getParent());
    Console console = Console.open(log.resolveSibling(log.getFileName() + ".out"));
    Workspace workspace =
        Workspace.open(() -> console.complain("Stopping; nothing is left behind."));
    try {
      new Demo(console, workspace, log).run(new Population(rows), keep);
      workspace.end(DemoExitCode.GOOD);
    } catch (Exception e) {
      e.printStackTrace(); // goes to the log, as all that is not the console's does
      console.complain("Cannot go on: " + e.getMessage() + "; the log is " + log);
      workspace.end(DemoExitCode.FAILED);
    }
    throw new AssertionError("the process has ended");
  }
}
